import { describe, expect, test } from 'vitest';
import { createBrowserClient } from '../../src/browser/index.ts';
import { bulk } from '../../src/index.ts';
import { failure, makeClient, respond, useTestService } from '../support/test-service.ts';

useTestService();

const quiet = { maxRetries: 0, logLevel: 'off' } as const;

// Each function stands for a place in a user's program: its name must be in the stack of the error.

const down = () =>
  respond('GET /api/v1/rest/sender', {
    body: { status: 'error', message: 'internal server error occurred' },
    status: 500,
  });

const downContacts = () =>
  respond('GET /api/v1/rest/contact', {
    body: { status: 'error', message: 'internal server error occurred' },
    status: 500,
  });

/** Returns the stack of the error that a call rejects with. */
const stackOf = async (call: Promise<unknown>) => ((await failure(call)) as Error).stack;

describe('the stack of an error', () => {
  test('holds the line of an awaited call', async () => {
    down();
    async function openDashboard() {
      await makeClient().senders.list();
    }
    expect(await stackOf(openDashboard())).toMatch(/openDashboard.*call-site\.test/);
  });

  test('holds the line of a call that is stored and awaited later', async () => {
    down();
    const startDashboard = () => makeClient().senders.list();
    const call = startDashboard();
    expect(await stackOf(call)).toMatch(/startDashboard.*call-site\.test/);
  });

  test('holds the line of a call whose input is not valid, once', async () => {
    const createEmptyTag = () => makeClient().tags.create({ name: '' });
    expect((await stackOf(createEmptyTag()))?.match(/createEmptyTag.*call-site\.test/g)).toHaveLength(1);
  });

  test('holds the line of a call with `withResponse`, `then` or `safe`', async () => {
    down();
    const viaResponse = () => makeClient().senders.list().withResponse();
    expect(await stackOf(viaResponse())).toMatch(/viaResponse.*call-site\.test/);
    const viaThen = () =>
      makeClient()
        .senders.list()
        .then(() => {});
    expect(await stackOf(viaThen())).toMatch(/viaThen.*call-site\.test/);
    const viaSafe = () => makeClient().senders.list().safe();
    const result = await viaSafe();
    expect(result.ok ? '' : result.error.stack).toMatch(/viaSafe.*call-site\.test/);
  });

  test('holds the line of a retried call', async () => {
    down();
    const retryInVain = () => makeClient({ maxRetries: 1 }).senders.list();
    expect(await stackOf(retryInVain())).toMatch(/retryInVain.*call-site\.test/);
  });

  test('holds the line of the call in the error that `onError` receives', async () => {
    down();
    const stacks: unknown[] = [];
    const hooks = { onError: ({ error }: { error: unknown }) => stacks.push((error as Error).stack) };
    const listSenders = () => makeClient({ hooks }).senders.list();
    await failure(listSenders());
    expect(stacks).toEqual([expect.stringMatching(/listSenders.*call-site\.test/)]);
  });

  test('for the keyless client', async () => {
    const fetch = async () => new Response('{}', { status: 500 });
    const page = createBrowserClient({ url: 'https://www.example.test/api', ...quiet, fetch });
    const submitForm = () => page.tags.create({ name: 'vip' });
    expect(await stackOf(submitForm())).toMatch(/submitForm.*call-site\.test/);
  });
});

describe('the stack of an error from an iteration', () => {
  const begun = () => {
    downContacts();
    return makeClient().contacts;
  };

  test('holds the line of a loop over records', async () => {
    const contacts = begun();
    async function exportContacts() {
      for await (const contact of contacts.all()) expect(contact).toBeUndefined();
    }
    expect(await stackOf(exportContacts())).toMatch(/exportContacts.*call-site\.test/);
  });

  test('holds the line of a loop over pages', async () => {
    const contacts = begun();
    async function exportPages() {
      for await (const page of contacts.all().pages()) expect(page).toBeUndefined();
    }
    expect(await stackOf(exportPages())).toMatch(/exportPages.*call-site\.test/);
  });

  test('holds the line that called `toArray`', async () => {
    const contacts = begun();
    const readContacts = () => contacts.all().toArray();
    expect(await stackOf(readContacts())).toMatch(/readContacts.*call-site\.test/);
  });

  test('for the keyless client', async () => {
    const fetch = async () => new Response('{}', { status: 500 });
    const page = createBrowserClient({ url: 'https://www.example.test/api', ...quiet, fetch });
    const showContacts = () => page.contacts.all().toArray();
    expect(await stackOf(showContacts())).toMatch(/showContacts.*call-site\.test/);
  });
});

describe('the stack of an error of a bulk', () => {
  test('holds the line of the callback, and the line that called `bulk`', async () => {
    down();
    const client = makeClient();
    const importRows = () =>
      bulk([1], async function sendRow() {
        return client.senders.list();
      });
    const { value } = await importRows().next();
    const { stack } = (value as { error: Error }).error;
    expect(stack).toMatch(/sendRow.*call-site\.test/);
    expect(stack).toMatch(/importRows.*call-site\.test/);
  });

  test('holds the line that called `bulk` with an option that does not exist', async () => {
    const importWrongly = () => bulk([1], () => {}, { parallel: 4 } as object);
    expect(await stackOf(importWrongly().next())).toMatch(/importWrongly.*call-site\.test/);
  });
});

test('an error of an iteration names the call that failed', async () => {
  downContacts();
  const error = await failure(makeClient().contacts.all().toArray());
  expect(error).toMatchObject({
    operation: 'contacts.list',
    message: 'contacts.list: 500 from rest.example.test: internal server error occurred. Try again later.',
  });
  expect((error as Error).stack).toMatch(/^ServerError: contacts\.list: 500 /);
});

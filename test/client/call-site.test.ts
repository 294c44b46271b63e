// The stack of an error holds the line of the user's program that made the call.
import { describe, expect, test } from 'vitest';
import { createBrowserClient } from '../../src/browser/index.ts';
import { bulk } from '../../src/index.ts';
import { makeClient, respond, useTestService } from '../support/test-service.ts';
import { failureOf } from './support.ts';

useTestService();

const down = (resource: 'sender' | 'contact') =>
  respond(`GET /api/v1/rest/${resource}`, {
    body: { status: 'error', message: 'internal server error occurred' },
    status: 500,
  });

/** Returns the stack of the error that a call rejects with. */
const stackOf = async (call: Promise<unknown>) => ((await failureOf(call)) as Error).stack;

const url = 'https://www.example.test/api';

const callers: Readonly<Record<string, () => Promise<unknown>>> = {
  async awaitsCall() {
    await makeClient().senders.list();
  },
  callsThen: () =>
    makeClient()
      .senders.list()
      .then(() => {}),
  callsInBrowser: () => {
    const fetch = async () => new Response('{}', { status: 500 });
    return createBrowserClient({ url, fetch }).tags.create({ name: 'vip' });
  },
  callsThenInBrowser: () => {
    const error = { name: 'InvalidRequestError', message: 'no', outcome: 'not-sent', issues: [] };
    const fetch = async () => Response.json({ error }, { status: 400 });
    const call = createBrowserClient({ url, fetch }).tags.create({ name: '' });
    return call.then(() => {});
  },
  async loopsOverRecords() {
    for await (const contact of makeClient().contacts.all()) expect(contact).toBeUndefined();
  },
};

describe('the stack of an error', () => {
  test.each(Object.entries(callers))('holds the line in the function %s', async (name, caller) => {
    down('sender');
    down('contact');
    expect(await stackOf(caller())).toMatch(new RegExp(`${name}.*call-site\\.test`));
  });

  test('holds the line of a call whose input is not valid, once', async () => {
    const createEmptyTag = () => makeClient().tags.create({ name: '' });
    expect((await stackOf(createEmptyTag()))?.match(/createEmptyTag.*call-site\.test/g)).toHaveLength(1);
  });

  test('holds the line of a call with `safe`, and in the error that `onError` receives', async () => {
    down('sender');
    const stacks: unknown[] = [];
    const hooks = { onError: ({ error }: { error: unknown }) => stacks.push((error as Error).stack) };
    const listSenders = () => makeClient({ hooks }).senders.list().safe();
    const stack = expect.stringMatching(/listSenders.*call-site\.test/);
    expect(await listSenders()).toMatchObject({ error: { stack } });
    expect(stacks).toEqual([stack]);
  });
});

test("the stack of the caller's reason for an abort is unchanged", async () => {
  const reason = new Error('enough');
  const { stack } = reason;
  const options = { signal: AbortSignal.abort(reason) };
  expect(await stackOf(makeClient().senders.list(options))).toBe(stack);
  expect(await stackOf(bulk([1], async () => {}, options).next())).toBe(stack);
});

test('the stack of an error from `bulk` contains the line of the callback, and the line that called `bulk`', async () => {
  down('sender');
  const client = makeClient();
  const importRows = () =>
    bulk([1], async function sendRow() {
      return client.senders.list();
    });
  const { value } = await importRows().next();
  const { stack } = (value as { error: Error }).error;
  expect(stack).toMatch(/sendRow.*call-site\.test/);
  expect(stack).toMatch(/importRows.*call-site\.test/);
  const importWrongly = () => bulk([1], async () => {}, { parallel: 4 } as object);
  expect(await stackOf(importWrongly().next())).toMatch(/importWrongly.*call-site\.test/);
});

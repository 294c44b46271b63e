// Mistakes that the service accepts in silence, or that JavaScript reports by a riddle: what the client says in their place.
import { beforeEach, describe, expect, test } from 'vitest';
import { type Drift, EmailMarketingClient } from '../../src/index.ts';
import { createSandbox, type Sandbox } from '../../src/testing/index.ts';

let sandbox: Sandbox;
let client: EmailMarketingClient;
let drifts: Drift[];
beforeEach(() => {
  sandbox = createSandbox();
  drifts = [];
  client = new EmailMarketingClient({
    ...sandbox.clientOptions,
    logLevel: 'off',
    maxRetries: 0,
    onDrift: drift => drifts.push(drift),
  });
});

/** Returns the message with which a call is refused before anything is sent. */
async function refusalOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (reason: Error) => reason,
  );
  expect(error).toMatchObject({ name: 'InvalidRequestError', outcome: 'not-sent' });
  expect(sandbox.requests).toEqual([]);
  return error?.message ?? '';
}

const email = 'ada@example.com';
const suffix = 'm2AKq8Zt0LpX3vB6nR9sWe';

describe('an id in place of a name', () => {
  const isTag = 'this is the id of a tag; the legacy interface takes its name';
  const isField = 'this is the id of a custom field; the legacy interface takes its name';

  test('of a tag is refused by identify and track', async () => {
    const id = `tag_${suffix}`;
    const at = (field: string, index: number) =>
      `${field} must be names of tags: ${isTag} (got "${id}" at index ${index})`;
    expect(await refusalOf(client.legacy.identify({ email, tags: ['vip', id] }))).toBe(
      `legacy.identify: ${at('tags', 1)}`,
    );
    expect(await refusalOf(client.legacy.track({ email, addTags: [id], removeTags: [id] }))).toBe(
      `legacy.track: ${at('addTags', 0)}; ${at('removeTags', 0)}`,
    );
  });

  test.each([`custom_field_${suffix}`, `field_${suffix}`])('of a custom field is refused: %s', async id => {
    const message = await refusalOf(
      client.legacy.identify({ email, customFields: { plan: 'pro', [id]: 'x' } }),
    );
    expect(message).toBe(`legacy.identify: customFields.${id} must be under a name: ${isField} (got string)`);
  });

  test('is only refused in the documented form', async () => {
    const tags = ['tag_of_honour', `tag_${suffix}x`, `list_${suffix}`, suffix];
    const customFields = { field_of_study: 'x', [`field_${suffix}x`]: 'y', custom_field_: 'z' };
    const { data } = await client.legacy.identify({ email, tags, customFields });
    expect(data).toMatchObject({ tags, customFields });
    await client.events.record({ name: 'e', identifier: email, data: { [`field_${suffix}`]: 'x' } });
    await client.legacy.track({ email, removeTags: ['tag_of_honour'] });
  });
});

describe("with validation 'off'", () => {
  test.each<[unknown, string]>([
    [{}, 'expected an array of records with ids, got object'],
    [null, ''],
    [[{ email }], 'expected an array of records with ids, got object'],
    [[{ id: 'contact_1' }, null], 'expected an array of records with ids, got null'],
    ['text', 'expected an array of records with ids, got string'],
  ])('a page of %j that cannot be iterated over is an error of the library', async (body, reason) => {
    sandbox.on('GET', '/contact', () => ({ body }));
    const result = client.withOptions({ validation: 'off' }).contacts.all().toArray();
    if (!reason) return expect(await result).toEqual([]);
    await expect(result).rejects.toMatchObject({
      name: 'InvalidResponseError',
      operation: 'contacts.list',
      outcome: 'done',
      message: `contacts.list: the response cannot be used: ${reason}.`,
      checkpoint: expect.any(Object),
    });
  });
});

test('arrays that a call returns can be changed and passed on', async () => {
  sandbox.state.contacts.add({ email });
  const contacts = await client.contacts.list();
  const reversed: string[][] = contacts.reverse().map(contact => contact.tags);
  expect(reversed).toEqual([[]]);
  (await client.lists.all().toArray()).sort();
});

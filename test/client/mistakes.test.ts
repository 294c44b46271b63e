// Mistakes that the service accepts in silence, or that JavaScript reports by an obscure error: the client explains them.
import { beforeEach, describe, expect, test } from 'vitest';
import { EmailMarketingClient, parseDkimConfig } from '../../src/index.ts';
import { createSandbox, type Sandbox } from '../../src/testing/index.ts';
import { identifyBody } from '../support/specified-fields.ts';
import { errorOf } from './support.ts';

let sandbox: Sandbox;
let client: EmailMarketingClient;
beforeEach(() => {
  sandbox = createSandbox();
  client = new EmailMarketingClient({ ...sandbox.clientOptions, logLevel: 'off', maxRetries: 0 });
});

/** Returns the message of a call that is refused before anything is sent. */
async function refusalOf(call: Promise<unknown>): Promise<string> {
  const error = await errorOf(call);
  expect(error).toMatchObject({ name: 'InvalidRequestError', outcome: 'not-sent' });
  expect(sandbox.requests).toEqual([]);
  return error.message;
}

const email = 'ada@example.com';
const suffix = 'm2AKq8Zt0LpX3vB6nR9sWe';

describe('an id in place of a name', () => {
  const isTag = 'this is a tag id, but the legacy interface takes names';

  test('of a tag is refused by identify and track', async () => {
    const id = `tag_${suffix}`;
    const at = (field: string, index: number) =>
      `${field} must be tag names: ${isTag} (got "${id}" at index ${index})`;
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
    expect(message).toBe(
      `legacy.identify: customFields.${id} must be keyed by the name of the field: this is its id (got string)`,
    );
  });

  test('is refused only if it has the documented form', async () => {
    const tags = ['tag_of_honour', `tag_${suffix}x`, `list_${suffix}`, suffix];
    const customFields = { field_of_study: 'x', [`field_${suffix}x`]: 'y', custom_field_: 'z' };
    const { data } = await client.legacy.identify({ email, tags, customFields });
    expect(data).toMatchObject({ tags, customFields });
    await client.events.record({ name: 'e', identifier: email, data: { [`field_${suffix}`]: 'x' } });
    await client.legacy.track({ email, removeTags: ['tag_of_honour'] });
  });
});

test('white space around the name of a tag is refused, which would make another tag', async () => {
  const refused = (field: string, received: string) =>
    `${field} must be without white space at either end (got ${received})`;
  expect(await refusalOf(client.tags.create({ name: 'vip\n' }))).toBe(
    `tags.create: ${refused('name', '"vip\\n"')}`,
  );
  expect(await refusalOf(client.legacy.identify({ email, tags: ['vip', ' vip'] }))).toBe(
    `legacy.identify: ${refused('tags', '" vip" at index 1')}`,
  );
  expect(await refusalOf(client.legacy.track({ email, addTags: ['\u00a0vip'], removeTags: [' '] }))).toBe(
    `legacy.track: ${refused('addTags', '"\u00a0vip" at index 0')}; ${refused('removeTags', '" " at index 0')}`,
  );
});

describe('the error says what to write instead of', () => {
  const identify = (fields: object) => client.legacy.identify({ email, ...fields });
  const domain = (name: string): [string, () => Promise<unknown>, string] => [
    `a domain of the name ${name}`,
    () => client.domains.create({ name }),
    `domains.create: name must be a domain name: a non-empty string without https://, path, port, @ and white space (got "${name}")`,
  ];

  test.each<[string, () => Promise<unknown>, string]>([
    ...['https://x.test', 'x.test/', 'x.test:443', 'ada@x.test'].map(domain),
    [
      'options in place of the query',
      () => client.lists.list({ timeout: 5 } as never),
      'lists.list: unknown field "timeout": pass options in the second argument',
    ],
    [
      'options of an iteration in place of the filter',
      async () => client.contacts.all({ pageSize: 5, onProgress: () => {} } as never),
      'contacts.all: pageSize must be in the second argument (got a value); onProgress must be in the second argument (got a value)',
    ],
    ...(
      [
        ['tags.create', 'name', () => client.tags.create('vip' as never)],
        ['legacy.identify', 'email', () => client.legacy.identify('vip' as never)],
        ['contacts.list', 'search', () => client.contacts.list('vip' as never)],
      ] as const
    ).map(([name, field, call]): [string, () => Promise<unknown>, string] => [
      `a text in place of an object, in ${name}`,
      call,
      `${name}: input must be an object, such as { ${field} } (got "vip")`,
    ]),
    [
      'an email with white space around it',
      () => identify({ email: `${email}\n`, newEmail: ` ${email}` }),
      `legacy.identify: email must be an email address, without white space around it (got "${email}\\n"); newEmail must be an email address, without white space around it (got " ${email}")`,
    ],
    [
      'an email to find with white space around it',
      () => client.contacts.findByEmail('u@b.co '),
      'contacts.findByEmail: email must be an email address, without white space around it (got "u@b.co ")',
    ],
    [
      'a header that no request can hold',
      () => client.senders.list({ headers: { 'x-name': 'party 🎉 now' } }),
      'senders.list: headers.x-name must be a valid header name and value, without "🎉" (got string)',
    ],
    [
      'a domain passed as its dkimConfig',
      async () => parseDkimConfig({ name: 'x' } as never),
      'parseDkimConfig: dkimConfig must be the JSON text of an object (got undefined)',
    ],
  ])('%s', async (_, call, message) => {
    expect(await refusalOf(call())).toBe(message);
  });
});

const consent = 'the API can neither unsubscribe or block a contact, nor change its lists';
/** What may mean anything: a custom field would stay for ever. */
const anything = `known fields: ${Object.keys(identifyBody).join(', ').replaceAll('?', '')}`;

test.each([
  ...['unsubscribed', 'optedOut', 'opt_in', 'status', 'lists', 'listIds', 'blocked'].map(name => [
    name,
    consent,
  ]),
  ['fname', 'did you mean "firstName"?'],
  ['first', 'did you mean "firstName"?'],
  ['surname', 'did you mean "lastName"?'],
  ['dob', 'did you mean "birthday"?'],
  ['organization', 'did you mean "company"?'],
  ['addTags', 'did you mean "tags"?'],
  ['emailAddress', 'did you mean "email"?'],
  ['E-Mail Address', 'did you mean "email"?'],
  ...['name', 'userId', 'traits', 'attributes', 'plan'].map(name => [name, anything]),
])('identify refuses the field %s: %s', async (name = '', advice) => {
  expect(await refusalOf(client.legacy.identify({ email, [name]: 'x' }))).toBe(
    `legacy.identify: unknown field "${name}"; ${advice}`,
  );
});

test('a method that was detached from its resource says how to call it', () => {
  expect(() => ['vip'].map(client.tags.create as never)).toThrow(
    'call it as a method of the client itself: client.tags.create(…)',
  );
});

test.each<[unknown, string]>([
  [{}, 'object'],
  [null, ''],
  [[{ email }], 'one without'],
  [[{ id: 'contact_1' }, null], 'null in it'],
])(
  "with validation 'off', an iteration over the page %j ends with an error of the library",
  async (body, type) => {
    sandbox.on('GET /contact', () => ({ body }));
    const result = client.withOptions({ validation: 'off' }).contacts.all().toArray();
    if (body === null) return expect(await result).toEqual([]);
    await expect(result).rejects.toMatchObject({
      name: 'InvalidResponseError',
      operation: 'contacts.list',
      outcome: 'done',
      message: `contacts.list: the response cannot be used: expected an array of records with ids, got ${type}.`,
      checkpoint: expect.any(String),
    });
  },
);

test.each([
  ['https://x.test/api', undefined, 404, [true, true]],
  ['https://x.test/v2/api/', undefined, 404, [true, true]],
  ['https://x.test', 'https://x.test/api', 404, [false, true]],
  ['https://x.test', undefined, 404, [false, false]],
  ['https://api.x.test/v1api', undefined, 404, [false, false]],
  ['https://x.test/api', undefined, 403, [false, false]],
])(
  'with the base URL %s (of the legacy interface: %s), a %i of a REST and a legacy call is blamed on /api: %j',
  async (baseUrl, legacyBaseUrl, status, blamed) => {
    const fetch = async () => new Response('404 page not found', { status });
    const legacy = legacyBaseUrl === undefined ? {} : { legacyBaseUrl };
    const options = { baseUrl, ...legacy, apiKey: 'key', teamId: 'team', fetch, maxRetries: 0 };
    const client = new EmailMarketingClient(options);
    const calls: Promise<unknown>[] = [client.senders.list(), client.legacy.identify({ email })];
    const messages = await Promise.all(calls.map(async call => (await errorOf(call)).message));
    const advice = 'If every call gets a 404, take /api off the end of the base URL: the library adds it.';
    expect(messages.map(message => message.includes(advice))).toEqual(blamed);
  },
);

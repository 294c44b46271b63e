// Inputs of calls: what is sent as passed, and what is rejected before anything is sent.
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EmailMarketingClient, increment, type OperationName } from '../../src/index.ts';
import { listingsInPages, rows } from '../endpoints.ts';
import { createBody } from '../support/specified-fields.ts';
import { suffix } from '../support/specified-records.ts';
import { makeClient, respond, useTestService } from '../support/test-service.ts';
import { failureOf } from './support.ts';

useTestService();

type Call = (client: EmailMarketingClient) => Promise<unknown>;

/** Checks that a call is rejected before anything is sent, because of one field. */
async function expectRejection(call: Call, path: string, expected: RegExp, inMessage = expected) {
  expect(await failureOf(call(makeClient()))).toMatchObject({
    name: 'InvalidRequestError',
    outcome: 'not-sent',
    attempts: [],
    operation: expect.any(String),
    issues: [{ path, expected: expect.stringMatching(expected) }],
    message: expect.stringMatching(inMessage),
  });
}

/** Calls an operation by its name, which only a caller without types can do. */
function invoke(client: EmailMarketingClient, operation: OperationName, input: unknown): Promise<unknown> {
  const [resource = '', method = ''] = operation.split('.');
  const methods: Record<string, Record<string, (input: unknown) => Promise<unknown>>> = untyped(client);
  const called = methods[resource]?.[method]?.(input);
  if (called === undefined) throw new Error(`The client has no method ${operation}`);
  return called;
}

/** Passes a value that only a caller without types can pass. */
const untyped = (value: unknown) => value as never;

describe('identifiers', () => {
  const takers = rows.flatMap(({ name, method, path, fields }) => {
    const [, kind] = /\((\w+)_\)/.exec(fields.identifier ?? '') ?? [];
    return kind === undefined ? [] : [{ name, kind, endpoint: `${method} ${path}` }];
  });

  const kinds = [...new Set(takers.map(({ kind }) => kind)), 'contact', 'domain', 'post_category', 'sender'];

  describe.each(takers)('of $name', ({ name, kind, endpoint }) => {
    test.each([`${kind}_${suffix}`, suffix])('are sent as passed: %s', async id => {
      const seen = respond(endpoint.replace('{identifier}', id), { body: { id: 'x' } });
      await invoke(makeClient(), name, id);
      expect(seen).toHaveLength(1);
    });

    test('are rejected if they belong to another kind', async () => {
      for (const other of kinds.filter(one => one !== kind))
        await expectRejection(
          client => invoke(client, name, `${other}_${suffix}`),
          '',
          new RegExp(`^a ${kind} id `),
          new RegExp(`a ${kind} id .*${other}_`),
        );
    });
  });

  test.each<[string, unknown]>([
    ['nothing', ''],
    ['21 characters', suffix.slice(1)],
    ['23 characters', `${suffix}a`],
    ['its prefix and 65 characters', `tag_${'x'.repeat(65)}`],
    ['its prefix only', 'tag_'],
    ['a slash', `${suffix.slice(1)}/`],
    ['a way up', `../${suffix}`],
    ['a letter beyond ASCII', `${suffix.slice(1)}é`],
    ['a line break at its end', `${suffix}\n`],
    ['nothing at all', undefined],
    ['a list', [suffix]],
  ])('are rejected if they are %s: %o', async (_, id) => {
    const expected = /^a tag id \(tag_ and 22 letters or digits\)$/;
    await expectRejection(client => client.tags.delete(untyped(id)), '', expected, /a tag id/);
  });

  test.each(['tag_504', `tag_${'-_aZ9'.repeat(12)}abcd`])(
    'are sent if they have their prefix and 1 to 64 letters, digits, hyphens and underscores: %s',
    async id => {
      const seen = respond(`DELETE /api/v1/rest/tag/${id}`, { body: { status: 'success', message: 'm' } });
      await makeClient().tags.delete(id);
      expect(seen).toHaveLength(1);
    },
  );
});

describe('paging', () => {
  const wrong = [0, 1.5, untyped('10'), untyped(null)];

  test.each(listingsInPages)(
    'of $resource sends a limit from 1 to the maximum, and rejects others',
    async ({ resource, endpoint, maxLimit: most }) => {
      const seen = respond(endpoint, { body: [] });
      for (const limit of [1, most]) await makeClient()[resource].list({ limit });
      expect(seen.map(({ query }) => query)).toEqual(['?limit=1', `?limit=${most}`]);
      for (const limit of [...wrong, most + 1])
        await expectRejection(
          client => client[resource].list({ limit }),
          'limit',
          new RegExp(`a whole number from 1 to ${most}\\b`),
        );
    },
  );

  test.each([-1, 0.5, 2 ** 53, untyped('0')])('rejects offset %o', async offset => {
    await expectRejection(client => client.contacts.list({ offset }), 'offset', /a whole number from 0/);
  });
});

describe('bodies', () => {
  const creators = rows.filter(({ fields }) => fields.body === createBody);

  test.each(creators)('of $name require a name', async ({ name: operation }) => {
    for (const name of ['', undefined, null, 7, {}])
      await expectRejection(
        client => invoke(client, operation, { name }),
        'name',
        /a non-empty string|a domain name/,
      );
    for (const params of [undefined, null, 'vip', []])
      await expectRejection(client => invoke(client, operation, params), '', /an object/);
  });

  // NUL, a line break of Latin-1, two characters that reverse the direction of text, and three without a width.
  test.each([
    ...['a\0@x.test', 'a\u0085@x.test', 'a@\u202ex.test', 'a@x.test\u2066'],
    ...['a@x\u200b.test', 'a\u00adb@x.test', 'a@x\u034f.test', 'a@x.test\ud800'],
  ])(
    'are rejected with invisible characters in the email %j, whose controls the error does not repeat',
    async email => {
      const expected = /an email address/;
      await expectRejection(client => client.legacy.identify({ email }), 'email', expected);
      await expectRejection(client => client.legacy.track({ email, addTags: ['a'] }), 'email', expected);
      const error = await failureOf(makeClient().legacy.identify({ email: 'a@x.test', newEmail: email }));
      expect(error).toMatchObject({ issues: [{ path: 'newEmail' }] });
      expect((error as Error).message).not.toMatch(/[\p{Cc}\u202e\u2066]/u);
      await expectRejection(
        client => client.events.record({ name: 'paid', identifier: email, data: {} }),
        'identifier',
        /an email address/,
      );
    },
  );

  test.each([
    "o'brien+x@sub.example.co.uk",
    'jürgen@müller.de',
    'ju\u0308rgen@mu\u0308ller.de',
    '"quoted"@example.com',
    'x@localhost',
    '.a..b.@example.com',
    'a/b=c!#$%&*?^`{|}~@x_y.example.com',
    '用户@例子.中国',
    'a@i❤.ws',
  ])('accept the email %s', async email => {
    const seen = respond('POST /api/v1/contact/identify', { body: { status: 'success', data: {} } });
    await makeClient().legacy.identify({ email, newEmail: email });
    expect(seen.map(({ body }) => JSON.parse(body))).toEqual([{ email, newEmail: email }]);
  });

  test.each([
    ...['a', 'a@', '@b', 'a b@x.test', 'a@b@example.com', '""@x.test', undefined],
    ...['ada,bob@x.test', 'ada;bob@x.test', 'mailto:cy@x.test', '<a@x.test', 'a>b@x.test', 'a(b@x.test'],
    ...['ada@example,com', 'a@b..c', 'a@.b', 'a@b.', 'a@b>', "a@b'", 'a@b;', 'a@b/c'],
  ])('are rejected with the email %o', async value => {
    const email = untyped(value);
    await expectRejection(client => client.legacy.identify({ email }), 'email', /email address/);
    await expectRejection(client => client.legacy.track({ email, addTags: [] }), 'email', /email address/);
  });

  test.each(['1990-02-30', '1990-2-3', '1990-01-01T00:00:00Z', ' '])(
    'are rejected with the birthday %o',
    async birthday => {
      const params = { email: 'a@x.test', birthday };
      await expectRejection(client => client.legacy.identify(params), 'birthday', /a day that exists/);
    },
  );

  test.each([null, '', undefined])('of identify hold no optional field that is %j', async nothing => {
    const seen = respond('POST /api/v1/contact/identify', { body: { status: 'success', data: {} } });
    const input = { newEmail: nothing, firstName: nothing, lastName: nothing, company: nothing };
    const lists = { birthday: nothing, tags: untyped(nothing), customFields: untyped(nothing) };
    await makeClient().legacy.identify({ email: 'a@x.test', ...input, ...lists });
    expect(seen.map(({ body }) => body)).toEqual(['{"email":"a@x.test"}']);
  });

  test.each<[object, boolean]>([
    [{ newEmail: null }, true],
    [{ newEmail: '' }, true],
    [{ customFields: { n: '5', m: -5, o: '+-1' }, tags: ['++1'] }, true],
    [{ customFields: { a: 'x', n: '--5' } }, false],
    // A service could ignore the space.
    [{ customFields: { n: ' ++5' } }, false],
  ])(
    'of identify are idempotent unless they count or change the email: %o, %o',
    async (fields, retryable) => {
      respond('POST /api/v1/contact/identify', { status: 502, body: '' });
      const error = await failureOf(makeClient().legacy.identify({ email: 'a@x.test', ...fields }));
      expect(error).toMatchObject({ outcome: 'unknown', retryable });
    },
  );

  test('keep empty strings in custom fields and event data, and leave out null and undefined', async () => {
    const values = { plan: '', points: null, visits: undefined, rank: 7 };
    const identified = respond('POST /api/v1/contact/identify', { body: { data: {} } });
    await makeClient().legacy.identify({ email: 'a@x.test', customFields: values });
    expect(identified[0]?.body).toBe('{"email":"a@x.test","customFields":{"plan":"","rank":"7"}}');
    const recorded = respond('POST /api/v1/rest/events/custom', { body: {} });
    await makeClient().events.record({ name: 'e', identifier: 'a@x.test', data: values });
    expect(JSON.parse(recorded[0]?.body ?? '').data).toEqual({ plan: '', rank: '7' });
  });
});

describe('events.record', () => {
  const record =
    (more: object): Call =>
    client =>
      client.events.record(untyped({ name: 'e', identifier: `contact_${suffix}`, ...more }));

  test.each([
    ['a Date', new Date('2025-12-22T09:04:10.999Z'), 1766394250],
    ['a Date of another realm', runInNewContext("new Date('2025-12-22T09:04:10.999Z')"), 1766394250],
    ['seconds', 1766394250, 1766394250],
    ['a time before 1970', -1, -1],
    ['a Date before 1970', new Date('1969-12-31T23:59:58.500Z'), -2],
  ])('sends %s as whole Unix seconds', async (_, time, sent) => {
    const seen = respond('POST /api/v1/rest/events/custom', { body: {} });
    await record({ time })(makeClient());
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ time: sent });
  });

  test.each([
    ['milliseconds', 1766394250613],
    ['milliseconds before 1970', -1766394250613],
    ['a fraction', 1766394250.5],
    ['no date', new Date('never')],
    ['text', '2025-12-22'],
  ])('rejects a time that is %s', async (_, time) => {
    await expectRejection(record({ time }), 'time', /Unix seconds/);
  });

  test.each([`contact_${suffix}`, 'contact_x-1_Y', 'a@x.test', suffix, '任意@x.test'])(
    'sends the identifier %s as passed',
    async identifier => {
      const seen = respond('POST /api/v1/rest/events/custom', { body: {} });
      await record({ identifier })(makeClient());
      expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ name: 'e', identifier, data: {} });
    },
  );

  test.each(['contact_', 'Ada Lovelace', ' a@x.test', `post_tag_${suffix}`, 'domain_504'])(
    'rejects the identifier %j',
    async identifier => {
      const expected = 'a contact id (contact_ and 22 letters or digits) or an email address';
      const issues = [{ path: 'identifier', expected, received: JSON.stringify(identifier) }];
      expect(await failureOf(record({ identifier })(makeClient()))).toMatchObject({ issues });
    },
  );
});

const identify = (fields: object) => (client: EmailMarketingClient) =>
  client.legacy.identify(untyped({ email: 'a@x.test', ...fields }));
const recordData = (data: unknown) => (client: EmailMarketingClient) =>
  client.events.record({ name: 'e', identifier: 'a@x.test', data: untyped(data) });
const json = (text: string) => JSON.parse(text) as object;

test.each<[Call, path: string, expected: RegExp, inMessage?: RegExp]>([
  [recordData(new Map()), 'data', /a plain object of strings/],
  [recordData([]), 'data', /a plain object of strings/],
  [
    client => client.tags.create(untyped(json('{"name":"a","__proto__":"b"}'))),
    '__proto__',
    /left out/,
    /: Unknown field "__proto__"\. Known names: name\.$/,
  ],
  [identify(json('{"customFields":{"a":"b","__proto__":"c"}}')), 'customFields.__proto__', /left out/],
  [recordData(json('{"__proto__":"c"}')), 'data.__proto__', /left out/],
  // An option that may be absent says so if `null` comes, and a field that must be there does not.
  [client => client.contacts.list({ limit: untyped(null) }), 'limit', /, or left out$/, /got null/],
  [identify({ email: null }), 'email', /^an email address$/, /got null/],
  [client => client.senders.list({ timeout: untyped(null) }), 'timeout', /, or left out$/, /got null/],
])('an input is rejected before it is sent: %s, because of %s', (call, field, expected, inMessage) =>
  expectRejection(call, field, expected, inMessage),
);

describe('the length of a search is counted in characters, not in UTF-16 units', () => {
  test.each([
    ['lists', [2, 100], [0, 1, 101]],
    ['contacts', [2, 255], [1, 256]],
  ] as const)('%s accept %j emoji and reject %j', async (resource, valid, invalid) => {
    const search = (count: number) => (client: EmailMarketingClient) =>
      client[resource].list({ search: '🙂'.repeat(count) });
    const seen = respond(`GET /api/v1/rest/${resource.slice(0, -1)}`, { body: [] });
    for (const count of valid) await search(count)(makeClient({ onDrift: () => {} }));
    expect(seen).toHaveLength(2);
    for (const count of invalid) await expectRejection(search(count), 'search', /characters/);
  });
});

describe('values of event data and custom fields', () => {
  test.each([
    [5, '5'],
    [-0, '0'],
    [2 ** 53 - 1, '9007199254740991'],
    [-1.5e-10, '-0.00000000015'],
    ['++5', '++5'],
  ])('%o is sent as %s', async (value, sent) => {
    const recorded = respond('POST /api/v1/rest/events/custom', { body: {} });
    const identified = respond('POST /api/v1/contact/identify', { body: { data: {} } });
    await recordData({ value })(makeClient());
    await identify({ customFields: { value } })(makeClient());
    expect(JSON.parse(recorded[0]?.body ?? '')).toMatchObject({ data: { value: sent } });
    expect(JSON.parse(identified[0]?.body ?? '')).toMatchObject({ customFields: { value: sent } });
  });

  test('any exact number is sent without an exponent, and reads back as the same number', () => {
    const max = Number.MAX_SAFE_INTEGER;
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -max, max }), number => {
        const amount = increment(Math.abs(number)).slice(2);
        expect(amount).toMatch(/^\d+(\.\d+)?$/);
        expect(Number(amount)).toBe(Math.abs(number));
      }),
    );
  });

  // A number of the size of 2^53 is rounded. The value can be secret, so it is not shown.
  test.each([2 ** 53, -(2 ** 53), 1e21, Number.NaN, Number.NEGATIVE_INFINITY, 5n, true, Symbol('canary')])(
    '%o is rejected, and only its type is shown',
    async value => {
      const expected = /^a string, or a finite number that is exact$/;
      const shown = /\(got (?:number|bigint|boolean|symbol|NaN|-Infinity)\)\.$/;
      await expectRejection(recordData({ value }), 'data.value', expected, shown);
      await expectRejection(identify({ customFields: { value } }), 'customFields.value', expected, shown);
    },
  );
});

test.each<[string, (many: number) => Call]>([
  ['empty tags', many => client => client.legacy.track({ email: 'a@x.test', addTags: Array(many).fill('') })],
  ['tags that are numbers', many => identify({ tags: Array(many).fill(7) })],
  ['values', many => recordData(Object.fromEntries(Array.from({ length: many }, (_, at) => [at, true])))],
])('300 000 wrong %s are rejected with at most 100 issues', async (_, callWith) => {
  const error = await failureOf(callWith(300_000)(makeClient()));
  expect(error).toMatchObject({ name: 'InvalidRequestError', outcome: 'not-sent' });
  expect((error as { issues: unknown[] }).issues.length).toBeLessThanOrEqual(100);
});

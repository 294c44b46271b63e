import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { type EmailMarketingClient, InvalidRequestError, type OperationName } from '../../src/index.ts';
import { rows } from '../operations.ts';
import { createBody } from '../support/specified-fields.ts';
import { suffix } from '../support/specified-records.ts';
import { makeClient, respond, useTestService } from '../support/test-service.ts';
import { failureOf } from './support.ts';

useTestService();

type Call = (client: EmailMarketingClient) => Promise<unknown>;

/** Checks that a call is refused before anything is sent, by one field, with what was expected of it. */
async function expectRefusal(
  call: Call,
  path: string,
  expected: RegExp,
  inMessage: RegExp = expected,
): Promise<void> {
  const error = await failureOf(call(makeClient()));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error).toMatchObject({ outcome: 'not-sent', attempts: [], operation: expect.any(String) });
  const { issues, message } = error as InvalidRequestError;
  expect(issues.map(issue => issue.path)).toEqual([path]);
  expect(issues[0]?.expected).toMatch(expected);
  expect(message).toMatch(inMessage);
}

/** Calls an operation by its name, as a caller without types can. */
function invoke(client: EmailMarketingClient, operation: OperationName, input: unknown): Promise<unknown> {
  const [resource = '', method = ''] = operation.split('.');
  const methods: Record<string, Record<string, (input: unknown) => Promise<unknown>>> = untyped(client);
  const called = methods[resource]?.[method]?.(input);
  if (called === undefined) throw new Error(`The client has no method ${operation}`);
  return called;
}

/** What only a caller without types can write. */
const untyped = (value: unknown) => value as never;

describe('identifiers', () => {
  const takers = rows.flatMap(({ name, method, path, fields }) => {
    const [, kind] = /\((\w+)_\)/.exec(fields.identifier ?? '') ?? [];
    return kind === undefined ? [] : [{ name, kind, endpoint: `${method} ${path}` }];
  });

  const take = (client: EmailMarketingClient, id: string) => client.tags.delete(id);

  describe.each(takers)('of $name', ({ name, kind, endpoint }) => {
    test.each([`${kind}_${suffix}`, suffix, '0'.repeat(22)])('sends %s as given', async id => {
      const seen = respond(endpoint.replace('{identifier}', id), { body: { id: 'x' } });
      await invoke(makeClient(), name, id);
      expect(seen).toHaveLength(1);
    });

    test('refuses the id of any other kind, and names that kind', async () => {
      const kinds = 'domain list tag contact sender post_tag post_category template campaign'.split(' ');
      for (const other of kinds.filter(one => one !== kind))
        await expectRefusal(
          client => invoke(client, name, `${other}_${suffix}`),
          '',
          new RegExp(`^a ${kind} id .*, not the id of a ${other}$`),
          new RegExp(`a ${kind} id .*, not the id of a ${other} `),
        );
    });
  });

  test.each([
    ['nothing', ''],
    ['21 characters', suffix.slice(1)],
    ['23 characters', `${suffix}a`],
    ['only a prefix', 'tag_'],
    ['a prefix twice', `tag_tag_${suffix}`],
    ['a slash', `${suffix.slice(1)}/`],
    ['a way up', `../${suffix}`],
    ['dots', '..'],
    ['a dot', `${suffix.slice(1)}.`],
    ['an encoded slash', `${suffix.slice(3)}%2F`],
    ['a query', `${suffix}?x=1`],
    ['a letter beyond ASCII', `${suffix.slice(1)}é`],
    ['a digit beyond ASCII', `${suffix.slice(1)}٣`],
    ['a line break at its end', `${suffix}\n`],
    ['space around it', ` ${suffix}`],
    ['a property of every object', '__proto__'],
  ])('refuses %s', async (_, id) => {
    await expectRefusal(
      client => take(client, id),
      '',
      /^a tag id \(tag_ and 22 letters or digits\)$/,
      /a tag id/,
    );
  });

  test.each([undefined, null, 7, {}, [suffix], Symbol.iterator])('refuses %o', async value => {
    await expectRefusal(client => take(client, untyped(value)), '', /a tag id/);
  });
});

describe('paging', () => {
  const wrong = [0, 1.5, Number.NaN, Number.POSITIVE_INFINITY, untyped('10'), untyped(null)];

  test.each([
    ['contacts', 'contact', 100],
    ['lists', 'list', 500],
  ] as const)(
    'of %s sends a limit from 1 to the highest, and refuses others',
    async (resource, path, most) => {
      const seen = respond(`GET /api/v1/rest/${path}`, { body: [] });
      for (const limit of [1, most]) await makeClient()[resource].list({ limit });
      expect(seen.map(({ query }) => query)).toEqual(['?limit=1', `?limit=${most}`]);
      for (const limit of [...wrong, most + 1])
        await expectRefusal(
          client => client[resource].list({ limit }),
          'limit',
          new RegExp(`a whole number from 1 to ${most}\\b`),
        );
    },
  );

  test.each([-1, 0.5, 2 ** 53, untyped('0')])('refuses offset %o', async offset => {
    await expectRefusal(client => client.contacts.list({ offset }), 'offset', /a whole number from 0/);
    await expectRefusal(client => client.lists.list({ offset }), 'offset', /a whole number from 0/);
  });
});

describe('bodies', () => {
  const creators = rows.filter(({ fields }) => fields.body === createBody);

  test('four operations create a record by its name', () => {
    expect(creators).toHaveLength(4);
  });

  test.each(creators)('$name requires a name', async ({ name: operation }) => {
    for (const name of ['', undefined, null, 7, {}])
      await expectRefusal(client => invoke(client, operation, { name }), 'name', /a non-empty string/);
    for (const params of [undefined, null, 'vip', []])
      await expectRefusal(client => invoke(client, operation, params), '', /an object/);
  });

  test('names every invalid field at once', async () => {
    const params = untyped({ email: 'no-address', birthday: 'tomorrow', tags: 'vip' });
    const error = await failureOf(makeClient().legacy.identify(params));
    expect((error as InvalidRequestError).issues).toEqual([
      { path: 'email', expected: 'an email address', received: '"no-address"' },
      { path: 'birthday', expected: expect.stringContaining('YYYY-MM-DD'), received: '"tomorrow"' },
      { path: 'tags', expected: expect.stringContaining('an array of non-empty strings'), received: '"vip"' },
    ]);
  });

  test.each(['', 'a', 'a@', '@b', 'a b@x.test', undefined])('refuses email %o', async email => {
    await expectRefusal(
      client => client.legacy.identify({ email: untyped(email) }),
      'email',
      /email address/,
    );
    await expectRefusal(
      client => client.legacy.track({ email: untyped(email), addTags: [] }),
      'email',
      /email address/,
    );
  });

  test.each(['1990-02-30', '1990-2-3', '2023-02-29', '1990-13-01', '03/02/1990', '1990-01-01T00:00:00Z', ''])(
    'refuses birthday %o',
    async birthday => {
      const params = { email: 'a@x.test', birthday };
      await expectRefusal(client => client.legacy.identify(params), 'birthday', /a day that exists/);
    },
  );

  test.each(['2024-02-29', '1900-12-31'])('sends birthday %s', async birthday => {
    const seen = respond('POST /api/v1/contact/identify', { body: {} });
    await makeClient().legacy.identify({ email: 'a@x.test', birthday });
    expect(seen[0]?.body).toBe(`{"email":"a@x.test","birthday":"${birthday}"}`);
  });

  test('refuses event data that is no map', async () => {
    for (const data of [new Map(), new Date(0), [], 'x', null])
      await expectRefusal(
        client => client.events.record({ name: 'e', identifier: 'c', data: untyped(data) }),
        'data',
        /an object of strings/,
      );
  });

  test('refuses `__proto__` among custom fields, and sends names of other members as given', async () => {
    const proto = JSON.parse('{"email":"a@x.test","customFields":{"__proto__":"x"}}');
    await expectRefusal(client => client.legacy.identify(proto), 'customFields.__proto__', /absent/);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
    const seen = respond('POST /api/v1/contact/identify', { body: {} });
    const body = '{"email":"a@x.test","customFields":{"constructor":"y","toString":"z"}}';
    await makeClient().legacy.identify(JSON.parse(body));
    expect(seen[0]?.body).toBe(body);
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
    ['the epoch', 0, 0],
  ])('sends %s as whole Unix seconds', async (_, time, sent) => {
    const seen = respond('POST /api/v1/rest/events/custom', { body: {} });
    await record({ time })(makeClient());
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ time: sent });
  });

  test.each([
    ['milliseconds', 1766394250613],
    ['nanoseconds as a number', 1766394250613907e3],
    ['a fraction', 1766394250.5],
    ['before the epoch', -1],
    ['no date', new Date('never')],
    ['text', '2025-12-22'],
    ['null', null],
  ])('refuses %s', async (_, time) => {
    await expectRefusal(record({ time }), 'time', /Unix seconds/);
  });

  test.each(['contact_x', 'a@x.test', suffix, '任意'])('sends identifier %s as given', async identifier => {
    const seen = respond('POST /api/v1/rest/events/custom', { body: {} });
    await record({ identifier })(makeClient());
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ name: 'e', identifier });
  });

  test('refuses an empty identifier or name', async () => {
    await expectRefusal(record({ identifier: '' }), 'identifier', /contact id or an email/);
    await expectRefusal(record({ name: '' }), 'name', /non-empty/);
  });
});

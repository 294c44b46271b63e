// Each operation: the request that it sends, and the result that it returns. The table of operations, typed out from the
// specification, is compared with docs/service-rules.md in test/docs.
import { describe, expect, test } from 'vitest';
import { calls, listingsInPages, row, rows } from '../operations.ts';
import { legacyUrl, makeClient, respond, restUrl, useTestService } from '../support/test-service.ts';
import { failureOf } from './support.ts';

useTestService();

describe.each(calls)('$title', row => {
  const { call, endpoint, query = '', body = '', response, result = response } = row;
  const legacy = row.authentication === 'api_key';

  test('sends the documented request with the key of its interface, and returns the response', async () => {
    const seen = respond(endpoint, { body: response });
    expect(await call(makeClient())).toEqual(result);
    expect(seen).toEqual([
      {
        method: endpoint.split(' ')[0],
        origin: legacy ? legacyUrl : restUrl,
        path: endpoint.split(' ')[1],
        query,
        headers: expect.any(Headers),
        body,
      },
    ]);
    const headers = Object.fromEntries(seen[0]?.headers ?? []);
    expect(headers).toMatchObject({
      accept: 'application/json',
      ...(legacy ? { api_key: 'legacy-key' } : { 'x-team-apikey': 'rest-key' }),
    });
    expect(headers).not.toHaveProperty(legacy ? 'x-team-apikey' : 'api_key');
    expect(headers['content-type']).toBe(body ? 'application/json' : undefined);
  });
});

test.each(rows.filter(({ fields }) => fields.body))(
  'a call of $name sends each field',
  ({ name, fields }) => {
    const bodies = calls.filter(call => call.name === name).map(({ body = '' }) => body);
    const missing = Object.keys(fields.body ?? {}).filter(
      field => !bodies.some(body => Object.hasOwn(JSON.parse(body), field.replace('?', ''))),
    );
    expect(missing, 'add it to the body and the call in test/operations.ts').toEqual([]);
  },
);

const refusals = rows.flatMap(({ name, invalid }) => (invalid ? [{ name, ...invalid }] : []));

test.each(refusals)(
  '$name refuses an invalid input by its field and sends nothing',
  async ({ name, call, path }) => {
    expect(await failureOf(call(makeClient()))).toMatchObject({
      name: 'InvalidRequestError',
      operation: name,
      outcome: 'not-sent',
      attempts: [],
      issues: [{ path }],
    });
  },
);

test.each(listingsInPages)(
  '$resource.list sends no query without an input',
  async ({ resource, endpoint }) => {
    const names = Object.keys(row(`${resource}.list`).fields.query ?? {});
    const unset = Object.fromEntries(names.map(name => [name, undefined]));
    const seen = respond(endpoint, { body: [] });
    for (const query of [undefined, {}, unset]) expect(await makeClient()[resource].list(query)).toEqual([]);
    expect(seen.map(({ query }) => query)).toEqual(['', '', '']);
  },
);

test('leaves undefined fields out of the body', async () => {
  const identify = respond('POST /api/v1/contact/identify', { body: { status: '200', message: '' } });
  const track = respond('POST /api/v1/contact/track', { body: { status: '200', message: '' } });
  const event = respond('POST /api/v1/rest/events/custom', { body: {} });
  const client = makeClient();
  await client.legacy.identify({ email: 'a@x.test', firstName: undefined, tags: undefined });
  await client.legacy.track({ email: 'a@x.test', addTags: ['a'], removeTags: undefined });
  await client.events.record({ name: 'e', identifier: 'a@x.test', time: undefined });
  expect(identify[0]?.body).toBe('{"email":"a@x.test"}');
  expect(track[0]?.body).toBe('{"addTags":["a"],"removeTags":[]}');
  expect(event[0]?.body).toBe('{"name":"e","identifier":"a@x.test"}');
});

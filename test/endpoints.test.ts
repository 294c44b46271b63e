// Every operation of the client against MSW mocks of every endpoint, which `endpoints.ts` types out from the specification:
// the request that it sends, the result that it returns, and each error that is documented for it. What a failure means
// for each status is in `client/status-meaning.test.ts`.
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EmailMarketingClient } from '../src/index.ts';
import { calls, errorBodies, listingsInPages, rows } from './endpoints.ts';
import { type DocumentedError, type NamedRow, responseText } from './support/operation-row.ts';

const hosts = { 'X-Team-ApiKey': 'https://api.example.com', api_key: 'https://app.example.com' };

const client = new EmailMarketingClient({
  baseUrl: hosts['X-Team-ApiKey'],
  apiKey: 'rest-key',
  legacyBaseUrl: hosts.api_key,
  legacyApiKey: 'legacy-key',
  teamId: 'team-7',
  maxRetries: 0,
});

/** Headers that the client sets. The runtime adds others, such as `host`. */
const ownHeaders = ['accept', 'api_key', 'content-type', 'user-agent', 'x-team-apikey'];

const common = { accept: 'application/json', 'user-agent': 'email-marketing-client/development' };

/** Headers of a request of each interface. */
const sentHeaders = {
  'X-Team-ApiKey': { ...common, 'x-team-apikey': 'rest-key' },
  api_key: { ...common, api_key: 'legacy-key' },
};

/** The requests that arrived, as method, URL, headers and body. */
const received: object[] = [];

/** Mocks the endpoint of an operation. */
const mock = ({ method, authentication, endpoint }: NamedRow, body: string, status = 200) =>
  http[method === 'GET' ? 'get' : method === 'POST' ? 'post' : 'delete'](
    hosts[authentication] + endpoint.slice(method.length + 1),
    async ({ request }) => {
      const headers = Object.fromEntries([...request.headers].filter(([name]) => ownHeaders.includes(name)));
      received.push({ method: request.method, url: request.url, headers, body: await request.text() });
      return new HttpResponse(body, { status, headers: { 'content-type': 'application/json' } });
    },
  );

const server = setupServer(...rows.map(row => mock(row, responseText(row))));

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
beforeEach(() => {
  received.length = 0;
  server.resetHandlers();
});
afterAll(() => server.close());

describe.each(calls)('$title', row => {
  const { call, method, endpoint, authentication, query = '', body = '', response } = row;

  test(`sends ${endpoint}${query} ${body}, and returns the response`, async () => {
    expect(await call(client)).toEqual(row.result ?? response);
    const path = endpoint.slice(method.length + 1);
    const headers = { ...sentHeaders[authentication], ...(body && { 'content-type': 'application/json' }) };
    expect(received).toEqual([{ method, url: hosts[authentication] + path + query, headers, body }]);
  });
});

/** What each documented error becomes. */
const errors: Record<DocumentedError, object> = {
  wrongKey: { name: 'AuthenticationError', outcome: 'refused', scope: 'account', retryable: true },
  nameUsed: { name: 'ConflictError', outcome: 'refused', scope: 'call', retryable: false },
  malformedBody: { name: 'BadRequestError', outcome: 'refused', scope: 'call', retryable: false },
  notFound: { name: 'NotFoundError', outcome: 'refused', scope: 'call', retryable: false },
  serverFailure: { name: 'ServerError', outcome: 'unknown', scope: 'call' },
};

const documented = rows.flatMap(row => row.errors.map(error => ({ row, name: row.name, error })));

// Which HTTP status comes with an error is not documented.
test.each(documented)('$name rejects with the documented error $error', async ({ row, name, error }) => {
  const body = errorBodies[error];
  server.use(mock(row, JSON.stringify(body), 400));
  const { error: thrown } = await row.call(client).safe();
  expect(thrown).toMatchObject({ ...errors[error], operation: name, body, attempts: [{ status: 400 }] });
  // The service may have acted.
  if (error === 'serverFailure') expect(thrown?.retryable).toBe(row.retriedAfterUnknown);
});

test.each(rows.filter(({ fields }) => fields.body))('a call of $name sends each field', row => {
  const bodies = calls.filter(({ name }) => name === row.name).map(({ body = '' }) => body);
  const missing = Object.keys(row.fields.body ?? {}).filter(
    field => !bodies.some(body => Object.hasOwn(JSON.parse(body), field.replace('?', ''))),
  );
  expect(missing, 'add it to the body and the call in test/endpoints.ts').toEqual([]);
});

test.each(listingsInPages)('$resource.list sends no query without an input', async ({ resource }) => {
  for (const query of [undefined, {}, { offset: undefined, limit: undefined, search: undefined }])
    await client[resource].list(query);
  for (const { url } of received as { url: string }[]) expect(new URL(url).search).toBe('');
  expect(received).toHaveLength(3);
});

test('leaves fields that are undefined out of the body', async () => {
  const person = { email: 'a@x.test' };
  await client.legacy.identify({ ...person, firstName: undefined, tags: undefined });
  await client.legacy.track({ ...person, addTags: ['a'], removeTags: undefined });
  await client.events.record({ name: 'e', identifier: person.email, time: undefined });
  expect(received).toMatchObject([
    { body: '{"email":"a@x.test"}' },
    { body: '{"addTags":["a"],"removeTags":[]}' },
    { body: '{"name":"e","identifier":"a@x.test","data":{}}' },
  ]);
});

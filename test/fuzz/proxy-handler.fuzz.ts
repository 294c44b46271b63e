// Sends random requests to the proxy's handler.
import fc from 'fast-check';
import { EmailMarketingClient } from '../../src/index.ts';
import { createProxyHandler } from '../../src/proxy/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { fuzz } from './fuzz.ts';

const secrets = ['key-that-must-stay-on-the-server', 'team-that-must-stay-too'] as const;
const [apiKey, teamId] = secrets;
const { fetch } = createSandbox({ apiKey, teamId, seed: { contacts: 3, lists: 2, tags: 2 } });
const baseUrl = 'https://service.test';
const client = new EmailMarketingClient({ baseUrl, apiKey, teamId, fetch, logLevel: 'off' });
const operations = [
  'legacy.identify',
  'legacy.track',
  'contacts.list',
  'tags.create',
  'events.record',
] as const;
const failures: unknown[] = [];
const handler = createProxyHandler(client, {
  allow: [...operations, 'tags.delete', 'lists.list'],
  authorize: 'public',
  allowedHosts: ['app.test'],
  onError: error => failures.push(error),
});

const fields = 'email newEmail tags customFields name limit identifier __proto__'.split(' ');
const field = fc.constantFrom(...fields);
const value = fc.oneof(
  fc.constantFrom('ada@example.com', '++5', 'list_1234567890123456789012', null, 5, -1, 1e308),
  fc.jsonValue(),
  fc.array(fc.string(), { maxLength: 300 }),
);
const input = fc.oneof(
  value,
  fc
    .array(fc.tuple(field, value))
    .map(members => `{${members.map(([key, member]) => `"${key}":${JSON.stringify(member)}`).join()}}`),
);
const operation = fc.oneof(
  fc.constantFrom<string>(...operations, 'tags.delete', 'lists.list', 'request', 'constructor'),
  fc.string(),
);
/** An input in which one field is deeply nested, or any JSON. */
const nestedInput = fc
  .tuple(
    field,
    fc.oneof(
      fc.nat({ max: 30_000 }).map(depth => '['.repeat(depth) + ']'.repeat(depth) || 'null'),
      fc.json(),
    ),
  )
  .map(
    ([member, text]) =>
      `{"operation":"legacy.identify","input":{"email":"ada@example.com","${member}":${text}}}`,
  );
const body = fc.oneof(
  { weight: 1, arbitrary: nestedInput },
  {
    weight: 5,
    arbitrary: fc
      .tuple(operation, input)
      .map(
        ([each, given]) =>
          `{"operation":${JSON.stringify(each)},"input":${typeof given === 'string' ? given : JSON.stringify(given)}}`,
      ),
  },
  { weight: 1, arbitrary: fc.oneof(fc.string({ unit: 'binary' }), fc.json()) },
);
const headers = fc.record(
  {
    'x-call-id': fc.constantFrom('0'.repeat(32), '1'.repeat(32), 'f'.repeat(32), 'x', ''),
    'x-call-retry': fc.constantFrom('1', '0', 'yes'),
    cookie: fc.constantFrom('session=ada', 'session=eve'),
    origin: fc.constantFrom('https://app.test', 'https://evil.test', 'null', 'x'),
    host: fc.constantFrom('app.test', 'evil.test', 'app.test:80', '///', 'a:b@c'),
  },
  { requiredKeys: [] },
);

/** Maximum length of a response to a body of 64 kB, in characters. */
const maxResponse = 200_000;
const statuses = [200, 400, 403, 404, 409, 422];

/** Every request gets a response: none is a failure of the server, shows a secret or is large. */
const property = fc.asyncProperty(body, headers, async (text, sentHeaders) => {
  const request = new Request('https://app.test/api', {
    method: 'POST',
    body: text,
    headers: { 'content-type': 'application/json', ...sentHeaders },
  });
  const response = await handler(request);
  const received = await response.text();
  if (!statuses.includes(response.status)) throw new Error(`status ${response.status}: ${received}`);
  if (secrets.some(secret => received.includes(secret)))
    throw new Error(`The response shows a secret: ${received}`);
  if (received.length > maxResponse) throw new Error(`The response is large: ${received.length}`);
  if (failures.length > 0) throw failures[0];
});

fuzz('requests to the proxy handler', property);

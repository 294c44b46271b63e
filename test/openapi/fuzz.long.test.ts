import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../../docs/scripts/json-schema.ts';
import { createSandbox, type Sandbox } from '../../src/testing/index.ts';
import { type PublishedOperation, published, responseSchema, schemaChecks } from './published.ts';

const { document, operations, resolve } = published();
const check = schemaChecks(document);

const words = 'a ada vip __proto__ constructor é ++5 --2.5 %00 ../x'.split(' ');
const word = fc.constantFrom(...words, ' ', '', '\u0000');
const addresses = 'person1@example.com PERSON2@example.com a+b@x.test new@x.test a@b @'.split(' ');
const emails = fc.constantFrom(...addresses);

/** Bounds of a schema. */
type Bounds = Partial<Record<'minimum' | 'maximum' | 'minLength' | 'maxLength', number>>;

/** Values that are valid by a schema, unusual ones among them. */
function valid(schema: Schema): fc.Arbitrary<unknown> {
  const resolved = resolve(schema);
  const { minimum = -1e15, maximum = 1e15, minLength = 0, maxLength = 300 } = resolved as Bounds;
  const { type, properties = {}, items, pattern, format } = resolved;
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern));
  if (format === 'email') return emails;
  if (format === 'date') return fc.date({ noInvalidDate: true }).map(date => date.toISOString().slice(0, 10));
  if (type === 'string')
    return fc.oneof(
      fc.domain(),
      word.filter(text => text.length >= minLength),
      fc.string({ minLength, maxLength, unit: 'binary' }),
    );
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum });
  if (type === 'array') return fc.array(valid(items as Schema), { maxLength: 4 });
  if (Object.keys(properties).length === 0) return fc.dictionary(word, word);
  const fields = Object.entries(properties).map(([name, field]) => [name, valid(field)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: resolved.required ?? [] });
}

/** The same values, and some that are not valid. */
const mostlyValid = (value: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 4, arbitrary: value },
    fc.jsonValue(),
    fc.constantFrom(null, '', -1, [], {}, Number.MAX_VALUE, '{'),
  );

/** A request of an operation. */
interface RandomRequest {
  readonly identifier: string;
  readonly query: readonly (readonly [string, string])[];
  readonly body: string | undefined;
  readonly authorized: boolean;
}

function requestsOf(
  { parameters = [], requestBody }: PublishedOperation,
  ids: readonly string[],
): fc.Arbitrary<RandomRequest> {
  const body = requestBody?.content['application/json']?.schema;
  // `send` adds the team id.
  const inQuery = parameters.filter(({ in: place, name }) => place === 'query' && name !== 'team_id');
  const values = inQuery.map(({ name, schema }) =>
    mostlyValid(valid(schema)).map(value => [name, String(value)] as const),
  );
  const inPath = parameters.find(parameter => parameter.in === 'path');
  const [, prefix] = /\((\w+)\)/.exec(String(inPath?.schema.pattern)) ?? [];
  const known = fc.constantFrom(...ids.filter(id => prefix === undefined || id.startsWith(prefix)));
  return fc.record({
    identifier: fc.oneof(
      { weight: 3, arbitrary: known },
      fc.constantFrom(...ids),
      word,
      fc.string({ minLength: 1 }),
    ),
    query: fc.tuple(...values).chain(all => fc.subarray(all)),
    body:
      body === undefined
        ? fc.constant(undefined)
        : mostlyValid(valid(body)).map(value => JSON.stringify(value)),
    authorized: fc.nat(9).map(number => number > 0),
  });
}

function send(sandbox: Sandbox, method: string, path: string, request: RandomRequest): Promise<Response> {
  const query = new URLSearchParams([...request.query.map(pair => [...pair]), ['team_id', sandbox.teamId]]);
  const key = request.authorized ? sandbox.apiKey : 'wrong';
  const place = path.replace('{identifier}', encodeURIComponent(request.identifier));
  return sandbox.fetch(`https://sandbox.test${place}?${query}`, {
    method,
    headers: { 'X-Team-ApiKey': key, api_key: key },
    ...(request.body === undefined ? {} : { body: request.body }),
  });
}

describe('the sandbox responds as the document says to random requests', () => {
  const sandbox = createSandbox({
    seed: {
      contacts: 20,
      lists: [{ name: 'system', system: true }, { name: 'a' }],
      tags: 3,
      postTags: 3,
      senders: 2,
      templates: [{ name: 't' }, { name: 's', system: true }],
      campaigns: (['draft', 'sent', 'sending', 'scheduled', 'archived'] as const).map(state => ({
        name: state,
        state,
      })),
      customFields: [{ name: 'ada', type: 'number' }],
    },
  });
  const ids = Object.values(sandbox.state).flatMap(records => [...records].map(record => record.id));

  test.each(operations)('to $method $path', async ({ method, path, operation }) => {
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(requestsOf(operation, ids), async request => {
        const response = await send(sandbox, method, path, request);
        seen.add(response.status);
        const expected = request.authorized ? [200, 400, 403, 404, 405, 409] : [401, 404, 405];
        expect(expected).toContain(response.status);
        const body = await response.json();
        expect(check(responseSchema(operation, response.status), body)).toBe('');
      }),
      { numRuns: 150, seed: 42 },
    );
    expect(seen).toContain(200);
    expect(seen).toContain(401);
  });
});

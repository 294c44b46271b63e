import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../../docs/scripts/json-schema.ts';
import { createSandbox, type Sandbox } from '../../src/testing/index.ts';
import { answerSchema, type PublishedOperation, published, schemaChecks } from './published.ts';

const { document, operations, resolve } = published();
const check = schemaChecks(document);

const word = fc.constantFrom(
  'a',
  'ada',
  'vip',
  '__proto__',
  'constructor',
  'é',
  '++5',
  '--2.5',
  ' ',
  '',
  '%00',
  '../x',
  '\u0000',
);
const emails = fc.constantFrom(
  'person1@example.com',
  'PERSON2@example.com',
  'a+b@x.test',
  'new@x.test',
  'a@b',
  '@',
);

/** Values that a schema lets through, the odd ones among them. */
function fitting(schema: Schema): fc.Arbitrary<unknown> {
  const {
    type,
    minimum = -1e15,
    maximum = 1e15,
    minLength = 0,
    maxLength = 300,
  } = resolve(schema) as {
    type?: string;
    minimum?: number;
    maximum?: number;
    minLength?: number;
    maxLength?: number;
  };
  const { properties = {}, items, pattern, format } = resolve(schema);
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
  if (type === 'array') return fc.array(fitting(items as Schema), { maxLength: 4 });
  if (Object.keys(properties).length === 0) return fc.dictionary(word, word);
  const fields = Object.entries(properties).map(([name, field]) => [name, fitting(field)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: resolve(schema).required ?? [] });
}

/** The same with something wrong in it, sometimes. */
const bent = (value: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 4, arbitrary: value },
    fc.jsonValue(),
    fc.constantFrom(null, '', -1, [], {}, Number.MAX_VALUE, '{'),
  );

interface Wish {
  readonly identifier: string;
  readonly query: readonly (readonly [string, string])[];
  readonly body: string | undefined;
  readonly authorized: boolean;
}

function wishes(
  { parameters = [], requestBody }: PublishedOperation,
  ids: readonly string[],
): fc.Arbitrary<Wish> {
  const body = requestBody?.content['application/json']?.schema;
  // `send` adds the team id, which authenticates the request.
  const inQuery = parameters.filter(({ in: place, name }) => place === 'query' && name !== 'team_id');
  const values = inQuery.map(({ name, schema }) =>
    bent(fitting(schema)).map(value => [name, String(value)] as const),
  );
  const prefix = /\((\w+)\)/.exec(
    String(parameters.find(parameter => parameter.in === 'path')?.schema.pattern),
  )?.[1];
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
      body === undefined ? fc.constant(undefined) : bent(fitting(body)).map(value => JSON.stringify(value)),
    authorized: fc.nat(9).map(number => number > 0),
  });
}

function send(sandbox: Sandbox, method: string, path: string, wish: Wish): Promise<Response> {
  const query = new URLSearchParams([...wish.query.map(pair => [...pair]), ['team_id', sandbox.teamId]]);
  const key = wish.authorized ? sandbox.apiKey : 'wrong';
  const place = path.replace('{identifier}', encodeURIComponent(wish.identifier));
  return sandbox.fetch(`https://sandbox.test${place}?${query}`, {
    method,
    headers: { 'X-Team-ApiKey': key, api_key: key },
    ...(wish.body === undefined ? {} : { body: wish.body }),
  });
}

describe('the sandbox, fuzzed with requests made from the document, never fails and responds as the document says', () => {
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

  test.each(operations)('$method $path gets a documented response', async ({ method, path, operation }) => {
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(wishes(operation, ids), async wish => {
        const answer = await send(sandbox, method, path, wish);
        seen.add(answer.status);
        const expected = wish.authorized ? [200, 400, 403, 404, 405, 409] : [401, 404, 405];
        expect(expected).toContain(answer.status);
        const body = await answer.json();
        expect(check(answerSchema(operation, answer.status), body)).toBe('');
      }),
      { numRuns: 150, seed: 42 },
    );
    expect(seen).toContain(200);
    expect(seen).toContain(401);
  });
});

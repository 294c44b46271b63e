// Compares docs/service-rules.md with the tables of the tests and with citations such as `rule 4.3` and `rules 6.4 and 6.5`.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { idKinds } from '../../src/schemas/id.ts';
import { ambiguityRules } from '../../src/testing/service/ambiguities.ts';
import { contact, rows } from '../endpoints.ts';
import { filesIn } from '../support/files.ts';
import * as fields from '../support/specified-fields.ts';
import { root } from './collect.ts';

const service = readFileSync(`${root}docs/service-rules.md`, 'utf8');
const rules = [...service.matchAll(/^\*\*(\d+\.\d+)\*\* /gm)].map(([, number = '']) => number);

const citations = /\brules? (\d+\.\d+(?:(?:, | and | to )\d+\.\d+)*)/gi;
const citing = filesIn(root, '{src,test,docs,examples}/**/*.{ts,mjs,md,vue}');

test('has every rule that the sandbox names in its errors', () => {
  const named = filesIn(root, 'src/testing/**/*.ts').flatMap(file =>
    [...readFileSync(root + file, 'utf8').matchAll(/'(\d+\.\d+)'/g)].map(([, number = '']) => number),
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter(number => !rules.includes(number))).toEqual([]);
});

test('has every rule that is cited', () => {
  const wrong = citing.flatMap(file =>
    [...readFileSync(root + file, 'utf8').matchAll(citations)]
      .flatMap(([, numbers = '']) => numbers.split(/, | and | to /))
      .filter(number => !rules.includes(number))
      .map(number => `rule ${number} in ${file}`),
  );
  expect(wrong).toEqual([]);
});

test('has exactly the endpoints of the operations', () => {
  const documented = [...service.matchAll(/`(GET|POST|DELETE) (\/[^`]+)`/g)].map(
    ([, method, path]) => `${method} ${path}`,
  );
  const endpoints = rows.map(({ method, path }) => `${method} ${path.replace(/^\/api\/v1(\/rest)?/, '')}`);
  expect([...new Set(documented)].sort()).toEqual([...new Set(endpoints)].sort());
});

test('has every prefix of ids in rule 2.1', () => {
  const [, prefixes = ''] = /^\*\*2\.1\*\*([\s\S]*?)\n\n/m.exec(service) ?? [];
  expect([...prefixes.matchAll(/`(\w+)_`/g)].map(([, kind]) => kind)).toEqual(idKinds);
});

test.each([
  ['5.1', Object.keys(contact)],
  ['6.1', Object.keys(fields.identifyBody)],
  ['6.7', Object.keys(Object(rows.find(({ name }) => name === 'legacy.identify')?.response).data)],
])('rule %s names each field', (number, names) => {
  const [, text = ''] = service.split(`**${number}** `);
  const [rule = ''] = text.split(/^\*\*/m);
  expect(names.filter(name => !rule.includes(`\`${name.replace('?', '')}\``))).toEqual([]);
});

/** Returns the bounds of a query parameter as the table states them; `undefined` without any. */
function boundsOf({ minimum, maximum, minLength, maxLength }: Record<string, unknown>): string | undefined {
  const [least, most, unit] =
    minimum === undefined ? [minLength, maxLength, ' characters'] : [minimum, maximum, ''];
  if (least === undefined) return undefined;
  return most === undefined ? `from ${least}` : `${least} to ${most}${unit}`;
}

test('has exactly the parameters of the listings, with their bounds, in the table of rule 4.4', () => {
  const stated = [...service.matchAll(/^\| `GET (.*?)` \| `(.*?)` \| (.*) \|$/gm)].map(row => row.slice(1));
  const listings = rows.filter(({ method }) => method === 'GET');
  const expected = listings.flatMap(({ endpoint, fields: { query = {} } }) =>
    Object.entries(query).map(([name, schema]) => {
      const bounds = boundsOf(schema as Record<string, unknown>);
      return [endpoint.replace('GET /api/v1/rest', ''), name, bounds ?? expect.any(String)];
    }),
  );
  expect(stated).toHaveLength(expected.length);
  expect(stated).toEqual(expect.arrayContaining(expected));
});

test('has each choice of an ambiguity in the table of rule 13.3', () => {
  const missing = Object.entries(ambiguityRules).flatMap(([name, { expected }]) => {
    const [line = ''] = new RegExp(`^\\| \`${name}\` \\|.*$`, 'm').exec(service) ?? [];
    const [, choices] = /^(?:one|some) of (.*)$/.exec(expected) ?? [];
    return (choices?.split(', ') ?? [])
      .filter(choice => !line.includes(`\`${choice}\``))
      .map(choice => `${name}: ${choice}`);
  });
  expect(missing).toEqual([]);
});

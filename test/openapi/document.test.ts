import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import type { Schema } from '../../docs/scripts/json-schema.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { rows } from '../endpoints.ts';
import { responseText } from '../support/operation-row.ts';
import { type PublishedOperation, published, publishedText } from './published.ts';

test('docs/openapi.json is a valid OpenAPI 3.1 document', async () => {
  const validator = new Validator();
  const result = await validator.validate(JSON.parse(publishedText()));
  expect(result).toMatchObject({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('the sandbox serves docs/openapi.json', async () => {
  await using server = await createSandbox().listen();
  expect(await (await fetch(`${server.url}/openapi.json`)).json()).toEqual(JSON.parse(publishedText()));
});

const hint = `after \`npm run generate\`, with test/support/specified-fields.ts; what a schema does not say, such as a
  pattern, is in docs/scripts/openapi-facts.ts`;

const { operations, resolve } = published();

test('the document has the documented operations', () => {
  const names = operations.map(({ method, path }) => `${method} ${path}`);
  const documented = rows.map(({ method, path }) => `${method} ${path}`);
  expect(names.sort(), '`npm run generate` writes it').toEqual(documented.sort());
});

test.each(rows)('the document describes $method $path', row => {
  const found = operations.find(each => each.method === row.method && each.path === row.path);
  const {
    parameters = [],
    requestBody,
    responses = {},
    security,
  }: Partial<PublishedOperation> = found?.operation ?? {};
  const schemaOf = (status: number | 'default') =>
    responses[status]?.content['application/json']?.schema ?? {};
  const isRest = row.authentication === 'X-Team-ApiKey';
  const scheme = isRest ? 'teamApiKey' : 'legacyApiKey';
  expect(security?.map(schemes => Object.keys(schemes))).toEqual([[scheme]]);

  const inPath = parameters.find(parameter => parameter.in === 'path');
  expect(inPath?.schema.pattern).toBe(row.fields.identifier);
  if (inPath) expect(inPath.example).toMatch(new RegExp(String(inPath.schema.pattern)));
  const inQuery = parameters.filter(parameter => parameter.in === 'query');
  const schemas = Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema]));
  const teamId = isRest ? {} : { team_id: { type: 'string', minLength: 1 } };
  expect(schemas).toEqual({ ...row.fields.query, ...teamId });
  const sent = requestBody?.content['application/json']?.schema;
  expect(sent && inShort(resolve(sent), resolve), hint).toEqual(row.fields.body);

  const success = schemaOf(200);
  expect(success.type === 'array').toBe(row.returns === 'listing');
  const record = resolve((success.items as Schema | undefined) ?? success);
  const [example] = [JSON.parse(responseText(row))].flat();
  expect(Object.keys(record.properties ?? {}).sort(), hint).toEqual(Object.keys(example).sort());
  const statusOf = (status: 401 | 'default') => resolve(schemaOf(status)).properties?.status;
  expect([statusOf(401), statusOf('default')]).toEqual([{ const: 401 }, { const: 'error' }]);
});

/** Returns a record's schema in the short form of `specified-fields.ts`. */
function inShort(schema: Schema, resolve: (schema: Schema) => Schema): Record<string, string> {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, field]) => [
      schema.required?.includes(name) ? name : `${name}?`,
      fieldInShort(resolve(field), resolve),
    ]),
  );
}

function fieldInShort(field: Schema, resolve: (schema: Schema) => Schema): string {
  if (field.additionalProperties !== undefined) return 'map';
  if (field.type === 'array') return `array${(field.items as Schema).pattern ?? ''}`;
  const inner = Object.entries(inShort(field, resolve)).map(([name, type]) => `${name}:${type}`);
  if (field.type === 'object') return `object{${inner.join()}}`;
  return `${field.type}${field.pattern ?? ''}${field.format === undefined ? '' : `(${field.format})`}`;
}

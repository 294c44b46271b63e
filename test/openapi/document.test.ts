import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../../docs/scripts/json-schema.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { rows } from '../operations.ts';
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

describe('the document', () => {
  const { operations, resolve } = published();

  test('has the documented operations', () => {
    const names = operations.map(({ method, path }) => `${method} ${path}`);
    expect(names.sort()).toEqual(rows.map(({ method, path }) => `${method} ${path}`).sort());
  });

  test.each(rows)(
    'describes $method $path as documented',
    ({ method, path, authentication, returns, fields }) => {
      const found = operations.find(each => each.method === method && each.path === path);
      const operation: Partial<PublishedOperation> = found?.operation ?? {};
      const { parameters = [], requestBody, responses = {}, security } = operation;
      const rest = authentication === 'X-Team-ApiKey';
      expect(security?.map(schemes => Object.keys(schemes))).toEqual([
        [rest ? 'teamApiKey' : 'legacyApiKey'],
      ]);
      const inPath = parameters.find(parameter => parameter.in === 'path');
      expect(inPath?.schema.pattern).toBe(fields.identifier);
      if (inPath) expect(inPath.example).toMatch(new RegExp(String(inPath.schema.pattern)));
      const teamId = rest ? {} : { team_id: { type: 'string', minLength: 1 } };
      const inQuery = parameters.filter(parameter => parameter.in === 'query');
      expect(Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema]))).toEqual({
        ...fields.query,
        ...teamId,
      });
      const sent = requestBody?.content['application/json']?.schema;
      expect(sent && inShort(resolve(sent), resolve)).toEqual(fields.body);
      const success = responses[200]?.content['application/json']?.schema ?? {};
      expect(success.type === 'array').toBe(returns === 'listing');
      const record = resolve((success.items as Schema | undefined) ?? success);
      const hint = 'what a schema does not say, such as a pattern, is in docs/scripts/openapi-facts.ts';
      expect(inShort(record, resolve), hint).toEqual(fields.response);
      const failures = [401, 'default'].map(
        status => responses[status]?.content['application/json']?.schema ?? {},
      );
      expect(failures.map(schema => resolve(schema).properties?.status)).toEqual([
        { const: 401 },
        { const: 'error' },
      ]);
    },
  );
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

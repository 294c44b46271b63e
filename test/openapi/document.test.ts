import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
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

describe('the document', () => {
  const { operations, resolve } = published();

  test('has the documented operations', () => {
    const names = operations.map(({ method, path }) => `${method} ${path}`);
    expect(names.sort(), '`npm run generate` writes it').toEqual(
      rows.map(({ method, path }) => `${method} ${path}`).sort(),
    );
  });

  describe.each(rows)(
    'describes of $method $path',
    ({ method, path, authentication, returns, response, fields }) => {
      const operation: Partial<PublishedOperation> =
        operations.find(each => each.method === method && each.path === path)?.operation ?? {};
      const { parameters = [], requestBody, responses = {}, security } = operation;
      const isRest = authentication === 'X-Team-ApiKey';
      const schemaOf = (status: number | 'default') =>
        responses[status]?.content['application/json']?.schema ?? {};

      test('which key it needs', () => {
        const scheme = isRest ? 'teamApiKey' : 'legacyApiKey';
        expect(security?.map(schemes => Object.keys(schemes))).toEqual([[scheme]]);
      });

      test('the identifier in its path, if there is one, with an example', () => {
        const inPath = parameters.find(parameter => parameter.in === 'path');
        expect(inPath?.schema.pattern).toBe(fields.identifier);
        if (inPath) expect(inPath.example).toMatch(new RegExp(String(inPath.schema.pattern)));
      });

      test('its query', () => {
        const teamId = isRest ? {} : { team_id: { type: 'string', minLength: 1 } };
        const inQuery = parameters.filter(parameter => parameter.in === 'query');
        const schemas = Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema]));
        expect(schemas).toEqual({ ...fields.query, ...teamId });
      });

      test('its body', () => {
        const sent = requestBody?.content['application/json']?.schema;
        expect(sent && inShort(resolve(sent), resolve), hint).toEqual(fields.body);
      });

      test('its response', () => {
        const success = schemaOf(200);
        expect(success.type === 'array').toBe(returns === 'listing');
        const record = resolve((success.items as Schema | undefined) ?? success);
        const [example] = [JSON.parse(responseText({ response }))].flat();
        expect(Object.keys(record.properties ?? {}).sort(), hint).toEqual(Object.keys(example).sort());
      });

      test('its error responses', () => {
        const statuses = ([401, 'default'] as const).map(
          status => resolve(schemaOf(status)).properties?.status,
        );
        expect(statuses).toEqual([{ const: 401 }, { const: 'error' }]);
      });
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

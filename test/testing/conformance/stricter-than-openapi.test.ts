import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/testing/index.ts';
import { legacy, rest } from '../http.ts';

const guide = readFileSync(new URL('../../../docs/sandbox.md', import.meta.url), 'utf8');
const openApi = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ strict: false });
formats.default(ajv);

/** Tells whether the OpenAPI document's schema of a body accepts a value. */
const documentAccepts = (schema: string, body: unknown) =>
  ajv.validate({ $ref: `#/components/schemas/${schema}`, components: openApi.components }, body);

/** What the OpenAPI document accepts and the sandbox refuses; docs/sandbox.md lists each. */
test.each([
  ['CreateDomainParams', 'POST /domain', { name: 'bücher.example' }],
  ['CreateDomainParams', 'POST /domain', { name: 'localhost' }],
  ['CreateTagParams', 'POST /tag', { name: '   ' }],
  ['CreateListParams', 'POST /list', { name: '   ' }],
  ['CreatePostCategoryParams', 'POST /post/category', { name: '   ' }],
  ['RecordEventParams', 'POST /events/custom', { name: '   ', identifier: 'a@x.test', data: {} }],
])('%s: the document accepts and the sandbox refuses %j', async (schema, request, body) => {
  expect(documentAccepts(schema, body)).toBe(true);
  expect((await rest(createSandbox(), request, body)).status).toBe(400);
});

test('a value that is no number is refused in a number field, whatever the document says of texts', async () => {
  const body = { email: 'a@x.test', customFields: { points: 'many' } };
  expect(documentAccepts('IdentifyParams', body)).toBe(true);
  const sandbox = createSandbox({ seed: { customFields: [{ name: 'points', type: 'number' }] } });
  expect((await legacy(sandbox, 'POST /contact/identify', body)).status).toBe(400);
});

test('the guide lists what the sandbox is stricter in', () => {
  const section =
    guide.split('\n## ').find(part => part.startsWith('Stricter than its OpenAPI document')) ?? '';
  for (const words of ['ASCII', 'blank', 'number field']) expect(section).toContain(words);
});

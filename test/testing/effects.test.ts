// Every query parameter and every field of a body that the OpenAPI document lists has an effect in the sandbox.
import { expect, test } from 'vitest';
import type { Schema } from '../../docs/scripts/json-schema.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { published } from '../openapi/published.ts';
import { send } from './http.ts';

type Schemas = Readonly<Record<string, Schema>>;

/** Two valid values of a schema. */
function samples({ type, format }: Schema): readonly [unknown, unknown] {
  if (type === 'integer') return [1, 2];
  if (type === 'array') return [['a'], ['b']];
  if (type === 'object') return [{ a: '1' }, { b: '1' }];
  if (format === 'email') return ['ada@x.test', 'zoe@x.test'];
  return format === 'date' ? ['1990-01-02', '1991-01-02'] : ['ada.example', 'bob.example'];
}

const valuesOf = (schemas: Schemas) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, samples(schema)[0]]));

const people = ['ada', 'bob', 'cy'];
const seed = {
  contacts: people.map(name => ({ email: `${name}@x.test`, firstName: `${name}.example` })),
  lists: people.map(name => ({ name: `${name}.example` })),
};

/** Returns what the sandbox responds with and what it stores, as text. */
async function effectOf(method: string, path: string, query: object, body?: object): Promise<string> {
  const ambiguities = { trackOfUnknownContact: 'create' } as const;
  const sandbox = createSandbox({ seed, ambiguities, now: () => new Date(0) });
  const keys = { 'X-Team-ApiKey': sandbox.apiKey, api_key: sandbox.apiKey };
  const search = new URLSearchParams({ team_id: sandbox.teamId, ...query });
  const { status, text } = await send(sandbox, method, `${path}?${search}`, keys, body);
  expect(status, text).toBe(200);
  const digits = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);
  return text + JSON.stringify(sandbox.snapshot(), digits);
}

const { operations, resolve } = published();
const inputs = operations.map(({ method, path, operation }) => {
  const content = operation.requestBody?.content['application/json'];
  const parameters = (operation.parameters ?? []).filter(
    parameter => parameter.in === 'query' && parameter.name !== 'team_id',
  );
  const schemasOf = (list: typeof parameters): Schemas =>
    Object.fromEntries(list.map(({ name, schema }) => [name, schema]));
  return {
    name: operation.operationId,
    method,
    path,
    required: schemasOf(parameters.filter(({ required }) => required)),
    query: schemasOf(parameters),
    body: content && ((resolve(content.schema).properties ?? {}) as Schemas),
  };
});

test.each(inputs.filter(({ query, body }) => body !== undefined || Object.keys(query).length > 0))(
  'every query parameter and field of $name has an effect',
  async input => {
    const { name, method, path, required, query, body } = input;
    const [parameters, fields] = [valuesOf(required), body && valuesOf(body)];
    const effect = await effectOf(method, path, parameters, fields);
    const idle: string[] = [];
    for (const [parameter, schema] of Object.entries(query)) {
      const value = samples(schema)[parameter in required ? 1 : 0];
      const changed = await effectOf(method, path, { ...parameters, [parameter]: value }, fields);
      if (changed === effect) idle.push(`${name} ignores the query parameter ${parameter}`);
    }
    for (const [field, schema] of Object.entries(body ?? {})) {
      const changed = await effectOf(method, path, parameters, { ...fields, [field]: samples(schema)[1] });
      if (changed === effect) idle.push(`${name} ignores the field ${field}`);
    }
    expect(idle).toEqual([]);
  },
);

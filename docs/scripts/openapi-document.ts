// Makes the OpenAPI document from the schemas of the operations.

import type { Endpoint } from '../../src/client/endpoint.ts';
import { endpoints } from '../../src/client/endpoints.ts';
import { type OperationName, operations } from '../../src/resources/operations.ts';
import type { InputSchema, ResponseSchema } from '../../src/schemas/operation-schemas.ts';
import type { DocumentedMethod } from './documented-methods.ts';
import { jsonSchemaOf, type Schema } from './json-schema.ts';
import { exampleId, fieldFacts, nestedNames, statedFields } from './openapi-facts.ts';

/** What the document states of an operation. */
type Described = Pick<Endpoint, 'api' | 'method' | 'path' | 'inputIn' | 'query'> & {
  readonly input?: unknown;
  readonly output: unknown;
};

const json = (schema: Schema) => ({ 'application/json': { schema } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const errorSchema = (status: Schema): Schema => ({
  type: 'object',
  properties: { status, message: { type: 'string' } },
  required: ['status', 'message'],
});

/** Returns the whole service as an OpenAPI 3.1 document, made from the schemas of the client's operations and their methods. */
export function openApiDocument(methods: ReadonlyMap<string, DocumentedMethod>): Record<string, unknown> {
  const schemas: Record<string, Schema> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  const tags = new Set<string>();
  for (const [name, operation] of Object.entries(endpoints) as [OperationName, Described][]) {
    const path = `/api/v1${operation.api === 'rest' ? '/rest' : ''}${operation.path}`;
    const method = methods.get(name);
    if (method === undefined) throw new Error(`The client has no method ${name}.`);
    const described = { operationId: name, ...describe(name, operation, method, schemas) };
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: described };
    tags.add(tagOf(name));
  }
  schemas.Error = errorSchema({ const: 'error' });
  schemas.AuthenticationError = errorSchema({ const: 401 });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Email marketing service',
      version: 'v1',
      description:
        'Generated from the schemas of email-marketing-client. The service does not document the HTTP status of a success over REST: 200 stands for any.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'Wherever this document is served' }],
    tags: [...tags].map(name => ({ name })),
    paths,
    components: { schemas: sorted(schemas), securitySchemes },
  };
}

const securitySchemes = {
  teamApiKey: { type: 'apiKey', in: 'header', name: 'X-Team-ApiKey' },
  legacyApiKey: { type: 'apiKey', in: 'header', name: 'api_key' },
};

/** The legacy interface needs it in the query of each call (rule 1.3). */
const teamId = {
  name: 'team_id',
  in: 'query',
  required: true,
  description: "Id of the team, from the team's settings",
  schema: { type: 'string', minLength: 1 },
};

/** The resource in words: `postTags` is `Post tags`. */
function tagOf(name: OperationName): string {
  const words = name.replace(/\..*/, '').replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function describe(
  name: OperationName,
  operation: Described,
  { summary, result, input: inputName }: DocumentedMethod,
  schemas: Record<string, Schema>,
): object {
  const record = result.replace('[]', '');
  const params = operation.method === 'POST' ? inputName : undefined;
  const input = inputOf(operation);
  const parameters = parametersOf(name, operation, input);
  if (params !== undefined) schemas[params] = withFacts(params, bodyOf(operation, input));
  const { many, schema } = outputOf(operation);
  schemas[record] = withNames(withFacts(record, schema), schemas);
  return {
    tags: [tagOf(name)],
    summary,
    security: [operation.api === 'rest' ? { teamApiKey: [] } : { legacyApiKey: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(params === undefined ? {} : { requestBody: { required: true, content: json(ref(params)) } }),
    responses: {
      200: {
        description: 'Success',
        content: json(many ? { type: 'array', items: ref(record) } : ref(record)),
      },
      401: {
        description: `Team id or API key not valid${name === 'campaigns.delete' ? ': not documented here, and assumed' : ''}`,
        content: json(ref('AuthenticationError')),
      },
      default: {
        description: `Any other error${operation.api === 'legacy' ? ': its form is not documented, and assumed' : ''}`,
        content: json(ref('Error')),
      },
    },
  };
}

function inputOf({ input }: Described): Schema {
  return input ? jsonSchemaOf((input as InputSchema<unknown>).schema()) : {};
}

function outputOf({ output }: Described): { readonly many: boolean; readonly schema: Schema } {
  const schema = jsonSchemaOf((output as ResponseSchema<unknown>).schema());
  return schema.type === 'array' ? { many: true, schema: schema.items as Schema } : { many: false, schema };
}

/** Says that the documentation names two bounds of `limit`, if it does (rule 4.3). */
function limitConflict(name: OperationName): { readonly description?: string } {
  const { pageSizes: [, smaller] = [] } = operations[name] as { readonly pageSizes?: readonly number[] };
  return smaller === undefined
    ? {}
    : { description: `The documentation also names a smaller bound: ${smaller}.` };
}

/** Parameters in the path and the query. The input of an operation with an identifier is the identifier itself. */
function parametersOf(
  operation: OperationName,
  { api, inputIn, query = [] }: Described,
  input: Schema,
): object[] {
  const names = inputIn === 'query' ? Object.keys(input.properties ?? {}) : query;
  const inQuery = names.map(name => ({
    name,
    in: 'query',
    required: input.required?.includes(name) ?? false,
    ...(name === 'limit' && limitConflict(operation)),
    schema: input.properties?.[name],
  }));
  const inPath = inputIn === 'id' ? [identifier(input)] : [];
  return [...inPath, ...inQuery, ...(api === 'legacy' ? [teamId] : [])];
}

/** Describes the identifier in a path. The client also accepts ids of other lengths with the prefix. */
function identifier(schema: Schema): object {
  const prefix = /^\^\((\w+?_)\[/.exec(String(schema.pattern))?.[1] ?? '';
  const documented = { ...schema, pattern: `^(${prefix})?[a-zA-Z0-9]{22}$` };
  return { name: 'identifier', in: 'path', required: true, schema: documented, example: exampleId(prefix) };
}

function bodyOf({ query = [] }: Described, input: Schema): Schema {
  const properties = Object.entries(input.properties ?? {}).filter(([name]) => !query.includes(name));
  const required = input.required?.filter(name => !query.includes(name)) ?? [];
  return { ...input, properties: Object.fromEntries(properties), required };
}

/** Adds what is documented about the fields of a record. */
function withFacts(name: string, schema: Schema): Schema {
  const fields = Object.entries(schema.properties ?? {});
  const properties = fields.map(([field, own]) => [field, { ...own, ...fieldFacts[`${name}.${field}`] }]);
  const required = [...(schema.required ?? []), ...(statedFields[name] ?? [])];
  return { ...schema, properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
}

/** Moves objects within a record to schemas of their own. */
function withNames(schema: Schema, schemas: Record<string, Schema>): Schema {
  const properties = Object.entries(schema.properties ?? {}).map(([field, own]) => {
    const [first] = Object.keys(own.properties ?? {});
    if (first === undefined) return [field, own];
    const nested = nestedNames[first];
    if (nested === undefined)
      throw new Error(`Name the object of ${field} in docs/scripts/openapi-facts.ts.`);
    schemas[nested] = own;
    return [field, ref(nested)];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1)));
}

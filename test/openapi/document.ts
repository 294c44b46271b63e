import type { Operation } from '../../src/core/operation.ts';
import { type OperationName, operations } from '../../src/resources/operations.ts';
import { facts, fieldNotes, idPrefixes } from './facts.ts';
import { inputRules, outputRules, type Rule } from './probe.ts';
import { type Schema, schemaOfRule, schemaOfRules } from './rules-to-schema.ts';

const json = (schema: Schema) => ({ 'application/json': { schema } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Objects within records that have a name of their own, by their fields. */
const nestedNames: Record<string, string> = {
  'host,type,textValue': 'DnsRecord',
  'encryptedTeamId,encryptedId,firstName,lastName,email,company,birthday,tags,customFields': 'LegacyContact',
};

const errorSchema = (status: Schema): Schema => ({
  type: 'object',
  properties: { status, message: { type: 'string' } },
  required: ['status', 'message'],
});

/** The whole service as an OpenAPI 3.1 document, made from the rules that the client's operations state. */
export function openApiDocument(): Record<string, unknown> {
  const schemas: Record<string, Schema> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, operation] of Object.entries(operations()) as [OperationName, Operation][]) {
    const path = `/api/v1${operation.api === 'rest' ? '/rest' : ''}${operation.path}`;
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(name, operation, schemas) };
  }
  schemas.Error = errorSchema({ const: 'error' });
  schemas.AuthenticationError = errorSchema({ const: 401 });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Email marketing service',
      version: 'v1',
      description:
        'Generated from the schemas of email-marketing-client. The service does not document the HTTP status of a success: 200 stands for any.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'Wherever this document is served' }],
    tags: [...new Set(Object.values(facts).map(fact => fact.tag))].map(name => ({ name })),
    paths,
    components: { schemas: sorted(schemas), securitySchemes },
  };
}

const securitySchemes = {
  teamApiKey: { type: 'apiKey', in: 'header', name: 'X-Team-ApiKey' },
  legacyApiKey: { type: 'apiKey', in: 'header', name: 'api_key' },
  legacyTeamId: { type: 'apiKey', in: 'query', name: 'team_id' },
};

function describe(name: OperationName, operation: Operation, schemas: Record<string, Schema>): unknown {
  const { tag, summary, record, params } = facts[name];
  const rules = operation.input === undefined ? [] : inputRules(operation.input as never);
  const inQuery = rules.filter(rule => operation.query?.includes(rule.path));
  const inBody = rules.filter(rule => rule.path !== '' && !inQuery.includes(rule));
  const parameters = [
    ...rules.filter(rule => rule.path === '').map(pathParameter),
    ...inQuery.map(queryParameter),
  ];
  if (params !== undefined) schemas[params] = noted(params, schemaOfRules(inBody));
  const { many, rules: answer } = outputRules(operation.output);
  schemas[record] = recordSchema(record, answer, schemas);
  return {
    operationId: name,
    tags: [tag],
    summary,
    security: operation.api === 'rest' ? [{ teamApiKey: [] }] : [{ legacyApiKey: [], legacyTeamId: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(params === undefined ? {} : { requestBody: { required: true, content: json(ref(params)) } }),
    responses: {
      200: {
        description: 'Success',
        content: json(many ? { type: 'array', items: ref(record) } : ref(record)),
      },
      401: { description: 'Team id or API key not valid', content: json(ref('AuthenticationError')) },
      default: { description: 'Any other error', content: json(ref('Error')) },
    },
  };
}

function pathParameter(rule: Rule): object {
  return { name: 'identifier', in: 'path', required: true, schema: schemaOfRule(rule) };
}

function queryParameter(rule: Rule): object {
  return { name: rule.path, in: 'query', required: !rule.optional, schema: schemaOfRule(rule) };
}

/** A record of an answer, with what the specification says of ids and times beyond what the client asks of them. */
function recordSchema(name: string, rules: readonly Rule[], schemas: Record<string, Schema>): Schema {
  const schema = schemaOfRules(rules);
  for (const [field, own] of Object.entries(schema.properties ?? {})) {
    const nested = nestedNames[Object.keys(own.properties ?? {}).join()];
    if (nested !== undefined) {
      schemas[nested] = own;
      (schema.properties as Record<string, Schema>)[field] = ref(nested);
    }
    if ((field === 'created' || field === 'updated') && own.type === 'string') own.format = 'date-time';
    if (field === 'id') Object.assign(own, idSchema(idPrefixes[name] ?? ''));
    if (name === 'Contact' && (field === 'lists' || field === 'tags'))
      own.items = idSchema(field.replace(/s$/, '_'));
  }
  return noted(name, schema);
}

function idSchema(prefix: string): Schema {
  return {
    type: 'string',
    pattern: `^${prefix}[a-zA-Z0-9]{22}$`,
    examples: [`${prefix}4fzZ0pXkP1q9LmT7aBcD2e`],
  };
}

function noted(name: string, schema: Schema): Schema {
  for (const [field, own] of Object.entries(schema.properties ?? {})) {
    const note = fieldNotes[`${name}.${field}`];
    if (note !== undefined) own.description = note;
  }
  return schema;
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1)));
}

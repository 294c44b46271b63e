// Reads the published OpenAPI document.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Schema } from '../../docs/scripts/json-schema.ts';

/** A parameter of an operation. */
interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: Schema;
  readonly example?: string;
}

/** An operation of the published document. */
export interface PublishedOperation {
  readonly operationId: string;
  readonly security: readonly Record<string, unknown>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> };
  readonly responses: Record<string, { readonly content: Record<string, { readonly schema: Schema }> }>;
}

/** The published document. */
export interface PublishedDocument {
  readonly paths: Record<string, Record<string, PublishedOperation>>;
  readonly components: { readonly schemas: Record<string, Schema> };
}

/** Reads docs/openapi.json. */
export function publishedText(): string {
  return readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
}

/** Returns the document, and each operation with its method and path. */
export function published() {
  const document = JSON.parse(publishedText()) as PublishedDocument;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const resolve = (schema: Schema): Schema => {
    const name = /^#\/components\/schemas\/(\w+)$/.exec(String(schema.$ref))?.[1];
    return name === undefined ? schema : (document.components.schemas[name] as Schema);
  };
  return { document, operations, resolve };
}

/** Returns the schema of an operation's response with a status. */
export function responseSchema(operation: PublishedOperation, status: number): Schema {
  const response = operation.responses[status] ?? operation.responses.default;
  return response?.content['application/json']?.schema ?? {};
}

/** Formats in the document. */
const formats = {
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  int64: true,
} as const;

/** Returns a function that describes what is wrong with a value by a schema of the document; empty if it is valid. */
export function schemaChecks(document: PublishedDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats });
  ajv.addSchema({ $id: 'document', components: document.components });
  const made = new Map<string, ReturnType<typeof ajv.compile>>();
  return (schema: Schema, value: unknown): string => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
    const check = made.get(text) ?? ajv.compile(JSON.parse(text));
    made.set(text, check);
    return check(value) ? '' : ajv.errorsText(check.errors);
  };
}

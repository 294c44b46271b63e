// Converts the client's schemas to the JSON Schema of OpenAPI.
import * as z from 'zod';
import type { ZodMiniType } from 'zod/mini';

/** A JSON Schema, as OpenAPI 3.1 has them. */
export interface Schema {
  [keyword: string]: unknown;
  type?: string;
  pattern?: string;
  properties?: Record<string, Schema>;
  required?: string[];
}

/** Returns the JSON Schema of what a zod schema accepts on the wire. */
export function jsonSchemaOf(schema: ZodMiniType): Schema {
  const { $schema, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => toWire(zodSchema, jsonSchema as Schema),
  });
  return json as Schema;
}

/** Formats of strings, by what the library expects of them. */
const formats: Record<string, string> = {
  'an email address': 'email',
  'a day that exists, as YYYY-MM-DD': 'date',
  'a time in ISO 8601, UTC': 'date-time',
};

const letters = '[a-zA-Z0-9]';

function toWire(schema: z.core.$ZodType, json: Schema): void {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const { type, error } = def;
  // The second half of an id states what is documented.
  if (type === 'pipe') Object.assign(json, jsonSchemaOf(def.out as ZodMiniType));
  const format = formats[String(error?.({} as never))];
  if (format !== undefined) json.format = format;
  // The library rejects unknown fields in inputs and keeps them in responses. The service states no rule about either.
  if (type === 'object' && Object.keys(json.properties ?? {}).length > 0) delete json.additionalProperties;
  // A map states no fields.
  else if (type === 'object') delete json.properties;
  // What the library converts can be missing for zod, and is required for the service.
  if (type === 'object' && json.properties)
    json.required = Object.keys(def.shape).filter(name => def.shape[name]?._zod.optout !== 'optional');
  // A number that cannot be a fraction is a whole number.
  if (type === 'number' && !z.safeParse(schema, 1.5).success) json.type = 'integer';
  // Only the library distinguishes seconds from milliseconds by their size.
  if (json.maximum === 99_999_999_999) {
    delete json.maximum;
    delete json.minimum;
  }
  // The library spells out each character class, which is faster.
  if (json.pattern !== undefined) json.pattern = json.pattern.replace(letters.repeat(22), `${letters}{22}`);
  // A format says more than the pattern by which the library checks it.
  if (json.format !== undefined) delete json.pattern;
}

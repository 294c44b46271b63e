import type { Rule } from './probe.ts';

/** A JSON Schema, as OpenAPI 3.1 has them. */
export interface Schema {
  [keyword: string]: unknown;
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
}

const text = { type: 'string' };

/** What the words of an error say, as JSON Schema. */
const phrases: readonly (readonly [RegExp, (...groups: string[]) => Schema])[] = [
  [/^text$/, () => text],
  [/^text that is not empty$/, () => ({ ...text, minLength: 1 })],
  [
    /^text of (\d+) to (\d+) characters$/,
    (min, max) => ({ ...text, minLength: Number(min), maxLength: Number(max) }),
  ],
  [/^a whole number$/, () => ({ type: 'integer' })],
  [
    /^a whole number from (\d+) to (\d+)$/,
    (min, max) => ({ type: 'integer', minimum: Number(min), ...most(max) }),
  ],
  [/^true or false$/, () => ({ type: 'boolean' })],
  [/^an email address$/, () => ({ ...text, format: 'email' })],
  [/^a day that exists, as YYYY-MM-DD$/, () => ({ ...text, format: 'date' })],
  [/^a list of texts$/, () => ({ type: 'array', items: text })],
  [/^a list of texts that are not empty$/, () => ({ type: 'array', items: { ...text, minLength: 1 } })],
  [/^a map of texts$/, () => ({ type: 'object', additionalProperties: text })],
  [/^a (\w+) id \(/, kind => ({ ...text, pattern: `^(${kind}_)?[a-zA-Z0-9]{22}$` })],
  [/^a contact id or an email address$/, () => ({ ...text, minLength: 1 })],
  [/^whole nanoseconds since the epoch$/, () => ({ type: 'integer', format: 'int64' })],
  [/whole Unix seconds/, () => ({ type: 'integer', format: 'int64', minimum: 0 })],
  [/^an object$/, () => ({ type: 'object' })],
];

/** The bound that JavaScript sets to whole numbers is none of the service's. */
function most(max: string | undefined): Schema {
  return Number(max) === Number.MAX_SAFE_INTEGER ? {} : { maximum: Number(max) };
}

/** One rule as a schema. Throws for words that it does not know, so that none is left out. */
export function schemaOfRule({ path, expected }: Rule): Schema {
  if (expected === undefined) return text;
  for (const [pattern, make] of phrases) {
    const found = pattern.exec(expected);
    if (found !== null) return make(...found.slice(1));
  }
  throw new Error(`no schema for "${expected}", which is asked of "${path}"`);
}

/** The rules of a whole record as the schema of an object. */
export function schemaOfRules(rules: readonly Rule[]): Schema {
  const whole: Schema = { type: 'object', properties: {}, required: [] };
  for (const rule of rules) {
    const parts = rule.path.split('.');
    const name = parts.pop() as string;
    const owner = parts.reduce((schema, part) => schema.properties?.[part] as Schema, whole);
    owner.properties = { ...owner.properties, [name]: { ...schemaOfRule(rule) } };
    if (!rule.optional) owner.required = [...(owner.required ?? []), name];
  }
  return whole;
}

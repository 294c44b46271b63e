import type * as z from 'zod/mini';
import type { Issue } from '../errors.ts';
import { Secret } from '../helpers/secret.ts';
import { pathText, valueAt } from '../http/issue-text.ts';
import { isObject, typeName } from '../http/json.ts';
import type { Validation } from '../http/operation.ts';
import { setDefaults } from './defaults.ts';
import { firstOfEachPath } from './issues.ts';
import { type Matches, matcher, parseValue } from './match.ts';

/** Rules of a record that its schema cannot state. */
export interface RecordOptions {
  /** Fields without which a record is unusable. They have no default. */
  readonly required?: readonly string[];
  /** Defaults that differ from the empty value of the field's type. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Other names under which a field may come. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Fields that become a {@link Secret}, whatever comes in them. */
  readonly secret?: readonly string[];
}

/** A schema of an object with named fields. */
export type ObjectSchema = z.ZodMiniObject<z.core.$ZodShape, z.core.$loose>;

/** Result of parsing one record: its value, the reasons why it is unusable, and the other mismatches. */
export interface ParsedRecord {
  readonly value: unknown;
  readonly issues: readonly Issue[];
  readonly drift: readonly Issue[];
}

const none: readonly Issue[] = [];

/** Parses records of one kind, in place. */
export class RecordParser {
  readonly #shape: z.core.$ZodShape;
  readonly #options: RecordOptions;
  readonly #matches: Matches;
  readonly #fields: readonly (readonly [name: string, schema: z.core.$ZodType, matches: Matches])[];

  constructor(schema: ObjectSchema, options: RecordOptions) {
    this.#shape = schema._zod.def.shape;
    this.#options = options;
    this.#matches = matcher(schema);
    this.#fields = Object.entries(this.#shape).map(([name, field]) => [name, field, matcher(field)]);
  }

  /** Parses `value`, which stands at `path` of a response. */
  parse(value: unknown, validation: Validation, path: readonly PropertyKey[]): ParsedRecord {
    // Most records match as they come: that is found out first, in one pass.
    if (this.#matches(value)) return { value, issues: none, drift: none };
    if (!isObject(value)) {
      const issue = { path: pathText(path), expected: 'an object', received: typeName(value) };
      return { value, issues: validation === 'off' ? none : [issue], drift: none };
    }
    this.#rename(value);
    if (validation !== 'strict') this.#setDefaults(value);
    return this.#parseFields(value, validation, path);
  }

  #rename(record: Record<string, unknown>): void {
    for (const [alias, name] of Object.entries(this.#options.aliases ?? {}))
      if (record[name] === undefined) {
        record[name] = record[alias];
        delete record[alias];
      }
  }

  #setDefaults(record: Record<string, unknown>): void {
    const { defaults = {}, required } = this.#options;
    for (const [name, value] of Object.entries(defaults)) record[name] ??= value;
    setDefaults(record, this.#shape, required);
  }

  /** Converts each field in place, and sorts the mismatches by whether the record is usable without that field. */
  #parseFields(
    record: Record<string, unknown>,
    validation: Validation,
    path: readonly PropertyKey[],
  ): ParsedRecord {
    const { required, secret } = this.#options;
    const issues: Issue[] = [];
    const drift: Issue[] = [];
    for (const [name, schema, matches] of this.#fields) {
      const value = record[name];
      if (!matches(value)) {
        const checked = parseValue(schema as z.ZodMiniType, value);
        const list = validation === 'strict' || required?.includes(name) ? issues : drift;
        if (checked.ok) record[name] = checked.value;
        else
          for (const mismatch of checked.mismatches)
            list.push({
              path: pathText([...path, name, ...mismatch.path]),
              expected: mismatch.expected,
              received: typeName(valueAt(value, mismatch.path)),
            });
      }
      if (secret?.includes(name)) record[name] = toSecret(record[name]);
    }
    if (validation === 'off') return { value: record, issues: none, drift: none };
    return { value: record, issues: firstOfEachPath(issues), drift: firstOfEachPath(drift) };
  }
}

function toSecret(value: unknown): Secret {
  if (value instanceof Secret) return value;
  try {
    return new Secret(JSON.stringify(value));
  } catch {
    return new Secret('');
  }
}

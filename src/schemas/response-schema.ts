import * as z from 'zod/mini';
import type { Issue } from '../errors.ts';
import { Secret } from '../helpers/secret.ts';
import type { ResponseSchema, Validation } from '../http/call/operation.ts';
import { maxIssues, pathText } from '../http/issues.ts';
import { typeName } from '../http/json.ts';
import { type FieldRule, type Rule, ruleOf } from './match.ts';
import { type Agrees, once, type StatedByZod } from './stated-by-zod.ts';

/**
 * What the schemas of fields cannot state: `alias` is another name under which a field may come, `absent` its value if
 * none came, in place of the empty value of its type, and `isSecret` makes a {@link Secret} of whatever came.
 */
type FieldOptions = Readonly<Record<string, { alias?: string; absent?: string; isSecret?: true }>>;

/**
 * Returns the schema of an operation's response. The documented type of the record is taken from the operation that it
 * is assigned to, and the compiler reports a difference between both. A record is unusable without a field whose schema
 * rejects the empty value, such as an id. Calls are marked as pure like those of `inputSchema`.
 */
export function responseSchema<Schema extends z.ZodMiniType, Output>(
  make: () => Schema & Agrees<Output, z.output<Schema>>,
  options: FieldOptions = {},
): ResponseSchema<Output> & StatedByZod {
  const schema = once<z.ZodMiniType>(make);
  const rule = once(() => ruleOf(schema()));
  return {
    schema,
    parse(json, validation) {
      const parser = new ResponseParser(options, validation);
      const value = parser.parse(rule(), json) as Output;
      if (parser.issues.size > 0) return { ok: false, issues: [...parser.issues.values()] };
      return { ok: true, value, drift: [...parser.drift.values()] };
    },
  };
}

/** Mismatches of a response after which the rest stays as it came, unless it makes a record unusable: a page can hold millions. */
const maxMismatches = 10_000;

type Path = readonly PropertyKey[];

/** Parses one response, in place. */
class ResponseParser {
  readonly #options: FieldOptions;
  readonly #validation: Validation;
  /** Mismatches that make the response unusable, by their path. */
  readonly issues = new Map<string, Issue>();
  /** Other mismatches, by the path of their field in all records together. */
  readonly drift = new Map<string, Issue>();
  #mismatches = 0;

  constructor(options: FieldOptions, validation: Validation) {
    this.#options = options;
    this.#validation = validation;
  }

  /** Returns the parsed value, or as it came a value that does not match. */
  parse(rule: Rule, value: unknown, path: Path = [], isFatal = true): unknown {
    // Most values match as they come: that is found out first, in one pass.
    if (rule.matches(value)) return value;
    if (this.#mismatches >= maxMismatches && (!isFatal || this.#validation === 'off')) return value;
    if (typeName(value) === rule.schema._zod.def.type) {
      if (rule.fields) return this.#parseFields(rule.fields, value as Record<string, unknown>, path);
      if (rule.item) return this.#parseItems(rule.item, value as unknown[], path, isFatal);
    }
    // `null` stands for an empty listing.
    if (value === null && rule.item && path.length === 0 && this.#validation !== 'strict') return [];
    const result = z.safeParse(rule.schema, value);
    if (result.success) return result.data;
    this.#mismatches += 1;
    const found = isFatal ? this.issues : this.drift;
    if (this.#validation === 'off' || found.size >= maxIssues) return value;
    const at = isFatal ? pathText(path) : pathText(path).replaceAll(/\[\d+\]/g, '[]');
    if (found.has(at)) return value;
    const expected = result.error.issues[0]?.message ?? '';
    found.set(at, { path: at, expected, received: typeName(value) });
    return value;
  }

  #parseFields(fields: readonly FieldRule[], record: Record<string, unknown>, path: Path): unknown {
    for (const field of fields) {
      const { name, matches, empty } = field;
      if (matches(record[name])) continue;
      const { alias, absent = empty?.(), isSecret } = this.#options[name] ?? {};
      if (alias && record[name] === undefined) {
        record[name] = record[alias];
        delete record[alias];
      }
      const isFatal = this.#validation === 'strict' || (!empty && absent === undefined);
      if (!isFatal) record[name] ??= absent;
      const value = this.parse(field, record[name], [...path, name], isFatal);
      record[name] = isSecret && !(value instanceof Secret) ? new Secret(JSON.stringify(value)) : value;
      // An optional field that came as `null` is absent.
      if (value === undefined) delete record[name];
    }
    return record;
  }

  /** Parses the items of an array, or the values of a map. */
  #parseItems(item: Rule, members: unknown[], path: Path, isFatal: boolean): unknown {
    // A field can hold millions of wrong items: it is read up to the hundredth. A page is read to its end.
    const most = path.length === 0 ? Number.POSITIVE_INFINITY : this.#mismatches + maxIssues;
    for (const key of Array.isArray(members) ? members.keys() : Object.keys(members)) {
      if (this.issues.size >= maxIssues || this.#mismatches >= most) break;
      members[key as number] = this.parse(item, members[key as number], [...path, key], isFatal);
    }
    return members;
  }
}

import * as z from 'zod/mini';
import { maxIssues, pathText } from '../core/issues.ts';
import { isObject, typeName } from '../core/json.ts';
import type { Issue } from '../errors.ts';
import { Secret } from '../helpers/secret.ts';
import type { ResponseSchema, Validation } from '../http/call/operation.ts';
import { type FieldOptions, type ObjectRule, type Rule, ruleOf } from './match.ts';
import { type Agrees, type HasZodSchema, once } from './stated-by-zod.ts';

/**
 * Returns the schema of an operation's response. As with `inputSchema`, the compiler compares it with the documented type, and calls are marked as pure. A record
 * is unusable if a field is missing whose schema rejects the empty value, such as an id. `mismatchOf` compares the
 * result with the input of the call.
 */
export function responseSchema<Schema extends z.ZodMiniType, Output>(
  make: () => Schema & Agrees<Output, z.output<Schema>>,
  options: FieldOptions = {},
  mismatchOf?: (value: Output, input: unknown) => Issue | undefined,
): ResponseSchema<Output> & HasZodSchema {
  const schema = once<z.ZodMiniType>(make);
  const rule = once(() => ruleOf(schema(), options));
  return {
    schema,
    parse(json, validation, input) {
      const nothing = { ok: false, issues: [{ path: '', expected: 'JSON', received: 'nothing' }] } as const;
      const isEmpty = json === undefined;
      const body = isEmpty && validation !== 'strict' ? emptyBodyOf(rule()) : json;
      if (body === undefined) return nothing;
      const parser = new ResponseParser(validation);
      const value = parser.parse(rule(), body) as Output;
      const isChecked = isEmpty || validation !== 'off';
      const mismatch = parser.issues.size === 0 && isChecked && mismatchOf?.(value, input);
      // An empty body stands only for what is as documented.
      if (mismatch && isEmpty) return nothing;
      if (mismatch) parser.add(mismatch);
      if (parser.issues.size > 0) return { ok: false, issues: [...parser.issues.values()] };
      return { ok: true, value, drift: [...parser.drift.values()] };
    },
  };
}

/** Returns what an empty body stands for, if anything: an empty listing, or a record that needs no field. */
function emptyBodyOf({ item, object }: Rule): unknown {
  if (item) return [];
  return object?.fields.every(({ makeEmpty }) => makeEmpty) ? {} : undefined;
}

/** Parses one response. The time is linear even if a page contains millions of wrong records. */
class ResponseParser {
  readonly #validation: Validation;
  /** Mismatches that make the response unusable, by path. */
  readonly issues = new Map<string, Issue>();
  /** Other mismatches, by path of the field across all records. */
  readonly drift = new Map<string, Issue>();
  readonly #path: PropertyKey[] = [];

  constructor(validation: Validation) {
    this.#validation = validation;
  }

  /** Adds a mismatch that leaves the response usable. */
  add(mismatch: Issue): void {
    (this.#validation === 'strict' ? this.issues : this.drift).set(mismatch.path, mismatch);
  }

  /** Returns the parsed value, or the unchanged value if it does not match. */
  parse(rule: Rule, value: unknown, isFatal = true): unknown {
    // Most values match unchanged: check that first, in one pass.
    if (rule.matches(value)) return value;
    if (rule.object && isObject(value)) return this.#parseFields(rule.object, value);
    if (rule.item && typeName(value) === rule.schema._zod.def.type)
      return this.#parseItems(rule.item, value as unknown[], isFatal);
    // `null` means an empty listing.
    if (value === null && rule.item && this.#path.length === 0 && this.#validation !== 'strict') return [];
    const converted = rule.convert?.(value);
    if (converted) return converted.value;
    this.#report(rule, value, isFatal);
    return value;
  }

  #report({ schema }: Rule, value: unknown, isFatal: boolean): void {
    const found = isFatal ? this.issues : this.drift;
    if (this.#validation === 'off' || found.size >= maxIssues) return;
    const path = isFatal ? pathText(this.#path) : pathText(this.#path).replaceAll(/\[\d+\]/g, '[]');
    if (found.has(path)) return;
    const expected = z.safeParse(schema, value).error?.issues[0]?.message ?? '';
    found.set(path, { path, expected, received: typeName(value) });
  }

  /** Returns the record with empty values for missing fields. */
  #parseFields({ fields, empty }: ObjectRule, came: Record<string, unknown>): unknown {
    const isStrict = this.#validation === 'strict';
    const isUnchecked = this.#validation === 'off';
    // All at once: adding fields one by one changes the object's shape each time, which is slow.
    const record = isStrict ? came : { ...empty, ...came };
    for (const field of fields) {
      const { name, alias, makeEmpty, isSecret } = field;
      if (alias && came[name] === undefined && came[alias] !== undefined) {
        record[name] = came[alias];
        delete record[alias];
      }
      // Each record gets its own lists and maps.
      const isShared = typeof record[name] === 'object' && record[name] === empty[name];
      if (makeEmpty && !isStrict && (record[name] === null || isShared)) {
        record[name] = makeEmpty();
        // Drop an optional field that is `null`.
        if (record[name] === undefined) delete record[name];
      }
      if (field.matches(record[name]) || (isUnchecked && record[name] === undefined)) continue;
      this.#path.push(name);
      const value = this.parse(field, record[name], isStrict || !makeEmpty);
      this.#path.pop();
      if (isSecret && !(value instanceof Secret)) record[name] = new Secret(JSON.stringify(value));
      else if (value !== record[name]) record[name] = value;
    }
    return record;
  }

  /** Parses the items of an array, or the values of a map. */
  #parseItems(item: Rule, members: unknown[], isFatal: boolean): unknown {
    const isList = Array.isArray(members);
    for (const key of isList ? members.keys() : (Object.keys(members) as unknown as number[])) {
      if (this.issues.size >= maxIssues) break;
      if (item.matches(members[key])) continue;
      this.#path.push(key);
      const value = this.parse(item, members[key], isFatal);
      this.#path.pop();
      // Other items would be reported under the same path.
      if (isList && !isFatal && Object.is(value, members[key])) break;
      members[key] = value;
    }
    return members;
  }
}

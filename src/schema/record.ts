import * as z from 'zod/mini';
import { isObject, typeName } from '../core/json.ts';
import type { Checked, OutputDecode, Validation } from '../core/operation.ts';
import type { Issue } from '../errors.ts';
import { judge, toIssue } from './judge.ts';
import type { Word } from './word.ts';

/** The fields of a record, each as a {@link Word} of the type that its interface states. */
export type Words<T> = { readonly [K in keyof T]-?: Word<T[K]> };

/** What one kind of record is made of. */
export interface RecordShape<T> {
  readonly words: Words<T>;
  /** Fields without which a record is of no use. */
  readonly essential: readonly (keyof T & string)[];
  /** Other names that a field may come under. */
  readonly aliases?: Readonly<Record<string, keyof T & string>>;
}

type Entry = readonly [name: string, word: Word<unknown>];

/** Everything that reading one kind of record needs, made once. */
export class RecordReader<T> {
  readonly #entries: readonly Entry[];
  readonly #converted: readonly Entry[];
  readonly #essential: readonly string[];
  readonly #aliases: readonly (readonly [string, string])[];
  #schema: z.ZodMiniType | undefined;

  constructor(shape: RecordShape<T>) {
    this.#entries = Object.entries<Word<unknown>>(shape.words);
    this.#converted = this.#entries.filter(([, word]) => word.convert);
    this.#essential = shape.essential;
    this.#aliases = Object.entries<string>(shape.aliases ?? {});
  }

  /** The rule that a record is held against, with unknown fields let through. */
  get schema(): z.ZodMiniType {
    this.#schema ??= z.looseObject(
      Object.fromEntries(
        this.#entries.map(([name, word]) => [name, word.schema?.() ?? z.custom(word.fits, word.expected)]),
      ),
      'an object',
    );
    return this.#schema;
  }

  /** Whether the record is useless when this field is wrong; no field stands for the record itself. */
  isEssential(field: string | undefined): boolean {
    return field === undefined || this.#essential.includes(field);
  }

  /** Puts zero values where nothing was sent. */
  fill(record: Record<string, unknown>): void {
    for (const [alias, name] of this.#aliases)
      if (record[name] === undefined && record[alias] !== undefined) {
        record[name] = record[alias];
        delete record[alias];
      }
    for (const [name, word] of this.#entries) {
      const value = record[name];
      if (value !== undefined && value !== null) word.fill?.(value);
      else if (!this.#essential.includes(name)) {
        const zero = word.zero();
        if (zero !== undefined || name in record) record[name] = zero;
      }
    }
  }

  /** Whether every field is as documented. */
  fits(record: unknown): boolean {
    if (!isObject(record)) return false;
    for (const [name, word] of this.#entries) if (!word.fits(record[name])) return false;
    return true;
  }

  /** Makes the published form of fields that differ from what is sent, where they fit. */
  convert(record: Record<string, unknown>): void {
    for (const [name, word] of this.#converted)
      if (word.fits(record[name])) record[name] = word.convert?.(record[name]);
  }

  /** A word for a field that holds such a record. */
  word(): Word<T> {
    return {
      expected: 'an object',
      schema: () => this.schema,
      fits: value => this.fits(value),
      zero: () => {
        const record = {};
        this.fill(record);
        return record;
      },
      fill: value => isObject(value) && this.fill(value),
    };
  }
}

/** Reads an answer that is one record. */
export function oneRecord<T>(reader: RecordReader<T>): OutputDecode<T> {
  return (json, validation, drift) => checked(json, readInto(reader, json, undefined, validation, drift));
}

/** Reads an answer that is an array of records; `null` stands for none. */
export function manyRecords<T>(reader: RecordReader<T>): OutputDecode<readonly T[]> {
  return (json, validation, drift) => {
    const page = json === null && validation !== 'strict' ? [] : json;
    if (!Array.isArray(page))
      return checked(
        page,
        validation === 'off' ? [] : [{ path: '', expected: 'an array', received: typeName(page) }],
      );
    return checked(
      page,
      page.flatMap((item, index) => readInto(reader, item, index, validation, drift)),
    );
  };
}

const checked = <T>(value: unknown, issues: readonly Issue[]): Checked<T> =>
  issues.length > 0 ? { ok: false, issues } : { ok: true, value: value as T };

const noIssues: readonly Issue[] = [];

/** Makes a record of `value` in place, tells of what differs, and returns what makes it useless. */
function readInto<T>(
  reader: RecordReader<T>,
  value: unknown,
  index: number | undefined,
  validation: Validation,
  drift: (issue: Issue) => void,
): readonly Issue[] {
  // What fits has nothing to fill in: the common case is told in one pass.
  const fits = reader.fits(value);
  if (!fits && validation !== 'strict' && isObject(value)) reader.fill(value);
  if (!fits && validation !== 'off' && !reader.fits(value)) {
    const wrong = judge(reader.schema, value, index === undefined ? '' : `[${index}]`);
    const useless = validation === 'strict' ? wrong : wrong.filter(issue => reader.isEssential(issue.field));
    if (useless.length > 0) return useless.map(toIssue);
    for (const issue of wrong) drift({ ...toIssue(issue), path: issue.path.replace(/\[\d+\]/g, '[]') });
  }
  if (isObject(value)) reader.convert(value);
  return noIssues;
}

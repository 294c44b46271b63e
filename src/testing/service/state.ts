import { isObject, literalOrType, typeName } from '../../core/json.ts';
import { type Collection, RecordCollection, type State } from './collection.ts';
import type { Random } from './random.ts';
import {
  type AnyRecord,
  collectionOf,
  dropReferences,
  type Fields,
  readFields,
  readSaved,
  referencesOf,
} from './read-fields.ts';
import { type KindName, recordKinds } from './record-kinds.ts';

export interface StateContext {
  readonly random: Random;
  readonly now: () => Date;
}

const kindNames = Object.keys(recordKinds) as readonly KindName[];

/** Creates an empty state. */
export function createState(context: StateContext): State {
  const state = {} as State;
  const collections = kindNames.map(kind => [kind, createCollection(context, state, kind)]);
  return Object.assign(state, Object.fromEntries(collections));
}

function createCollection({ random, now }: StateContext, state: State, name: KindName) {
  const { prefix, fields, key, unique } = recordKinds[name];
  const defaults = Object.entries(fields);
  // A copy of a whole object takes a sixth of the memory of an object that is built field by field.
  const blank = Object.fromEntries(['id', ...Object.keys(fields)].map(field => [field, undefined]));
  const derived = { [ofState]: { value: state }, tagNames };
  const ignoresCase = name === 'domains' || name === 'contacts';
  // After a restore, the generator can draw the id of a record that exists.
  const newId = (): string => {
    const id = random.id(prefix);
    return state[name].get(id) === undefined ? id : newId();
  };
  const fold = (text: string) => (ignoresCase ? text.toLowerCase() : text);
  return new RecordCollection<AnyRecord>({
    prefix,
    fold,
    unique,
    removed: () => dropReferences(state, name),
    read: (input, record) => readFields(state, name, input, record),
    make: input => {
      const time = now();
      const record: Fields = { ...blank, id: input.id ?? newId() };
      for (const [field, { initial }] of defaults)
        record[field] = input[field] ?? initial({ now: time, record });
      if (name === 'contacts') Object.defineProperties(record, derived);
      return record as AnyRecord;
    },
    touched: () => fields.updated && { updated: fields.created?.initial({ now: now(), record: {} }) },
    keyOf: record => (key === undefined || record.deleted === true ? undefined : fold(String(record[key]))),
  });
}

/** State of a contact. */
const ofState = Symbol('state');

/** Getter that all contacts share: with its own getter, a contact would take two kilobytes instead of one. */
const tagNames = {
  get(this: { readonly tags: readonly string[]; readonly [ofState]: State }): readonly string[] {
    return this.tags.map(id => this[ofState].tags.get(id)?.name ?? id);
  },
};

/** Record as JSON: nanoseconds are strings, because JavaScript would round them as JSON numbers. */
type Saved<T> = {
  readonly [Field in Exclude<keyof T, 'tagNames'>]: T[Field] extends bigint ? string : T[Field];
};

/** Deep copy of all records of a state, as JSON values. */
export type Snapshot = {
  readonly [Kind in keyof State]: State[Kind] extends Collection<infer T> ? readonly Saved<T>[] : never;
};

export function takeSnapshot(state: State): Snapshot {
  const records = kindNames.map(kind => [kind, state[kind].all]);
  return JSON.parse(JSON.stringify(Object.fromEntries(records), bigintAsText));
}

/** Writes nanoseconds as strings. */
export function bigintAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value;
}

/** Every kind. The kinds that refer to others come last. */
const restoreOrder = [...kindNames].sort(
  (left, right) => referencesOf(left).length - referencesOf(right).length,
);

/**
 * Throws a `RangeError` unless a snapshot has only arrays of known kinds: restoring one from a newer version would lose
 * records. A kind can be missing, because an older version lacks it.
 */
function checkKinds(snapshot: unknown): void {
  if (!isObject(snapshot) || Object.keys(snapshot).length === 0)
    throw new RangeError('A snapshot must be an object with records by kind.');
  for (const [kind, records] of Object.entries(snapshot)) {
    if (!Object.hasOwn(recordKinds, kind))
      throw new RangeError(
        `Unknown kind of record ${literalOrType(kind)}. To restore a snapshot from a newer version, use that version.`,
      );
    if (!Array.isArray(records))
      throw new RangeError(`${kind} must be an array of records (got ${typeName(records)}).`);
  }
}

/** Replaces every record. Throws a `RangeError` that names the first invalid record, and then changes nothing. */
export function restoreSnapshot(state: State, snapshot: Partial<Snapshot>, context: StateContext): void {
  checkKinds(snapshot);
  const restored = createState(context);
  for (const kind of restoreOrder)
    for (const [index, record] of (snapshot[kind] ?? []).entries())
      try {
        collectionOf(restored, kind).insert(readSaved(restored, kind, record));
      } catch (error) {
        throw new RangeError(`${kind}[${index}]: ${(error as Error).message}`);
      }
  for (const kind of kindNames) collectionOf(state, kind).replace(collectionOf(restored, kind));
}

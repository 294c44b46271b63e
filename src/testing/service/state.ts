import type { Ambiguities } from './ambiguities.ts';
import { Collection, type State } from './collection.ts';
import type { Random } from './random.ts';
import { type AnyRecord, collectionOf, type Fields, isUnique, readFields } from './read-fields.ts';
import { type KindName, recordKinds } from './records.ts';

export interface StateContext {
  readonly random: Random;
  readonly now: () => Date;
  readonly ambiguities: Ambiguities;
}

export const kindNames = Object.keys(recordKinds) as readonly KindName[];

/** Creates an empty state. */
export function createState(context: StateContext): State {
  const state = {} as State;
  const collections = kindNames.map(kind => [kind, createCollection(context, state, kind)]);
  return Object.assign(state, Object.fromEntries(collections));
}

function createCollection({ random, now, ambiguities }: StateContext, state: State, name: KindName) {
  const { prefix, fields, key } = recordKinds[name];
  const defaults = Object.entries(fields);
  const below = (limit: number) => random.below(limit);
  const ignoresCase = name === 'domains' || (name === 'contacts' && ambiguities.emailCase === 'insensitive');
  const fold = (text: string) => (ignoresCase ? text.toLowerCase() : text);
  return new Collection<AnyRecord>({
    prefix,
    fold,
    unique: isUnique(name, ambiguities),
    read: (given, record) => readFields(state, ambiguities, name, given, record),
    make: given => {
      const time = now();
      const record: Fields = { id: given.id ?? random.id(prefix) };
      for (const [field, { initial }] of defaults)
        record[field] = given[field] ?? initial({ now: time, below, record });
      return record as AnyRecord;
    },
    touched: () =>
      fields.updated === undefined
        ? {}
        : { updated: fields.created?.initial({ now: now(), below: () => 0, record: {} }) },
    keyOf: record => (key === undefined || record.deleted === true ? undefined : fold(String(record[key]))),
  });
}

/** Deep copy of all records of a state. */
export type Snapshot = {
  readonly [Kind in keyof State]: State[Kind] extends Collection<infer T> ? readonly T[] : never;
};

export function takeSnapshot(state: State): Snapshot {
  const copies = kindNames.map(kind => [kind, structuredClone(state[kind].all)]);
  return Object.fromEntries(copies) as Snapshot;
}

export function restoreSnapshot(state: State, snapshot: Snapshot): void {
  if (!kindNames.every(kind => Array.isArray(Object(snapshot)[kind])))
    throw new RangeError('restore: the argument must be a snapshot that snapshot() returned');
  for (const kind of kindNames) {
    const collection = collectionOf(state, kind);
    collection.clear();
    for (const record of structuredClone(snapshot[kind])) collection.insert({ ...record });
  }
}

import { unknownName } from '../nearest.ts';
import type { Ambiguities } from './ambiguities.ts';
import { checkRequired, fieldsFromJson, type RecordJson } from './record-json.ts';
import { recordKinds } from './record-kinds.ts';
import type { Seed } from './seed.ts';

/** Kinds of record that a seed can have. */
const seedKinds = [
  'customFields',
  'lists',
  'tags',
  'contacts',
  'domains',
  'senders',
  'postTags',
  'postCategories',
  'templates',
  'campaigns',
] as const satisfies readonly (keyof Seed)[];

type SeedKind = (typeof seedKinds)[number];

/** Returns a copy of a seed; throws a `RangeError` that names the record or the number that the service cannot have. */
export function readSeed(seed: Seed, ambiguities: Ambiguities): Seed {
  const kinds = Object.entries(seed).map(([name, wanted]) => {
    const kind = seedKinds.find(known => known === name);
    if (kind === undefined) throw unknownName('kind of record in seed', name, seedKinds);
    if (Array.isArray(wanted)) return [kind, readRecords(kind, wanted, ambiguities)];
    const isCount = kind !== 'customFields' && Number.isSafeInteger(wanted) && wanted >= 0;
    if (wanted !== undefined && !isCount)
      throw new RangeError(`seed.${kind} must be a number of records from 0, or an array of records`);
    return [kind, wanted];
  });
  return Object.fromEntries(kinds);
}

function readRecords(kind: SeedKind, records: readonly unknown[], ambiguities: Ambiguities): object[] {
  const ids = new Set<unknown>();
  const keys = new Set<string>();
  return Array.from(records, (record, index) => {
    try {
      const fields = fieldsFromJson(kind, record);
      if (kind === 'contacts') checkRequired(recordKinds[kind], fields);
      if (fields.id !== undefined) claim(ids, fields.id, kind, 'id');
      const field = kind === 'contacts' ? 'email' : 'name';
      const key = uniqueKey(kind, fields[field], ambiguities);
      if (key !== undefined && fields.deleted !== true) claim(keys, key, kind, field);
      return fields;
    } catch (error) {
      throw new RangeError(`seed.${kind}[${index}]: ${(error as Error).message}`);
    }
  });
}

function claim(taken: Set<unknown>, value: unknown, kind: SeedKind, field: string): void {
  if (taken.has(value)) throw new RangeError(`another ${recordKinds[kind].singular} has this ${field}`);
  taken.add(value);
}

const kindOfUniqueName = {
  domain: 'domains',
  tag: 'tags',
  list: 'lists',
  postCategory: 'postCategories',
} as const satisfies Record<Ambiguities['uniqueNames'][number], SeedKind>;

/** Returns the form of a name or an email that no other record may have; `undefined` where others may. */
function uniqueKey(kind: SeedKind, value: RecordJson[string], ambiguities: Ambiguities): string | undefined {
  if (typeof value !== 'string') return undefined;
  const { uniqueNames, emailCase } = ambiguities;
  const isUnique =
    kind === 'contacts' ||
    kind === 'customFields' ||
    uniqueNames.some(name => kindOfUniqueName[name] === kind);
  if (!isUnique) return undefined;
  const ignoresCase = kind === 'domains' || (kind === 'contacts' && emailCase === 'insensitive');
  return ignoresCase ? value.toLowerCase() : value;
}

import { unknownName } from '../rules.ts';
import type { Collection, State } from './collection.ts';
import type { Random } from './random.ts';
import { collectionOf, type Fields } from './read-fields.ts';
import { type ContactRecord, isoSeconds } from './record-kinds.ts';

/**
 * Contact in a seed. Give tags, lists and custom fields by name (unknown names are created) or by id (`tag_…`).
 */
export interface ContactSeed extends Partial<Omit<ContactRecord, 'email' | 'tagNames'>> {
  /** Email address, unique among contacts. */
  readonly email: string;
}

type SeedRecord<T> = T extends ContactRecord ? ContactSeed : Partial<T>;

type SeedOf<Kinds> = {
  readonly [Kind in keyof Kinds]?: Kinds[Kind] extends Collection<infer T>
    ? number | readonly SeedRecord<T>[]
    : never;
};

/** Initial records. For each kind, give a number, or an array of records with the fields that matter to you. */
export interface Seed extends SeedOf<Omit<State, 'events' | 'tagChanges'>> {}

const firstNames =
  'Ada Björn Chloé Dmitri Elif Fatima Grace Hiro Inés João Kwame Lea Mateo Noor Olga Priya'.split(' ');
const lastNames =
  'Álvarez Bauer Chen Dubois Eze Fischer García Haddad Ito Jansen Kaya Lund Müller Novak'.split(' ');
const companies = ['', 'Acme', 'Globex', 'Initech', 'Umbrella, Inc.', 'Örebro Kafé'];

/** Generated contacts are created one minute apart, from this time on. */
const seedEpoch = Date.UTC(2025, 0, 1);

/** Fields of generated records, by kind, in the order in which a seed is added. */
const counted: Readonly<Record<keyof Seed, (number: number) => Fields>> = {
  customFields: number => ({ name: `field-${number}` }),
  lists: number => ({ name: `List ${number}` }),
  tags: number => ({ name: `tag-${number}` }),
  domains: number => ({ name: `mail${number}.example.com` }),
  senders: number => ({
    name: `Sender ${number}`,
    email: `sender${number}@example.com`,
    isWhitelisted: number % 2 === 1,
  }),
  postTags: number => ({ name: `Post tag ${number}` }),
  postCategories: number => ({ name: `Post category ${number}` }),
  templates: number => ({ name: `Template ${number}` }),
  campaigns: number => ({ name: `Campaign ${number}` }),
  contacts: () => ({}),
};
const seedKinds = Object.keys(counted) as readonly (keyof Seed)[];

/**
 * Adds the records of a seed; the same seed and `random` produce the same records. Throws a `RangeError` that names the
 * first invalid record or number.
 */
export function seedState(state: State, seed: Seed, random: Random): void {
  for (const name of Object.keys(seed))
    if (!Object.hasOwn(counted, name)) throw unknownName('kind of record in seed', name, seedKinds);
  for (const kind of seedKinds) {
    const wanted = seed[kind];
    if (Array.isArray(wanted))
      for (const [index, record] of wanted.entries()) addRecord(state, kind, record, index);
    else if (wanted !== undefined) addCounted(state, kind, wanted as number, random);
  }
}

function addRecord(state: State, kind: keyof Seed, record: Fields, index: number): void {
  try {
    collectionOf(state, kind).add(record);
  } catch (error) {
    throw new RangeError(`seed.${kind}[${index}]: ${(error as Error).message}`);
  }
}

function addCounted(state: State, kind: keyof Seed, count: number, random: Random): void {
  if (!Number.isSafeInteger(count) || count < 0)
    throw new RangeError(`seed.${kind} must be a number of records (0 or more), or an array of records`);
  if (kind === 'contacts') addPeople(state, count, random);
  else
    for (let number = 1; number <= count; number++) collectionOf(state, kind).insert(counted[kind](number));
}

function addPeople(state: State, count: number, random: Random): void {
  const lists = state.lists.all.filter(list => !list.deleted).map(list => list.id);
  const tags = state.tags.all.map(tag => tag.id);
  const some = (ids: readonly string[]) =>
    ids.length === 0 || random.next() < 0.5 ? [] : [pick(ids, random)];
  for (let number = 1; number <= count; number++) {
    const time = isoSeconds(new Date(seedEpoch + number * 60_000));
    state.contacts.insert({
      email: `person${number}@example.com`,
      firstName: pick(firstNames, random),
      lastName: pick(lastNames, random),
      company: pick(companies, random),
      lists: some(lists),
      tags: some(tags),
      created: time,
      updated: time,
      contactSource: 1 + random.below(4),
    });
  }
}

function pick<T>(choices: readonly T[], random: Random): T {
  return choices[random.below(choices.length)] as T;
}

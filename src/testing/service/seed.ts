import { noSuch } from '../rules.ts';
import type { Collection, State } from './collection.ts';
import type { Random } from './random.ts';
import { collectionOf, type Fields } from './read-fields.ts';
import type { ContactRecord } from './record-kinds.ts';
import { addPeople, ofContacts } from './seeded-contacts.ts';

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

/** Fields of the records that a number adds, by kind, in the order in which a seed is added. */
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
  templates: number => ({
    name: `Template ${number}`,
    system: number % 4 === 3,
    shared: number % 4 === 0,
  }),
  campaigns: number => ({
    name: `Campaign ${number}`,
    state: campaignStates[(number - 1) % campaignStates.length],
  }),
  contacts: () => ({}),
};
const seedKinds = Object.keys(counted) as readonly (keyof Seed)[];

const campaignStates = ['draft', 'scheduled', 'sent', 'archived', 'sending', 'active'];

/**
 * Adds the records of a seed; the same seed and `random` produce the same records. Throws a `RangeError` that names the
 * first invalid record or number.
 */
export function seedState(state: State, seed: Seed, random: Random): void {
  for (const name of Object.keys(seed))
    if (!Object.hasOwn(counted, name)) throw noSuch('kind of record in seed', name, seedKinds);
  const whole: Seed = isCount(seed.contacts) && seed.contacts > 0 ? { ...ofContacts, ...seed } : seed;
  for (const kind of seedKinds) {
    const wanted = whole[kind];
    if (Array.isArray(wanted))
      for (const [index, record] of wanted.entries()) addRecord(state, kind, record, index);
    else if (wanted !== undefined) addCounted(state, kind, wanted as number, random);
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function addRecord(state: State, kind: keyof Seed, record: Fields, index: number): void {
  try {
    collectionOf(state, kind).add(record);
  } catch (error) {
    throw new RangeError(`seed.${kind}[${index}]: ${(error as Error).message}`);
  }
}

function addCounted(state: State, kind: keyof Seed, count: number, random: Random): void {
  if (!isCount(count))
    throw new RangeError(`seed.${kind} must be a number of records (0 or more), or an array of records.`);
  if (kind === 'contacts') addPeople(state, count, random);
  else
    for (let number = 1; number <= count; number++) collectionOf(state, kind).insert(counted[kind](number));
}

import type { Random } from './random.ts';
import type {
  CampaignRecord,
  ContactRecord,
  CustomFieldRecord,
  DomainRecord,
  ListRecord,
  NamedRecord,
  SenderRecord,
  TemplateRecord,
} from './records.ts';
import { isoSeconds, type State } from './state.ts';

/** Contact of a seed. Tags, lists and custom fields are named by their names, and created if they do not exist. */
export interface ContactSeed extends Partial<Omit<ContactRecord, 'email'>> {
  /** Email address, unique among contacts. */
  readonly email: string;
  /** Values by custom-field name. */
  readonly customFields?: Record<string, string>;
}

/** Records at the start: a number of each kind, or a list of records with the fields that matter. */
export interface Seed {
  /** Custom fields to create, with their types. */
  readonly customFields?: readonly Partial<CustomFieldRecord>[];
  /** Lists to create: a number, or the fields of each. */
  readonly lists?: number | readonly Partial<ListRecord>[];
  /** Tags to create: a number, or the fields of each. */
  readonly tags?: number | readonly Partial<NamedRecord>[];
  /** Contacts to create: a number, or the fields of each. */
  readonly contacts?: number | readonly ContactSeed[];
  /** Sending domains to create: a number, or the fields of each. */
  readonly domains?: number | readonly Partial<DomainRecord>[];
  /** Senders to create: a number, or the fields of each. */
  readonly senders?: number | readonly Partial<SenderRecord>[];
  /** Post tags to create: a number, or the fields of each. */
  readonly postTags?: number | readonly Partial<NamedRecord>[];
  /** Post categories to create: a number, or the fields of each. */
  readonly postCategories?: number | readonly Partial<NamedRecord>[];
  /** Email templates to create: a number, or the fields of each. */
  readonly templates?: number | readonly Partial<TemplateRecord>[];
  /** Campaigns to create: a number, or the fields of each. */
  readonly campaigns?: number | readonly Partial<CampaignRecord>[];
}

const firstNames =
  'Ada Björn Chloé Dmitri Elif Fatima Grace Hiro Inés João Kwame Lea Mateo Noor Olga Priya'.split(' ');
const lastNames =
  'Álvarez Bauer Chen Dubois Eze Fischer García Haddad Ito Jansen Kaya Lund Müller Novak'.split(' ');
const companies = ['', 'Acme', 'Globex', 'Initech', 'Umbrella, Inc.', 'Örebro Kafé'];

/** The first contact of a counted seed is a minute older than the second, and so on, from this time. */
const seedEpoch = Date.UTC(2025, 0, 1);

/** Adds the records of a seed to a state; the same seed and the same `random` give the same records. */
export function seedState(state: State, seed: Seed, random: Random): void {
  for (const field of seed.customFields ?? []) state.customFields.add(field);
  addAll(state.lists, seed.lists, number => ({ name: `List ${number}` }));
  addAll(state.tags, seed.tags, number => ({ name: `tag-${number}` }));
  addAll(state.domains, seed.domains, number => ({ name: `mail${number}.example.com` }));
  addAll(state.senders, seed.senders, number => ({
    name: `Sender ${number}`,
    email: `sender${number}@example.com`,
    isWhitelisted: number % 2 === 1,
  }));
  addAll(state.postTags, seed.postTags, number => ({ name: `Post tag ${number}` }));
  addAll(state.postCategories, seed.postCategories, number => ({ name: `Post category ${number}` }));
  addAll(state.templates, seed.templates, number => ({ name: `Template ${number}` }));
  addAll(state.campaigns, seed.campaigns, number => ({ name: `Campaign ${number}` }));
  if (typeof seed.contacts === 'number') addPeople(state, seed.contacts, random);
  else for (const contact of seed.contacts ?? []) addContact(state, contact);
}

function addAll<T>(
  collection: { add(fields: Partial<T>): T },
  wanted: number | readonly Partial<T>[] | undefined,
  numbered: (number: number) => Partial<T>,
): void {
  if (typeof wanted !== 'number') {
    for (const fields of wanted ?? []) collection.add(fields);
    return;
  }
  for (let number = 1; number <= wanted; number++) collection.add(numbered(number));
}

function addPeople(state: State, count: number, random: Random): void {
  const lists = state.lists.all.filter(list => !list.deleted).map(list => list.id);
  const tags = state.tags.all.map(tag => tag.id);
  const some = (ids: readonly string[]) =>
    ids.length === 0 || random.next() < 0.5 ? [] : [pick(ids, random)];
  for (let number = 1; number <= count; number++) {
    const time = isoSeconds(new Date(seedEpoch + number * 60_000));
    state.contacts.add({
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

function addContact(state: State, seed: ContactSeed): void {
  const { tags = [], lists = [], customFields = {}, ...fields } = seed;
  state.contacts.add({
    ...fields,
    tags: tags.map(name => (state.tags.get(name) ?? state.tags.named(name) ?? state.tags.add({ name })).id),
    lists: lists.map(
      name => (state.lists.get(name) ?? state.lists.named(name) ?? state.lists.add({ name })).id,
    ),
    customFields: Object.fromEntries(
      Object.entries(customFields).map(([name, value]) => [
        (state.customFields.named(name) ?? state.customFields.add({ name })).id,
        value,
      ]),
    ),
  });
}

function pick<T>(choices: readonly T[], random: Random): T {
  return choices[random.below(choices.length)] as T;
}

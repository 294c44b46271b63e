import type { State } from './collection.ts';
import type { Random } from './random.ts';
import { type ContactRecord, isoSeconds } from './record-kinds.ts';

/**
 * Records that numbered contacts refer to, unless the seed contains others. The names of tags and custom fields differ from
 * those in the examples.
 */
export const ofContacts = {
  lists: [{ name: 'All contacts', system: true }, { name: 'Newsletter' }, { name: 'Customers' }],
  tags: ['early-adopter', 'webinar', 'partner', 'inactive'].map(name => ({ name })),
  customFields: [{ name: 'edition' }, { name: 'seats', type: 'number' as const }],
};

const firstNames =
  'Ada Björn Chloé Dmitri Elif Fatima Grace Hiro Inés João Kwame Lea Mateo Noor Olga Priya'.split(' ');
const lastNames =
  'Álvarez Bauer Chen Dubois Eze Fischer García Haddad Ito Jansen Kaya Lund Müller Novak'.split(' ');
const companies = ['', 'Acme', 'Globex', 'Initech', 'Umbrella, Inc.', 'Örebro Kafé'];
/** Values of custom fields of type string. */
const editions = ['free', 'team', 'business'];

/** Contacts were created within these two years, the oldest first. */
const firstCreated = Date.UTC(2024, 0, 1);
const lastCreated = Date.UTC(2026, 0, 1);
const dayMs = 86_400_000;

/** Origins of contacts: 1 API or manual, 2 import, 3 form, 4 integration. A form adds a page and tracking data. */
const origins: readonly Partial<ContactRecord>[] = [
  { contactSource: 1 },
  { contactSource: 2 },
  { contactSource: 4 },
  ...['spring', 'launch', 'webinar'].map(campaign => ({
    contactSource: 3,
    trackData: `utm_source=newsletter&utm_campaign=${campaign}`,
    pageSource: `https://www.example.com/${campaign}`,
    lastTrackedIp: '203.0.113.7',
  })),
];

/** Adds contacts, named `person1@example.com` and so on. The first eleven have no delivery flags; some of the others do. */
export function addPeople(state: State, count: number, random: Random): void {
  const lists = state.lists.all.filter(list => !list.deleted).map(list => list.id);
  const tags = state.tags.all.map(tag => tag.id);
  const step = (lastCreated - firstCreated) / count;
  for (let number = 1; number <= count; number++) {
    const created = firstCreated + (number - 1 + random.next()) * step;
    state.contacts.insert({
      email: `person${number}@example.com`,
      firstName: pick(firstNames, random),
      lastName: pick(lastNames, random),
      company: pick(companies, random),
      birthday: random.next() < 0.4 ? birthday(random) : '',
      lists: some(lists, random),
      tags: some(tags, random),
      customFields: fieldValues(state, random),
      ...flagsOf(number),
      ltv: random.next() < 0.3 ? 990 * (1 + random.below(40)) : 0,
      ...pick(origins, random),
      created: isoSeconds(new Date(created)),
      updated: isoSeconds(new Date(created + random.below(90) * dayMs)),
    });
  }
}

/** Returns a date of birth from 1965 to 2004. */
function birthday(random: Random): string {
  return new Date(Date.UTC(1965, 0, 1) + random.below(40 * 365) * dayMs).toISOString().slice(0, 10);
}

/** Returns the delivery flags of the contact with this number, each with a typical frequency. */
function flagsOf(number: number): Partial<ContactRecord> {
  return {
    unsubscribed: number % 12 === 0,
    bounced: number % 25 === 0,
    spam: number % 90 === 0,
    blocked: number % 110 === 0,
    dropped: number % 70 === 0,
  };
}

/** Returns values for most custom fields; a number field gets a number. */
function fieldValues(state: State, random: Random): Record<string, string> {
  const values: Record<string, string> = {};
  for (const { id, type } of state.customFields)
    if (random.next() < 0.7) values[id] = type === 'number' ? `${random.below(200)}` : pick(editions, random);
  return values;
}

/** Returns none, one or two of the ids. */
function some(ids: readonly string[], random: Random): readonly string[] {
  const first = random.below(2 * ids.length);
  const second = random.below(4 * ids.length);
  return ids.filter((_, index) => index === first || index === second);
}

function pick<T>(choices: readonly T[], random: Random): T {
  return choices[random.below(choices.length)] as T;
}

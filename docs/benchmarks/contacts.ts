// Contacts and import rows for the benchmarks' server and workers.
const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** An id of the service's own form, which holds the record's number so that a page can start after any id. */
export const idOf = (prefix: string, index: number): string => prefix + String(index).padStart(22, '0');

const word = (seed: number, length: number): string => {
  let text = '';
  for (let state = seed + 1, left = length; left > 0; left--) {
    state = (state * 48_271) % 2_147_483_647;
    text += letters[state % letters.length];
  }
  return text;
};

const contact = (index: number): Record<string, unknown> => ({
  id: idOf('contact_', index),
  firstName: word(index, 6),
  lastName: word(index + 7, 9),
  email: `${word(index, 8).toLowerCase()}.${index}@customers.example`,
  company: `${word(index + 3, 8)} GmbH`,
  customFields: {
    [`field_${word(1, 22)}`]: String(index % 90),
    [`field_${word(2, 22)}`]: 'Käufer, São Paulo',
    [`field_${word(3, 22)}`]: '2025-11-02',
  },
  lists: [`list_${word(4, 22)}`, `list_${word(5, 22)}`],
  tags: [`tag_${word(6, 22)}`, `tag_${word(7, 22)}`, `tag_${word(index % 40, 22)}`],
  unsubscribed: index % 11 === 0,
  bounced: false,
  spam: false,
  blocked: false,
  dropped: false,
  created: '2025-03-14T09:26:53Z',
  updated: '2025-12-22T09:04:10Z',
  trackData: index % 3 ? '' : 'utm_source=newsletter&utm_medium=email&utm_campaign=spring',
  contactSource: 1 + (index % 4),
  pageSource: 'https://www.customers.example/sign-up',
  lastTrackedIp: `192.0.2.${index % 256}`,
  ltv: (index * 37) % 100_000,
});

const variety = 1_000;
const templates = Array.from({ length: variety }, (_, index) => JSON.stringify(contact(index)));
const tails = templates.map((text, index) => text.slice(text.indexOf(idOf('', index)) + 22));

/** The JSON text of `count` contacts from number `offset` on: realistic, each with its own id and email. */
export function contactsText(offset: number, count: number): string {
  const records: string[] = [];
  for (let index = offset; index < offset + count; index++) {
    const tail = tails[index % variety] ?? '';
    records.push(`{"id":"${idOf('contact_', index)}${tail}`);
  }
  return `[${records.join(',')}]`;
}

/** A contact as it is imported: what a row of a CSV holds. */
export interface ImportRow {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly company: string;
}

/** Returns `count` rows to import. */
export const importRows = (count: number): ImportRow[] =>
  Array.from({ length: count }, (_, index) => ({
    email: `person.${index}@customers.example`,
    firstName: word(index, 6),
    lastName: word(index + 7, 9),
    company: `${word(index + 3, 8)} GmbH`,
  }));

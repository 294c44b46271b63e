import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import type { Contact, EmailMarketingClient } from 'email-marketing-client';
import { type Row, readRows } from './people.ts';

const columns = ['email', 'firstName', 'lastName', 'company', 'plan', 'tags'];

/** Walks over every contact of the team into a CSV file, a record at a time. */
export async function exportPeople(client: EmailMarketingClient, path: string): Promise<void> {
  const contacts = client.contacts.all({}, { concurrency: 4 });
  await pipeline(contacts, toRows, stringify({ header: true, columns }), createWriteStream(path));
}

async function* toRows(contacts: AsyncIterable<Contact>) {
  for await (const { email, firstName, lastName, company, customFields, tags } of contacts) {
    // The plan is the only custom field that this team has.
    const [plan = ''] = Object.values(customFields);
    yield { email, firstName, lastName, company, plan, tags: tags.join(';') };
  }
}

/** Reads an exported file back: its rows by email in small letters, and how many there are. */
export async function readExport(path: string): Promise<{ rows: Map<string, Row>; count: number }> {
  const rows = new Map<string, Row>();
  let count = 0;
  const fail = (line: number, reason: string) => {
    throw new Error(`line ${line}: ${reason}`);
  };
  for await (const { row } of readRows(path, fail)) {
    rows.set(row.email.toLowerCase(), row);
    count += 1;
  }
  return { rows, count };
}

/** The emails of those who differ between what was brought in and what was taken out. */
export function differences(
  broughtIn: ReadonlyMap<string, Row>,
  takenOut: ReadonlyMap<string, Row>,
): readonly string[] {
  const emails = new Set([...broughtIn.keys(), ...takenOut.keys()]);
  const same = (email: string) =>
    (['firstName', 'lastName', 'company', 'plan'] as const).every(
      cell => broughtIn.get(email)?.[cell] === takenOut.get(email)?.[cell],
    );
  return [...emails].filter(email => !broughtIn.has(email) || !takenOut.has(email) || !same(email));
}

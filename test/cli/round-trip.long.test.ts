import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Sandbox } from '../../src/testing/index.ts';
import { contacts, type PlainContact } from './random-contacts.ts';
import { everyone, stageBuilt as stage } from './run-cli.ts';

/** Adds contacts to a sandbox. */
const fill = ({ state }: Sandbox, people: readonly PlainContact[]) => {
  for (const { email, firstName, lastName, company } of people)
    state.contacts.add({ email, firstName, lastName, company });
};

/** Reads contacts out of a sandbox. */
const contactsOf = ({ state }: Sandbox) =>
  state.contacts.all.map(({ email, firstName, lastName, company }) => ({
    email,
    firstName,
    lastName,
    company,
  }));

/** Exports from one sandbox and imports into an empty one. */
async function roundTrip(people: readonly PlainContact[], ...flags: string[]) {
  await using full = await stage();
  await using empty = await stage();
  fill(full.sandbox, people);
  const file = empty.path('contacts.csv');
  const exported = await full.run('export', '--out', file, ...flags);
  expect(exported).toMatchObject({ code: 0 });
  const imported = await empty.run('import', file, ...everyone, '--concurrency', '16', '--json');
  expect(JSON.parse(imported.stdout)).toMatchObject({
    rows: people.length,
    sent: people.length,
  });
  expect(empty.sandbox.state.tags.size).toBe(0);
  const byEmail = (one: { readonly email: string }, other: { readonly email: string }) =>
    one.email < other.email ? -1 : 1;
  return [contactsOf(full.sandbox).sort(byEmail), contactsOf(empty.sandbox).sort(byEmail)];
}

test.each([[[]], [['--excel']]])(
  'exporting random contacts and importing them into an empty service gives the same contacts (%j)',
  { timeout: 120_000 },
  async flags => {
    await fc.assert(
      fc.asyncProperty(contacts({ minLength: 1, maxLength: 60 }), async people => {
        const [before, after] = await roundTrip(people, ...flags);
        expect(after).toEqual(before);
      }),
      { numRuns: 6 },
    );
  },
);

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Sandbox } from '../../src/testing/index.ts';
import { allNames, contacts, type PlainContact } from './random-contacts.ts';
import { everyone, stageBuilt as stage } from './run-cli.ts';

/** Adds contacts to a sandbox, with their tags and custom fields by id. */
function fill({ state }: Sandbox, people: readonly PlainContact[]): { tags: object; customFields: object } {
  const tags = new Map(allNames.tags.map(name => [name, state.tags.add({ name }).id]));
  const fields = new Map(
    allNames.customFields.map(name => [name, state.customFields.add({ name, type: 'string' }).id]),
  );
  for (const person of people) {
    const values = Object.entries(person.customFields).map(([name, value]) => [
      fields.get(name) ?? '',
      value,
    ]);
    state.contacts.add({
      ...person,
      tags: person.tags.map(name => tags.get(name) ?? ''),
      customFields: Object.fromEntries(values),
    });
  }
  const byId = (names: ReadonlyMap<string, string>) =>
    Object.fromEntries([...names].map(([name, id]) => [id, name]));
  return { tags: byId(tags), customFields: byId(fields) };
}

/** Reads contacts out of a sandbox: tags and custom fields by name. */
function contactsOf({ state }: Sandbox): PlainContact[] {
  const tags = new Map(state.tags.all.map(({ id, name }) => [id, name]));
  const fields = new Map(state.customFields.all.map(({ id, name }) => [id, name]));
  return state.contacts.all.map(({ email, firstName, lastName, company, tags: tagIds, customFields }) => ({
    email,
    firstName,
    lastName,
    company,
    tags: tagIds.map(id => tags.get(id) ?? id).sort(),
    customFields: Object.fromEntries(
      Object.entries(customFields)
        .map(([id, value]): [string, string] => [fields.get(id) ?? id, value])
        .sort(),
    ),
  }));
}

/** Exports from one sandbox and imports into an empty one. */
async function roundTrip(
  people: readonly PlainContact[],
  ...flags: string[]
): Promise<[PlainContact[], PlainContact[]]> {
  await using full = await stage();
  await using empty = await stage();
  full.write('names.json', JSON.stringify(fill(full.sandbox, people)));
  const file = empty.path('contacts.csv');
  const exported = await full.run('export', '--out', file, '--names', 'names.json', ...flags);
  expect(exported).toMatchObject({ code: 0 });
  const imported = await empty.run('import', file, ...everyone, '--concurrency', '16', '--json');
  expect(JSON.parse(imported.stdout)).toMatchObject({
    rows: people.length,
    sent: people.length,
  });
  const names = empty.sandbox.state.tags.all.map(({ name }) => name);
  expect(names.filter(name => !allNames.tags.includes(name))).toEqual([]);
  const byEmail = (one: PlainContact, other: PlainContact) => (one.email < other.email ? -1 : 1);
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

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Sandbox } from '../../src/testing/index.ts';
import { stageBuilt as stage } from './run-cli.ts';

/** A contact as an import can set it. */
interface PlainContact {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly company: string;
  readonly tags: readonly string[];
  readonly customFields: Readonly<Record<string, string>>;
}

/** Text that naive readers of CSV cannot read, or that a spreadsheet would run. */
const nasty = fc.constantFrom(
  ...['=1+1', "'=1+1", "''=1+1", '+44 20 7946 0958', '-3', '@SUM(A1)', "'", "'+", '＝1', '\t=1', "O'Brien"],
  ...['say "hi"', '"', '""', 'a;b', 'a;"b";c', ';', 'a,b', ' a', 'a ', ' ', '\u00a0', '\ufeffa', '\\', '\\;'],
  ...[
    'line\nbreak',
    'line\r\nbreak',
    'line\rbreak',
    '\n',
    '\r',
    '"\n"',
    '😀',
    '👩‍👩‍👧',
    'Zoë',
    '株式会社',
    '\u2028',
    'null',
    '0',
  ],
);

/** Any text that the service stores unchanged. */
const anyText = fc.oneof(
  nasty,
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constant(''),
);

/** A `++` or `--` at the start of a custom field is an instruction to the service, not a value. */
const fieldValue = anyText.filter(text => text !== '' && !/^(\+\+|--)/.test(text));

const tagNames = [
  'vip',
  'a;b',
  'of two words',
  '"quoted"',
  '=1+1',
  "'=1",
  '@home',
  'line\nbreak',
  '😀',
  ';',
  '"',
];
const fieldNames = ['plan', 'a,b', '=1', 'say "hi"', 'line\nbreak', 'customFields.x', ' spaced '];

const contact = fc.record({
  firstName: anyText,
  lastName: anyText,
  company: anyText,
  tags: fc.subarray(tagNames),
  customFields: fc
    .array(fc.tuple(fc.constantFrom(...fieldNames), fieldValue), { maxLength: 4 })
    .map((entries): Record<string, string> => Object.fromEntries(entries)),
});

/** Contacts with different addresses. */
const contacts = (size: { readonly minLength: number; readonly maxLength: number }) =>
  fc
    .array(contact, size)
    .map(several =>
      several.map((one, index): PlainContact => ({ ...one, email: `p${index}+a.b@example.com` })),
    );

/** Every tag and custom field that such contacts can have. */
const allNames = { tags: tagNames, customFields: fieldNames };

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
  const imported = await empty.run('import', file, '--yes', '--concurrency', '16', '--json');
  expect(JSON.parse(imported.stdout)).toMatchObject({
    rows: people.length,
    sent: people.length,
    created: people.length,
  });
  const names = empty.sandbox.state.tags.all.map(({ name }) => name);
  expect(names.filter(name => !allNames.tags.includes(name))).toEqual([]);
  const byEmail = (one: PlainContact, other: PlainContact) => (one.email < other.email ? -1 : 1);
  return [contactsOf(full.sandbox).sort(byEmail), contactsOf(empty.sandbox).sort(byEmail)];
}

test.each([[[]], [['--no-safe-cells']], [['--excel']]])(
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

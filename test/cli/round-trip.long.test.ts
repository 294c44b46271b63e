import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stageBuilt as stage } from './run-cli.ts';

/** Text that naive readers of CSV cannot read, or that a spreadsheet would run. */
const nasty = fc.constantFrom(
  ...['=1+1', "'=1+1", "''=1+1", '+44 20 7946 0958', '-3', '@SUM(A1)', "'", "'+", '＝1', '\t=1', "O'Brien"],
  ...['say "hi"', '"', '""', 'a;b', 'a;"b";c', ';', 'a,b', ' a', 'a ', ' ', '\u00a0', '\ufeffa', '\\', '\\;'],
  ...['line\nbreak', 'line\r\nbreak', 'line\rbreak', '\n', '\r', '"\n"', '😀', '👩‍👩‍👧', 'Zoë', '株式会社'],
  ...['\u2028', 'null', '0'],
);

/** Any text that the service stores unchanged. */
const text = fc.oneof(nasty, fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.constant(''));

/** Contacts with different addresses. */
const contacts = fc
  .array(fc.record({ firstName: text, lastName: text, company: text }), {
    minLength: 1,
    maxLength: 60,
  })
  .map(several => several.map((one, index) => ({ ...one, email: `p${index}+a.b@example.com` })));

test.each([[[]], [['--excel']]])(
  'exporting random contacts and importing them into an empty service gives the same contacts (%j)',
  { timeout: 120_000 },
  async flags => {
    await fc.assert(
      fc.asyncProperty(contacts, async people => {
        await using full = await stage();
        await using empty = await stage();
        for (const person of people) full.sandbox.state.contacts.add(person);
        const file = empty.path('contacts.csv');
        expect(await full.run('export', '--out', file, ...flags)).toMatchObject({ code: 0 });
        const { stdout } = await empty.run('import', file, '--yes', '--concurrency', '16', '--json');
        expect(JSON.parse(stdout)).toMatchObject({ rows: people.length, sent: people.length });
        const { contacts, tags } = empty.sandbox.state;
        expect([contacts.size, tags.size]).toEqual([people.length, 0]);
        for (const person of people) expect(contacts.named(person.email)).toMatchObject(person);
      }),
      { numRuns: 6 },
    );
  },
);

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../support/any-text.ts';
import { stageBuilt as stage } from './run-cli.ts';

/** Contacts with different addresses. */
const contacts = fc
  .array(fc.record({ firstName: anyText, lastName: anyText, company: anyText }), {
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
        const { stdout } = await empty.run('import', file, '--yes', '--json');
        expect(JSON.parse(stdout)).toMatchObject({ rows: people.length, sent: people.length });
        const { contacts, tags } = empty.sandbox.state;
        expect([contacts.size, tags.size]).toEqual([people.length, 0]);
        for (const person of people) expect(contacts.named(person.email)).toMatchObject(person);
      }),
      { numRuns: 6 },
    );
  },
);

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contacts } from './random-contacts.ts';
import { everyone, stageBuilt as stage } from './run-cli.ts';

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
        const { stdout } = await empty.run('import', file, ...everyone, '--concurrency', '16', '--json');
        expect(JSON.parse(stdout)).toMatchObject({ rows: people.length, sent: people.length });
        const { contacts, tags } = empty.sandbox.state;
        expect([contacts.size, tags.size]).toEqual([people.length, 0]);
        for (const person of people) expect(contacts.named(person.email)).toMatchObject(person);
      }),
      { numRuns: 6 },
    );
  },
);

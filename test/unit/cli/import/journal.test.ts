import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type JournalHead, openJournal } from '../../../../src/cli/import/journal.ts';

const folder = mkdtempSync(join(tmpdir(), 'journal-'));
afterAll(() => rmSync(folder, { recursive: true }));

const head: JournalHead = {
  ...{ version: 1, sha256: 'a', mapping: ['email', null], rows: 4 },
  reading: { encoding: 'utf-8' },
};

test('a row that is being sent is in the file before recordSending resolves, behind what was recorded before', async () => {
  const path = join(folder, 'sending.journal');
  const journal = await openJournal(path, head, {});
  journal.record(0, 'created');
  journal.record(1, 'rejected', 'email must be an email address');
  await journal.recordSending(2);
  const lines = readFileSync(path, 'utf8').trim().split('\n').slice(1);
  expect(lines.map(line => JSON.parse(line))).toEqual([
    [0, 'created'],
    [1, 'rejected', 'email must be an email address'],
    [2, 'sending'],
  ]);
  await journal.close();
});

test('a journal resumes behind a line that was cut short, which counts as not written', async () => {
  const path = join(folder, 'torn.journal');
  const first = await openJournal(path, head, {});
  first.record(0, 'sent');
  await first.close();
  appendFileSync(path, '[1,"sen');
  const second = await openJournal(path, head, {});
  expect([0, 1].map(index => second.statuses.get(index))).toEqual(['sent', 'pending']);
  second.record(1, 'updated');
  await second.close();
  const third = await openJournal(path, head, {});
  expect([0, 1, 2].map(index => third.statuses.get(index))).toEqual(['sent', 'updated', 'pending']);
  await third.close();
});

/** Statuses of the rows when the journal is opened again after an import of which so many rows were sent. */
async function reopened(
  sent: number,
  choice: object,
  other: Partial<JournalHead> = {},
  finishes = sent === 4,
): Promise<string[]> {
  const path = join(folder, 'choice.journal');
  rmSync(path, { force: true });
  const first = await openJournal(path, head, {});
  for (let index = 0; index < sent; index += 1) first.record(index, 'sent');
  if (finishes) first.finish();
  await first.close();
  const second = await openJournal(path, { ...head, ...other }, choice);
  await second.close();
  return [0, 1, 2, 3].map(index => second.statuses.get(index));
}

const [all, none] = [
  ['sent', 'sent', 'sent', 'sent'],
  ['pending', 'pending', 'pending', 'pending'],
];

test('an import that was killed before its end is resumed by --restart, even if every row was sent', async () => {
  expect(await reopened(4, { restart: true }, {}, false)).toEqual(all);
});

test.each([{ sha256: 'b' }, { mapping: ['email', 'company'] }, { reading: { encoding: 'utf-16le' } }])(
  'an unfinished import of what is now %j is resumed by nothing, and forgotten by discard only',
  async other => {
    await expect(reopened(2, {}, other)).rejects.toThrow(/has changed .* 2 of 4 rows to send; --discard/);
    await expect(reopened(2, { restart: true }, other)).rejects.toThrow(/--discard/);
    expect(await reopened(2, { discard: true }, other)).toEqual(none);
    expect(await reopened(4, {}, other)).toEqual(none);
    expect(await reopened(0, {}, other)).toEqual(none);
  },
);

test.each(['', 'email,firstName\n', '{}\n', '{"version":2,"rows":1}\n'])(
  'a file that is not a journal is refused: %j',
  async text => {
    const path = join(folder, 'other.journal');
    writeFileSync(path, text);
    await expect(openJournal(path, head, {})).rejects.toThrow(/is not the journal of an import/);
    expect(readFileSync(path, 'utf8')).toBe(text);
  },
);

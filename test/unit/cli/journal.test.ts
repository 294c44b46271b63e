import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { FileJournal, type JournalHead, readJournalHead } from '../../../src/cli/import/journal.ts';

const folder = mkdtempSync(join(tmpdir(), 'journal-'));
afterAll(() => rmSync(folder, { recursive: true }));

const head: JournalHead = { version: 1, sha256: 'a', mapping: ['email', null], rows: 4 };

test('a row that is being sent is in the file before recordSending resolves, behind what was recorded before', async () => {
  const path = join(folder, 'sending.journal');
  const journal = await FileJournal.create(path, head);
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
  const first = await FileJournal.create(path, head);
  first.record(0, 'sent');
  await first.close();
  appendFileSync(path, '[1,"sen');
  expect(await readJournalHead(path)).toEqual(head);
  const second = await FileJournal.resume(path, head);
  expect([0, 1].map(index => second.statuses.get(index))).toEqual(['sent', 'pending']);
  second.record(1, 'updated');
  await second.close();
  const third = await FileJournal.resume(path, head);
  expect([0, 1, 2].map(index => third.statuses.get(index))).toEqual(['sent', 'updated', 'pending']);
  await third.close();
});

test.each(['', 'email,firstName\n', '{}\n', '{"version":2,"rows":1}\n'])(
  'a file that is no journal is refused: %j',
  async text => {
    const path = join(folder, 'other.journal');
    writeFileSync(path, text);
    await expect(readJournalHead(path)).rejects.toThrow(/is not the journal of an import/);
  },
);

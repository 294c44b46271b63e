import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { Journal, type JournalHead, readJournal } from '../../../../src/cli/import/journal.ts';

const folder = mkdtempSync(join(tmpdir(), 'journal-'));
afterAll(() => rmSync(folder, { recursive: true }));

const head: JournalHead = {
  version: 3,
  sha256: 'a',
  account: 'app.example.com, team 42',
  rows: 4,
  choices: { mailable: ['everyone'] },
};

const create = (path: string) =>
  Journal.create(path, head, {
    sent: new Set(),
    skipped: new Set(),
    once: new Set(),
    excepted: new Set(),
  });

test('creating a journal and recordSending wait until their lines are on the disk', async () => {
  const path = join(folder, 'synced.journal');
  writeFileSync(path, '');
  const file = await open(path);
  const prototype = Object.getPrototypeOf(file);
  await file.close();
  rmSync(path);
  const events: string[] = [];
  const slowly = (name: 'sync' | 'datasync') =>
    vi.spyOn(prototype, name).mockImplementation(async () => {
      await setTimeout(20);
      events.push(name);
    });
  const spies = [slowly('sync'), slowly('datasync')];
  const journal = await create(path);
  events.push('opened');
  await journal.recordSending(2, 8);
  events.push('sent');
  expect(events).toEqual(['sync', 'opened', 'datasync', 'sent']);
  await journal.close();
  for (const spy of spies) spy.mockRestore();
});

test('a journal ignores its last line if it is incomplete, and appends after the others', async () => {
  const path = join(folder, 'torn.journal');
  const first = await create(path);
  first.record(0, 'sent', '', 7);
  await first.close();
  appendFileSync(path, '[1,"sen');
  const torn = await readJournal(path);
  expect([0, 1].map(index => torn?.statuses.get(index))).toEqual(['sent', 'pending']);
  const second = await Journal.resume(path);
  second.record(1, 'sent', '', 8);
  await second.close();
  const third = await readJournal(path);
  expect([0, 1, 2].map(index => third?.statuses.get(index))).toEqual(['sent', 'sent', 'pending']);
  expect(third?.people).toEqual(new Set([7, 8]));
});

test('the people of a journal are those who may have been sent, by it and by those before it', async () => {
  const path = join(folder, 'people.journal');
  const before = {
    sent: new Set([1, 7]),
    skipped: new Set([1, 7]),
    once: new Set([7]),
    excepted: new Set([9]),
  };
  const journal = await Journal.create(path, head, before);
  journal.record(0, 'sent', '', 2);
  journal.record(1, 'rejected', 'reason', 3);
  journal.record(2, 'unknown', 'reason', 4);
  await journal.recordSending(3, 5);
  journal.record(3, 'pending', '', 5);
  await journal.recordSending(3, 6);
  journal.record(3, 'sent', '', 6);
  journal.recordFile('rejected.csv', 'abc');
  journal.finish();
  await journal.close();
  expect(await readJournal(path)).toMatchObject({
    head,
    people: new Set([1, 7, 2, 4, 6]),
    once: new Set([7, 6]),
    before,
    files: new Map([['rejected.csv', 'abc']]),
    isFinished: true,
  });
});

test('a row that was being sent when the process ended is unknown', async () => {
  const path = join(folder, 'killed.journal');
  const journal = await create(path);
  await journal.recordSending(1, 5);
  await journal.close();
  const earlier = await readJournal(path);
  expect(earlier?.statuses.get(1)).toBe('unknown');
  expect(earlier).toMatchObject({ people: new Set([5]), once: new Set([5]) });
});

test.each([
  '',
  'email,firstName\n',
  '{}\n',
  '{"version":2,"rows":1}\n',
  JSON.stringify({ ...head, account: undefined }),
  JSON.stringify({ ...head, account: 42 }),
  ...[3_000_000_000, -1, 1.5, '4'].map(rows => JSON.stringify({ ...head, rows })),
  ...['[4,"sent"]', '[-1,"sent"]', '[0,"done"]', '[0]'].map(line => `${JSON.stringify(head)}\n${line}\n`),
])('a file that is not a journal of this version is refused: %j', async text => {
  const path = join(folder, 'other.journal');
  writeFileSync(path, text);
  await expect(readJournal(path)).rejects.toThrow(
    /is not a journal that this version can read; move it away/,
  );
  expect(readFileSync(path, 'utf8')).toBe(text);
});

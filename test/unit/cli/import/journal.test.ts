import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { type JournalHead, readJournal } from '../../../../src/cli/import/earlier-import.ts';
import type { ImportFlags } from '../../../../src/cli/import/job.ts';
import { Journal } from '../../../../src/cli/import/journal.ts';
import { planImport } from '../../../../src/cli/import/plan.ts';
import { RowStatuses } from '../../../../src/cli/import/row-statuses.ts';

const folder = mkdtempSync(join(tmpdir(), 'journal-'));
afterAll(() => rmSync(folder, { recursive: true }));

const account = { rest: 'api.example.com', legacy: 'app.example.com', team: '42', keys: '1f' };

const head: JournalHead = {
  version: 2,
  account,
  sha256: 'a',
  mapping: ['email', null],
  rows: 4,
  reading: { encoding: 'utf-8' },
};

/** Starts a journal of a file whose rows, should it have changed, are all new. */
async function openAt(path: string, ofFile: JournalHead, choice: Partial<ImportFlags>) {
  const earlier = choice.discard ? undefined : await readJournal(path, ofFile.sha256);
  const findings = { badBirthdays: 0, consentColumns: [] };
  const survey = { findings, checked: new RowStatuses(ofFile.rows), seal: 'seal' };
  const plan = await planImport(path, earlier, ofFile, survey, choice, async function* () {});
  return new Journal(path, await plan.openJournal(), plan.statuses);
}

test('recordSending resolves once its line is in the file, after the lines of earlier records', async () => {
  const path = join(folder, 'sending.journal');
  const journal = await openAt(path, head, {});
  journal.record(0, 'created');
  journal.record(1, 'rejected', 'email must be an email address');
  await journal.recordSending(2);
  const lines = readFileSync(path, 'utf8').trim().split('\n').slice(2);
  expect(lines.map(line => JSON.parse(line))).toEqual([
    [0, 'created'],
    [1, 'rejected', 'email must be an email address'],
    [2, 'sending'],
  ]);
  await journal.close();
});

test('openJournal and recordSending wait until their lines are on the disk', async () => {
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
  const journal = await openAt(path, head, {});
  events.push('opened');
  await journal.recordSending(2);
  events.push('sent');
  expect(events).toEqual(['sync', 'opened', 'datasync', 'sent']);
  await journal.close();
  for (const spy of spies) spy.mockRestore();
});

test('a journal ignores its last line if it is incomplete, and appends after the others', async () => {
  const path = join(folder, 'torn.journal');
  const first = await openAt(path, head, {});
  first.record(0, 'sent');
  await first.close();
  appendFileSync(path, '[1,"sen');
  const second = await openAt(path, head, {});
  expect([0, 1].map(index => second.statuses.get(index))).toEqual(['sent', 'pending']);
  second.record(1, 'updated');
  await second.close();
  const third = await openAt(path, head, {});
  expect([0, 1, 2].map(index => third.statuses.get(index))).toEqual(['sent', 'updated', 'pending']);
  await third.close();
});

/** Returns the statuses of the rows in a journal that is opened again after this many of its rows were sent. */
async function reopened(
  sent: number,
  choice: object,
  other: Partial<JournalHead> = {},
  finishes = sent === 4,
): Promise<string[]> {
  const path = join(folder, 'choice.journal');
  rmSync(path, { force: true });
  const first = await openAt(path, head, {});
  for (let index = 0; index < sent; index += 1) first.record(index, 'sent');
  if (finishes) first.finish();
  await first.close();
  const second = await openAt(path, { ...head, ...other }, choice);
  await second.close();
  return [0, 1, 2, 3].map(index => second.statuses.get(index));
}

const [all, none] = ['sent', 'pending'].map(status => Array.from({ length: 4 }, () => status));

test('--restart resumes an import that was killed before its end, even if every row was sent', async () => {
  expect(await reopened(4, { restart: true }, {}, false)).toEqual(all);
});

test('an import that was killed while it sent every row does not start over with other options', async () => {
  const path = join(folder, 'killed.journal');
  const first = await openAt(path, head, {});
  for (const index of [0, 1, 2, 3]) await first.recordSending(index);
  await first.close();
  await expect(openAt(path, { ...head, mapping: ['email', 'company'] }, {})).rejects.toThrow(/4 of 4/);
});

test.each([
  ['legacy host', { legacy: 'staging.example.com' }],
  ['REST host', { rest: 'staging.example.com' }],
  ['team', { team: '43' }],
])('an import to another %s is not resumed, and the error names both', async (_, other) => {
  const another = { account: { ...account, ...other } };
  const [name = ''] = Object.values(other);
  const belongs = 'belongs to api.example.com and app.example.com, team 42, but this is ';
  const message = (option: string) =>
    new RegExp(`${belongs}.*${name}.*: ${option} forgets that import, and sends every row`);
  await expect(reopened(2, {}, another)).rejects.toThrow(message('--discard'));
  const choice = { restart: true, newKey: true };
  await expect(reopened(2, choice, another)).rejects.toThrow(message('--discard'));
  await expect(reopened(4, {}, another)).rejects.toThrow(message('--restart'));
  expect(await reopened(2, { discard: true }, another)).toEqual(none);
  expect(await reopened(4, { restart: true }, another)).toEqual(none);
  expect(await reopened(0, {}, another)).toEqual(none);
});

test.each([
  '',
  'email,firstName\n',
  '{}\n',
  '{"version":1,"rows":1}\n',
  JSON.stringify({ ...head, account: undefined }),
  JSON.stringify({ ...head, account: { ...account, team: 42 } }),
  ...[3_000_000_000, -1, 1.5, '4'].map(rows => JSON.stringify({ ...head, rows })),
  ...['[4,"sent"]', '[-1,"sent"]', '[0,"sent",{}]', '[0,"done"]', '[0]'].map(
    line => `${JSON.stringify(head)}\n${line}\n`,
  ),
])('a file that is not a journal is refused: %j', async text => {
  const path = join(folder, 'other.journal');
  writeFileSync(path, text);
  await expect(openAt(path, head, {})).rejects.toThrow(/is not a journal of this file/);
  expect(readFileSync(path, 'utf8')).toBe(text);
});

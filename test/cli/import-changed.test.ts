import { existsSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endedWith, identify, sentRows, stage } from './run-cli.ts';

/** A row that counts, so that it must not be sent twice, and one that can be sent again. */
const counts = (name: string, first = name) => `${name}@example.com,${first},++5`;
const sets = (name: string, first = name) => `${name}@example.com,${first},`;
const renames = (name: string) => `${name}@example.com,,,new-${name}@example.com`;
const [a, b, c] = ['a', 'b', 'c'].map(name => counts(name)) as [string, string, string];
const [d, e, f] = ['d', 'e', 'f'].map(name => sets(name)) as [string, string, string];

const header = 'email,firstName,customFields.points';
const fileOf = (rows: readonly string[]): string =>
  `${rows.some(row => row.includes('new-')) ? `${header},newEmail` : header}\n${rows.join('\n')}\n`;
const skipped = (rows: number) =>
  `The file has changed since rows of it were sent: skipping ${rows} row${rows === 1 ? '' : 's'} sent before`;
const edited = /has changed .* lacks 1 row with \+\+, -- or newEmail, .* --restart sends the new rows/;

interface Case {
  readonly name: string;
  readonly first: readonly string[];
  readonly changed: readonly string[];
  readonly options?: readonly string[];
  /** First names of the rows that the second run sends. */
  readonly sent: readonly string[];
  readonly code?: number;
  readonly says: string | RegExp;
}

test.each<Case>([
  { name: 'a row was added', first: [a, b], changed: [a, b, c], sent: ['c'], says: skipped(2) },
  { name: 'rows have another order', first: [a, d, b], changed: [b, d, a], sent: [], says: skipped(3) },
  { name: 'a name was corrected', first: [a, b], changed: [a, counts('b', 'B')], sent: [], says: skipped(2) },
  { name: 'a row was removed', first: [a, b], changed: [a], sent: [], says: skipped(1) },
  { name: 'a counting row is there twice', first: [a], changed: [a, a], sent: ['a'], says: skipped(1) },
  {
    name: 'a counting address was corrected',
    first: [a, b],
    changed: [a, c],
    sent: [],
    code: 2,
    says: edited,
  },
  {
    name: 'it was and --restart',
    first: [a, b],
    changed: [a, c],
    options: ['--restart'],
    sent: ['c'],
    says: skipped(1),
  },
  {
    name: '--restart, with a row that counts',
    first: [a, d],
    changed: [a, d, e],
    options: ['--restart'],
    sent: ['e'],
    says: skipped(2),
  },
  {
    name: '--restart, and it is harmless',
    first: [d, e],
    changed: [d, e, f],
    options: ['--restart'],
    sent: ['d', 'e', 'f'],
    says: 'every row again, which does no harm',
  },
  { name: 'it is harmless', first: [d, e], changed: [d, sets('e', 'E')], sent: ['E'], says: skipped(1) },
  {
    name: '--discard',
    first: [a],
    changed: [a, b],
    options: ['--discard'],
    sent: ['a', 'b'],
    says: 'Sending 2 rows',
  },
  {
    name: 'an email was changed',
    first: [renames('a')],
    changed: [renames('a'), `${d},`],
    sent: ['d'],
    says: skipped(1),
  },
])(
  'a complete import whose file has changed: $name',
  async ({ first, changed, options = [], ...expected }) => {
    await using staged = await stage();
    expect(await staged.importText(fileOf(first))).toMatchObject({ code: 0 });
    const before = sentRows(staged).length;
    const ended = await staged.importText(fileOf(changed), ...options);
    expect(ended).toMatchObject(endedWith(expected.code ?? 0, expected.says));
    expect(
      sentRows(staged)
        .slice(before)
        .map(({ firstName }) => firstName)
        .sort(),
    ).toEqual(expected.sent);
  },
);

/** A sandbox whose third response stops an import. */
async function stageStopping() {
  const staged = await stage({
    onResponse: () => {
      const { requests } = staged.sandbox;
      if (requests.count(identify) === 2) staged.sandbox.fail(identify, { status: 401, times: 1 });
    },
  });
  return staged;
}

test('an import that stopped goes on with a corrected file, and sends no row twice that counts', async () => {
  await using staged = await stageStopping();
  const run = (...rows: string[]) => staged.importText(fileOf(rows), '--concurrency', '1');
  expect(await run(a, b, c)).toMatchObject({ code: 2 });
  expect(await run(counts('a', 'A'), b, c)).toMatchObject(endedWith(0, skipped(2)));
  const sent = staged.sandbox.requests.to(identify).filter(({ status }) => status === 200);
  expect(sent.map(({ body }) => (body as { email: string }).email)).toEqual(
    ['a', 'b', 'c'].map(name => `${name}@example.com`),
  );
});

test('unknown rows are not sent again after the file was corrected, and their file is kept', async () => {
  await using staged = await stage();
  staged.sandbox.fail(identify, { status: 500, times: 1 });
  const run = (...rows: string[]) => staged.importText(fileOf(rows), '--concurrency', '1');
  expect(await run(a, b)).toMatchObject({ code: 1 });
  const unknown = staged.read('people.csv.unknown.csv');
  expect(unknown).toContain('a@example.com');
  expect(await run(a, counts('b', 'B'))).toMatchObject({ code: 1 });
  expect(staged.read('people.csv.unknown.csv')).toBe(unknown);
  // Without its row, the file of unknown rows stays beside.
  expect(await run(b, d)).toMatchObject(
    endedWith(0, 'The unknown rows of the earlier import are in people.csv.unknown.2'),
  );
  const kept = readdirSync(staged.path('.')).filter(name => name.startsWith('people.csv.unknown.'));
  expect(kept.map(name => staged.read(name))).toEqual([unknown, unknown]);
  expect(existsSync(staged.path('people.csv.unknown.csv'))).toBe(false);
  expect(sentRows(staged).map(({ firstName }) => firstName)).toEqual(['a', 'b', 'd']);
});

test('an import without unknown rows deletes no file of them', async () => {
  await using staged = await stageStopping();
  const run = () => staged.importText(fileOf([a, b, c]), '--concurrency', '1');
  expect(await run()).toMatchObject({ code: 2 });
  staged.write('people.csv.unknown.csv', 'of an earlier import');
  expect(await run()).toMatchObject({ code: 0 });
  expect(staged.read('people.csv.unknown.csv')).toBe('of an earlier import');
});

test('people who were sent, and opt out in the changed file, are named; their rows count for no new ones', async () => {
  await using staged = await stage();
  const run = (...rows: string[]) =>
    staged.importText(`email,customFields.points,Status\n${rows.join('\n')}\n`);
  await run('ada@x.test,++1,subscribed', 'bob@x.test,++1,subscribed');
  const warned =
    '2 rows sent before; --discard sends every row. Of these, 1 row now opted out: unsubscribe them';
  expect(await run('ada@x.test,++1,unsubscribed', 'bob@x.test,++1,subscribed')).toMatchObject(
    endedWith(0, warned),
  );
  expect(await run('bob@x.test,++1,subscribed', 'cyd@x.test,++1,unsubscribed')).toMatchObject({ code: 0 });
  expect(sentRows(staged)).toHaveLength(2);
});

test('a row that counts, and is rejected because of another row, is not sent again once that is gone', async () => {
  await using staged = await stage();
  const run = (...rows: string[]) =>
    staged.importText(`email,customFields.points,Status\n${rows.join('\n')}\n`);
  await run('ada@x.test,++5,subscribed');
  await run('ada@x.test,++5,subscribed', 'ada@x.test');
  expect(await run('ada@x.test,++5,subscribed', 'bob@x.test,,subscribed')).toMatchObject({ code: 0 });
  expect(sentRows(staged).map(({ email }) => email)).toEqual(['ada@x.test', 'bob@x.test']);
});

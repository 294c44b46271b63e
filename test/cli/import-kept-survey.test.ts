// The journal keeps what an import found in its file, so that a run that resumes need not read every row before it asks.
import { open } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { endedWith, everyone, identify, sentRows, stage } from './run-cli.ts';

const file = [
  'email,Status,birthday',
  'a@example.com,subscribed,1815-12-10',
  'b@example.com,subscribed,31.12.1999',
  'out@example.com,unsubscribed,',
  'ask@example.com,2,',
  'nobody,subscribed,',
  'bad@example.com,subscribed,12/10',
].join('\n');
const answer = ['--opted-out', 'Status=2'];

/** A sandbox, and an import of the file that was stopped after one row. */
async function stageStopped() {
  const staged = await stage();
  staged.sandbox.fail(identify, { status: 401, after: 1, times: 1 });
  const stopped = await staged.importText(`${file}\n`, '--concurrency', '1', ...answer);
  expect(stopped).toMatchObject(endedWith(2, 'Stopped: legacy.identify: 401'));
  const journal = 'people.csv.journal';
  return {
    ...staged,
    /** Changes the journal, as another program or a person could. */
    edit: (from: string | RegExp, to: string) => {
      const text = staged.read(journal);
      const edited = text.replace(from, to);
      expect(edited).not.toBe(text);
      staged.write(journal, edited);
    },
    /** How often a run reads the file from its start before it asks. */
    passes: async (...args: string[]) => {
      const handle = await open(staged.path(journal));
      const read = vi.spyOn(Object.getPrototypeOf(handle), 'read');
      await handle.close();
      const ended = await staged.run('import', 'people.csv', ...args);
      const passes = read.mock.calls.filter(([, , , position]) => position === 0).length;
      read.mockRestore();
      return { ...ended, passes };
    },
    [Symbol.asyncDispose]: () => staged[Symbol.asyncDispose](),
  };
}

const sentBy = (staged: Awaited<ReturnType<typeof stage>>) =>
  sentRows(staged).map(({ email }) => String(email));

test('an import that resumes asks without reading its rows again, and sends the same', async () => {
  await using staged = await stageStopped();
  const asked = await staged.passes();
  expect(asked).toMatchObject(endedWith(2, 'nothing was sent, because standard input is not a terminal'));
  // One for the bytes, which are hashed, and one for the header.
  expect(asked.passes).toBe(2);
  for (const text of [
    '6 rows',
    'birthday → birthday, read as DD.MM.YYYY',
    'Status: ignored, but used to find',
  ])
    expect(asked.stderr).toContain(text);
  const resumed = await staged.run('import', 'people.csv', ...everyone, '--json');
  expect(resumed.stderr).toContain('Resuming after 3 rows');
  const report = { rows: 6, sent: 2, rejected: 2, optedOut: 2, pending: 0, badBirthdays: 1 };
  expect(JSON.parse(resumed.stdout)).toMatchObject(report);
  expect(sentRows(staged).at(-1)).toEqual({ email: 'b@example.com', birthday: '1999-12-31' });
  expect(staged.read('people.csv.opted-out.csv').match(/(?:out|ask)@example\.com/g)).toHaveLength(2);
  expect(staged.read('people.csv.rejected.csv')).toContain('email must be an email address');
});

test('the answers of the first run need not be repeated, but can be', async () => {
  await using staged = await stageStopped();
  expect(await staged.passes(...answer)).toMatchObject({ passes: 2 });
  const { passes, ...ended } = await staged.passes('--mailable', 'Status=2');
  expect(passes).toBe(3);
  expect(ended).toMatchObject(endedWith(2, 'nothing was sent'));
});

test.each([['--bad-birthdays', 'skip'], ['--include-opted-out'], ['--encoding', 'utf-8']])(
  'every row is read again with %s',
  async (...args) => {
    await using staged = await stageStopped();
    expect(await staged.passes(...args)).toMatchObject({ passes: 3 });
  },
);

test('every row is read again if the file has changed', async () => {
  await using staged = await stageStopped();
  staged.write('people.csv', `${file}\nc@example.com,unsubscribed,\n`);
  await staged.run('import', 'people.csv', ...everyone);
  expect(sentBy(staged)).toEqual(['a@example.com', 'b@example.com', 'b@example.com']);
});

const optedOut = /^\[2,"opted-out".*\n/m;

test.each<[what: string, from: string | RegExp, to: string]>([
  ['a person who opted out was removed', optedOut, ''],
  ['a person who opted out was made pending', '[2,"opted-out"', '[2,"pending"'],
  ['an answer was changed', '["opted-out","Status=2"]', '["opted-out","Status=3"]'],
  ['what was found was changed', '"badBirthdays":1', '"badBirthdays":0'],
  ['the seal was changed', /"seal":"./, '"seal":"-'],
  ['the seal is a number', /"seal":".*?"/, '"seal":1'],
  ['what was found is a text', /"findings":\{.*?\}/, '"findings":"none"'],
  ['what was found is gone', /^\{"findings".*\n/m, ''],
])('every row is read again, and nobody who opted out is sent, if in the journal %s', async (_, from, to) => {
  await using staged = await stageStopped();
  staged.edit(from, to);
  const asked = await staged.passes();
  expect(asked.passes).toBe(3);
  await staged.run('import', 'people.csv', ...everyone);
  expect(sentBy(staged)).not.toContain('out@example.com');
  if (!asked.stderr.includes('Question')) expect(sentBy(staged)).not.toContain('ask@example.com');
});

test('nobody who opted out is sent if a later line of the journal says that the row is pending', async () => {
  await using staged = await stageStopped();
  staged.edit(/\n*$/, '\n[2,"pending"]\n[3,"pending"]\n');
  expect(await staged.passes()).toMatchObject({ passes: 2 });
  expect(await staged.run('import', 'people.csv', ...everyone)).toMatchObject({ code: 1 });
  expect(sentBy(staged)).toEqual(['a@example.com', 'b@example.com', 'b@example.com']);
});

// What was sent is remembered by content: the same command resumes, and sends what has changed.
import { appendFileSync, existsSync, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { describe, expect, test, vi } from 'vitest';
import {
  endedWith,
  everyone,
  identify,
  mailable,
  sentAddresses,
  sentRows,
  stage,
  unless,
} from './run-cli.ts';

/** A sandbox and a file; `import` imports it row by row, and returns the report and who was sent. */
async function stageFile(...lines: string[]) {
  const staged = await stage();
  const write = (...rows: string[]) => staged.write('people.csv', rows.map(row => `${row}\n`).join(''));
  write(...lines);
  return {
    ...staged,
    write,
    async import(...args: string[]) {
      const before = sentRows(staged).length;
      const who = args.includes('--mailable') ? ['--yes'] : everyone;
      const ended = await staged.run('import', 'people.csv', ...who, '--concurrency', '1', '--json', ...args);
      const sent = sentRows(staged)
        .slice(before)
        .map(({ email }) => String(email));
      return { ...ended, report: JSON.parse(ended.stdout), sent };
    },
    /** Stops the next import by an error of the service after this many rows. */
    stopAfter: (rows: number) => staged.sandbox.fail(identify, { status: 401, times: 1, after: rows }),
    other: (name: string, text: string) => staged.write(name, text),
    list: () => readdirSync(staged.path('.')).sort(),
  };
}

const header = 'email,firstName,Status,agreed';
const [ada, bob, cyd] = ['ada@x.test,Ada,on', 'bob@x.test,Bob,on', 'cyd@x.test,Cyd,off'] as const;

describe('the same command', () => {
  test('resumes an import that stopped', async () => {
    await using staged = await stageFile(header, ada, bob, cyd);
    staged.stopAfter(1);
    const stopped = await staged.import();
    expect(stopped).toMatchObject(endedWith(2, 'To go on, run the same command again'));
    expect(stopped.report).toMatchObject({ sent: 1, pending: 2 });
    const resumed = await staged.import();
    expect(resumed.sent).toEqual(['bob@x.test', 'cyd@x.test']);
    expect(resumed.report).toMatchObject({ sent: 2, sentBefore: 1, pending: 0 });
  });

  test('sends nothing of a complete import, and --again all of it', async () => {
    await using staged = await stageFile(header, ada, bob);
    await staged.import();
    const again = await staged.import();
    expect(again).toMatchObject({ sent: [], ...endedWith(0, 'Nothing is left to send.') });
    expect((await staged.import('--again')).sent).toEqual(['ada@x.test', 'bob@x.test']);
  });

  test('sends new and changed rows of a file that grows, wherever they and their columns are', async () => {
    await using staged = await stageFile(
      'email,firstName,company,agreed',
      'ada@x.test,Ada,E',
      'bob@x.test,Bob,F',
    );
    await staged.import();
    staged.write(
      'company,firstName,email,agreed',
      'G,Dora,dora@x.test',
      'F,Bob,bob@x.test',
      'E,Augusta,ada@x.test',
    );
    expect((await staged.import()).sent).toEqual(['dora@x.test', 'ada@x.test']);
  });

  test('sends a row again that has changed back', async () => {
    await using staged = await stageFile(header, ada);
    await staged.import();
    staged.write(header, 'ada@x.test,Augusta,on');
    await staged.import();
    staged.write(header, ada);
    expect((await staged.import()).sent).toEqual(['ada@x.test']);
    expect(staged.sandbox.state.contacts.all).toMatchObject([{ firstName: 'Ada' }]);
  });

  test('sends all rows of a person in order if one of them has changed, and none otherwise', async () => {
    await using staged = await stageFile(header, ada, 'ADA@x.test,Augusta,on', bob);
    await staged.import();
    expect((await staged.import()).sent).toEqual([]);
    staged.write(header, 'ada@x.test,A.,on', 'ADA@x.test,Augusta,on', bob);
    expect((await staged.import()).sent).toEqual(['ada@x.test', 'ADA@x.test']);
    expect((await staged.import()).sent).toEqual([]);
  });

  test('sends what another option makes of a row', async () => {
    await using staged = await stageFile(header, ada, bob);
    await staged.import();
    expect((await staged.import('--map', 'Status=customFields.status')).sent).toHaveLength(2);
  });

  test('sends a row again that was rejected, and nobody knows whether it was corrected', async () => {
    await using staged = await stageFile(header, ada, 'ada@x.test,Augusta,on');
    staged.sandbox.fail(identify, { status: 422, times: 1 });
    expect((await staged.import()).report).toMatchObject({ sent: 1, rejected: 1 });
    expect((await staged.import()).report).toMatchObject({ sent: 2, rejected: 0 });
  });
});

test('a file that changes while it is sent stops the import before the next row', async () => {
  await using staged = await stageFile(header, ada, bob, cyd, 'dora@x.test,Dora,on');
  const held = staged.sandbox.hold(identify);
  const ended = staged.import();
  await held.arrived;
  staged.write(header, ada);
  held.release();
  const { code, report } = await ended;
  expect([code, report.stopped]).toEqual([2, 'people.csv changed after it was read']);
  expect(report.pending).toBeGreaterThan(1);
});

describe('who was sent and stays out now', () => {
  test.each([
    ['by a value', ['--mailable', 'Status=on']],
    ['by --unless', [...mailable('agreed=(empty)'), ...unless('Status=off')]],
    ['by --except', [...mailable('agreed=(empty)'), '--except', 'left.csv']],
  ])('is counted and named %s', async (_, args) => {
    await using staged = await stageFile(header, ada, cyd);
    staged.other('left.csv', 'CYD@x.test\n');
    await staged.import();
    const ended = await staged.import(...args);
    expect(ended.report).toMatchObject({ sentBefore: 1, leftOut: 0, leftSince: 1 });
    expect(ended.stderr).toContain('only the service itself can unsubscribe them (people.csv.left-out.csv)');
    expect(staged.read('people.csv.left-out.csv')).toMatch(/^"?sent by an earlier import: .*cyd@x\.test/m);
  });
});

describe('the record of what was sent', () => {
  const record = 'people.csv.sent';

  test('ignores a line that was cut off, and is appended to after it', async () => {
    await using staged = await stageFile(header, ada, bob, cyd);
    staged.stopAfter(2);
    await staged.import();
    staged.write(header, ada, bob, cyd);
    const lines = staged.read(record).split('\n');
    staged.other(record, lines.join('\n').trimEnd().slice(0, -5));
    expect((await staged.import()).sent).toEqual(['bob@x.test', 'cyd@x.test']);
    expect((await staged.import()).sent).toEqual([]);
  });

  test('contains no address, name or key', async () => {
    await using staged = await stageFile(header, ada);
    await staged.import();
    expect(staged.read(record)).toMatch(/^email-marketing-client import, .* 1\n[\w-]{22} [\w-]{22}\n$/);
  });

  test('of a newer version is an error that says to use the newer version', async () => {
    await using staged = await stageFile(header, ada);
    staged.other(record, 'email-marketing-client import, sent rows, version 2\n');
    const ended = await staged.import();
    expect(ended).toMatchObject({
      sent: [],
      ...endedWith(2, 'was written by a newer version of email-marketing-client: use the newer version'),
    });
  });

  test('is appended to by two imports at once, whose rows are all in it', async () => {
    const rows = Array.from({ length: 300 }, (_, index) => `p${index}@x.test,P${index},on`);
    await using staged = await stageFile(header, ...rows);
    const path = staged.path('people.csv');
    const run = () => staged.run('import', path, ...everyone);
    expect((await Promise.all([run(), run()])).map(({ code }) => code)).toEqual([0, 0]);
    expect((await staged.import()).sent).toEqual([]);
    expect(staged.sandbox.state.contacts.size).toBe(300);
  });
});

test('a full disk stops an import with an error, and the next run sends the other rows', async () => {
  const rows = Array.from({ length: 400 }, (_, index) => `p${index}@example.com`);
  await using staged = await stageFile('email,agreed', ...rows);
  const sent = () => staged.sandbox.requests.count(identify);
  const file = await open(staged.path('any'), 'w');
  const prototype = Object.getPrototypeOf(file);
  await file.close();
  const { appendFile } = prototype;
  const full = vi.spyOn(prototype, 'appendFile').mockImplementation(async function (this: unknown, data) {
    if (sent() > 0) throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
    return appendFile.call(this, data);
  });
  const stopped = await staged.import();
  full.mockRestore();
  expect(stopped.code).toBe(2);
  expect(stopped.report.error).toMatchObject({
    code: 'file',
    message: expect.stringMatching(
      /people\.csv\.sent cannot be written: the disk is full; \d+ rows? of 400 were sent$/,
    ),
  });
  expect(sent()).toBeLessThan(400);
  const { report } = await staged.import();
  expect(report).toMatchObject({ pending: 0 });
  expect(report.sent + report.sentBefore).toBe(400);
  expect(new Set(sentAddresses(staged)).size).toBe(400);
});

describe('corrections by hand in the file of rejected rows', () => {
  test('survive the resume, which writes a file beside them only if other rows are rejected', async () => {
    await using staged = await stageFile('email,agreed', 'ada', 'bob@x.test', 'cyd@x.test');
    staged.stopAfter(1);
    await staged.import();
    const corrected = staged.read('people.csv.rejected.csv').replace(',ada', ',ada@x.test');
    staged.other('people.csv.rejected.csv', corrected);
    const same = await staged.import();
    expect(same.report).toMatchObject({ rejected: 1, rejectedFile: 'people.csv.rejected.csv' });
    expect(staged.list()).toEqual(['people.csv', 'people.csv.rejected.csv', 'people.csv.sent']);
    staged.write('email,agreed', 'ada', 'bob@x.test', 'cyd');
    const { rejectedFile } = (await staged.import()).report;
    expect(staged.read('people.csv.rejected.csv')).toBe(corrected);
    expect(rejectedFile).toBe('people.csv.rejected.2.csv');
    expect((await staged.import()).report).toMatchObject({ rejectedFile });
    expect(staged.read(rejectedFile)).toContain(',cyd\n');
  });

  test('survive when no row is rejected any more, while a file that nobody has edited goes', async () => {
    for (const added of ['', 'mine@x.test\n']) {
      await using staged = await stageFile('email,agreed', 'ada', 'bob@x.test');
      await staged.import();
      appendFileSync(staged.path('people.csv.rejected.csv'), added);
      staged.write('email,agreed', 'bob@x.test');
      await staged.import();
      expect(existsSync(staged.path('people.csv.rejected.csv'))).toBe(added !== '');
    }
  });
});

import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { endedWith, everyone, identify, sentRows, stage } from './run-cli.ts';

const emails = ['a', 'b', 'c', 'd', 'e'].map(name => `${name}@example.com`);

/** A sandbox, and a file whose rows increment a field: none may be sent twice. Of other rows, `value` is another text. */
async function stageRows(value = '++1') {
  const staged = await stage();
  staged.write('people.csv', `email,customFields.n\n${emails.map(email => `${email},${value}\n`).join('')}`);
  const run = (...args: string[]) =>
    staged.run('import', 'people.csv', ...everyone, '--concurrency', '1', ...args);
  return {
    run,
    /** Runs the command until an error of the service stops it after this many rows. */
    stopped: async (rows: number, ...args: string[]) => {
      staged.sandbox.fail(identify, { status: 401, times: 1, after: rows });
      expect(await run(...args)).toMatchObject(endedWith(2, 'To resume, run the same command again.'));
    },
    /** How often each row was sent successfully. */
    times: () => {
      const sent = staged.sandbox.requests.to(identify).filter(({ status }) => status === 200);
      const of = (email: string) =>
        sent.filter(({ body }) => (body as { email: string }).email === email).length;
      return emails.map(of);
    },
    [Symbol.asyncDispose]: () => staged[Symbol.asyncDispose](),
  };
}

test('a row that must not be sent twice is on the disk before it is sent', async () => {
  await using staged = await stage();
  const file = await open(staged.path('any'), 'w');
  const sentBefore: number[] = [];
  const sync = vi.spyOn(Object.getPrototypeOf(file), 'datasync').mockImplementation(async () => {
    await setTimeout(100);
    sentBefore.push(staged.sandbox.requests.count(identify));
  });
  await file.close();
  await staged.importText('email,customFields.points\nada@example.com,++1\n');
  sync.mockRestore();
  expect(sentBefore[0]).toBe(0);
});

test('a full disk stops an import with an error, and the next run sends the other rows', async () => {
  await using staged = await stage();
  const count = 400;
  const rows = Array.from({ length: count }, (_, index) => `p${index}@example.com\n`);
  const text = `email\n${rows.join('')}`;
  const sent = () => staged.sandbox.requests.count(identify);
  const file = await open(staged.path('any'), 'w');
  const prototype = Object.getPrototypeOf(file);
  await file.close();
  // Longer than the time in which lines are gathered to be written.
  staged.sandbox.latency(identify, 20);
  const { appendFile } = prototype;
  const full = vi.spyOn(prototype, 'appendFile').mockImplementation(async function (this: unknown, data) {
    if (sent() > 0) throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
    return appendFile.call(this, data);
  });
  const stopped = await staged.importText(text, '--json');
  full.mockRestore();
  expect(stopped.code).toBe(2);
  const { error, ...others } = JSON.parse(stopped.stdout);
  expect(others).toEqual({});
  expect(error).toMatchObject({
    code: 'file',
    message: expect.stringMatching(
      /people\.csv\.journal cannot be written: the disk is full; \d+ rows? of 400 were sent$/,
    ),
  });
  expect(sent()).toBeLessThan(count);
  staged.sandbox.clearFaults();
  const { stdout } = await staged.importText(text, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ sent: count, pending: 0 });
});

describe('an import that stops', () => {
  test('says that the same command resumes it, which it does', async () => {
    await using rows = await stageRows();
    await rows.stopped(2);
    expect(rows.times()).toEqual([1, 1, 0, 0, 0]);
    const resumed = await rows.run();
    expect(resumed).toMatchObject(endedWith(0, 'Resuming: 3 rows left of 5.'));
    expect(rows.times()).toEqual([1, 1, 1, 1, 1]);
  });

  test('is resumed by --restart too, which starts over only after a complete import', async () => {
    await using rows = await stageRows('1');
    expect(await rows.run()).toMatchObject({ code: 0 });
    await rows.stopped(3, '--restart');
    const resumed = await rows.run('--restart');
    expect(resumed).toMatchObject(endedWith(0, 'Resuming: 2 rows left of 5.'));
    expect(rows.times()).toEqual([2, 2, 2, 2, 2]);
    expect(await rows.run('--restart')).toMatchObject({ code: 0 });
    expect(rows.times()).toEqual([3, 3, 3, 3, 3]);
  });

  test('is not resumed with an option that makes other requests of its rows', async () => {
    await using rows = await stageRows();
    await rows.stopped(2);
    expect(await rows.run('--map', 'customFields.n=company')).toMatchObject(
      endedWith(2, 'that may have been sent; leave these options out to resume it'),
    );
    expect(rows.times()).toEqual([1, 1, 0, 0, 0]);
  });

  test('says nothing of a resumption that would mail people who are kept out now', async () => {
    await using rows = await stageRows();
    await rows.stopped(2);
    const { code, stderr } = await rows.run('--except', 'left.csv');
    expect([code, rows.times()]).toEqual([2, [1, 1, 0, 0, 0]]);
    expect(stderr).toContain(
      'an import with other options (except) sent 2 rows of 5: --only-new sends people',
    );
    expect(stderr).not.toContain('resume');
  });
});

test('an import with --restart that is not confirmed leaves the earlier one as it was', async () => {
  await using staged = await stage();
  const complete = await staged.importText('email,customFields.n\nada@example.com,1\nbob,1\n');
  expect(complete.stderr).toContain('1 rejected');
  const journal = staged.read('people.csv.journal');
  const declined = await staged.run('import', 'people.csv', '--mailable', 'everyone', '--restart');
  expect(declined).toMatchObject(endedWith(2, 'nothing was sent'));
  expect(staged.read('people.csv.journal')).toBe(journal);
  const again = await staged.run('import', 'people.csv', ...everyone);
  expect(again.stderr).toContain('Nothing is left to send');
  expect(again.stderr).toContain('Nobody will be mailed.');
  expect(again.stderr).not.toContain('First rows');
  expect(staged.sandbox.requests.count(identify)).toBe(1);
});

describe('answers', () => {
  const april = 'email,Status,customFields.n\na@x.test,Active,++1\nb@x.test,Left,++1\n';

  test('are not asked again when the same bytes are resumed', async () => {
    await using staged = await stage();
    staged.sandbox.fail(identify, { status: 401, times: 1 });
    const rule = ['--mailable', 'Status=Active'];
    staged.write('people.csv', april);
    expect(await staged.run('import', 'people.csv', '--yes', ...rule)).toMatchObject({ code: 2 });
    expect(await staged.run('import', 'people.csv', '--yes')).toMatchObject(endedWith(0, '1 sent'));
  });

  test('about a file do not permit another one of the same name', async () => {
    await using staged = await stage();
    await staged.importText(april, '--restart');
    staged.write('people.csv', april.replace('a@', 'c@'));
    for (const option of ['--only-new', '--restart'])
      expect(await staged.run('import', 'people.csv', '--yes', option)).toMatchObject(
        endedWith(2, 'Who may be mailed?'),
      );
    expect(staged.sandbox.requests.count(identify)).toBe(2);
  });
});

describe('a file that has changed since it was imported', () => {
  const rows = ['a@x.test,Active,++1', 'b@x.test,Active,++1'];
  const text = (lines: readonly string[]) => `email,Status,customFields.n\n${lines.join('\n')}\n`;
  const rule = ['--yes', '--mailable', 'Status=Active'];

  /** Imports two rows, changes the file, and imports it again. */
  async function importChanged(lines: readonly string[], ...args: string[]) {
    await using staged = await stage();
    staged.write('people.csv', text(rows));
    expect(await staged.run('import', 'people.csv', ...rule)).toMatchObject({ code: 0 });
    staged.write('people.csv', text(lines));
    const ended = await staged.run('import', 'people.csv', ...rule, '--json', ...args);
    const sent = sentRows(staged).slice(2);
    const notMailed = ended.stderr.includes('not-mailed.csv') ? staged.read('people.csv.not-mailed.csv') : '';
    return { ...ended, notMailed, sent: sent.map(({ email }) => email).sort() };
  }

  test('sends with --only-new the people who were not sent before, wherever their rows are', async () => {
    const edited = ['c@x.test,Active,++1', 'B@x.test,Active,++2', 'a@x.test,Active,++1'];
    const ended = await importChanged(edited, '--only-new');
    expect(ended).toMatchObject({ code: 0, sent: ['c@x.test'] });
    expect(JSON.parse(ended.stdout)).toMatchObject({ rows: 3, sent: 1, sentBefore: 2 });
  });

  test.each(["o'brien@x.test", '"""a.b""@x.test"', '<a@x.test>'])(
    'sends nobody with --only-new who was sent, whatever the form of the address is: %s',
    async address => {
      await using staged = await stage();
      await staged.importText(`email\n${address}\n`);
      const changed = await staged.importText(`email,firstName\n${address},Ada\n`, '--only-new');
      expect(changed).toMatchObject(endedWith(0, '1 left out, as they may have been sent before'));
      expect(staged.sandbox.requests.count(identify)).toBe(1);
    },
  );

  test.each(['--only-new', '--restart'])('names with %s who was sent and has left since', async option => {
    const ended = await importChanged(
      ['a@x.test,Left,++1', 'b@x.test,Active,++1', 'd@x.test,Left,++1'],
      option,
    );
    expect(JSON.parse(ended.stdout)).toMatchObject({ leftSince: 1, notMailed: 1 });
    expect(ended.stderr).toContain(
      'only the service itself can unsubscribe them (people.csv.not-mailed.csv)',
    );
    expect(ended.notMailed).toMatch(/^"sent by an earlier import: only the service .*,a@x\.test,Left/m);
  });
});

test('who left before an import with --restart is still named when that import is resumed', async () => {
  await using staged = await stage();
  const rule = ['--yes', '--mailable', 'Status=Active', '--restart', '--json'];
  staged.write('people.csv', 'email,Status\na@x.test,Active\n');
  expect(await staged.run('import', 'people.csv', ...rule)).toMatchObject({ code: 0 });
  staged.write('people.csv', 'email,Status\na@x.test,Left\nb@x.test,Active\nc@x.test,Active\n');
  staged.sandbox.fail(identify, { status: 401, times: 1, after: 1 });
  expect(await staged.run('import', 'people.csv', ...rule, '--concurrency', '1')).toMatchObject({ code: 2 });
  const resumed = await staged.run('import', 'people.csv', ...rule);
  expect(JSON.parse(resumed.stdout)).toMatchObject({ sent: 2, leftSince: 1, notMailed: 0 });
  expect(staged.read('people.csv.not-mailed.csv')).toContain('sent by an earlier import');
});

test('a rejected row is not to be corrected if its person may no longer be mailed', async () => {
  await using staged = await stage();
  staged.write('people.csv', 'email,firstName\na@x.test,Ada\nb@x.test,Bob\n');
  staged.write('left.csv', 'z@x.test\n');
  staged.sandbox.fail(identify, { status: 422, times: 1 });
  staged.sandbox.fail(identify, { status: 401, times: 1 });
  const run = () =>
    staged.run('import', 'people.csv', ...everyone, '--except', 'left.csv', '--concurrency', '1', '--json');
  expect(JSON.parse((await run()).stdout)).toMatchObject({ rejected: 1, pending: 1 });
  staged.write('left.csv', 'z@x.test\na@x.test\n');
  expect(JSON.parse((await run()).stdout)).toMatchObject({ sent: 1, rejected: 0, notMailed: 1 });
  expect(existsSync(staged.path('people.csv.rejected.csv'))).toBe(false);
});

test('a list of --except that was replaced permits nobody who was on it', async () => {
  await using staged = await stage();
  staged.write('people.csv', 'email\na@x.test\nb@x.test\nc@x.test\n');
  staged.write('left.csv', 'b@x.test\n');
  staged.sandbox.fail(identify, { status: 401, times: 1, after: 1 });
  const run = () =>
    staged.run('import', 'people.csv', ...everyone, '--except', 'left.csv', '--concurrency', '1', '--json');
  expect(JSON.parse((await run()).stdout)).toMatchObject({ sent: 1, pending: 1, notMailed: 1 });
  staged.write('left.csv', 'z@x.test\n');
  expect(JSON.parse((await run()).stdout)).toMatchObject({ sent: 2, notMailed: 1 });
});

test('other answers send with --only-new the people who were not sent before', async () => {
  await using staged = await stage();
  staged.write('people.csv', 'email,Status\na@x.test,Active\nb@x.test,New\nc@x.test,Left\n');
  const run = (rule: string, ...args: string[]) =>
    staged.run('import', 'people.csv', '--yes', '--mailable', `Status=${rule}`, ...args);
  expect(await run('Active')).toMatchObject({ code: 0 });
  expect(await run('Active,New')).toMatchObject(endedWith(2, '--only-new sends people who were not sent'));
  expect(await run('Active,New', '--only-new')).toMatchObject({ code: 0 });
  expect(sentRows(staged).map(({ email }) => email)).toEqual(['a@x.test', 'b@x.test']);
});

describe('corrections by hand in the file of rejected rows', () => {
  test('survive the resume, which writes its own beside them', async () => {
    await using staged = await stage();
    const text = 'email\nada\nbob@x.test\ncyd@x.test\n';
    staged.sandbox.fail(identify, { status: 401, times: 1, after: 1 });
    expect(await staged.importText(text, '--concurrency', '1')).toMatchObject({ code: 2 });
    const corrected = staged.read('people.csv.rejected.csv').replace(',ada', ',ada@x.test');
    staged.write('people.csv.rejected.csv', corrected);
    const resumed = await staged.run('import', 'people.csv', ...everyone, '--json');
    expect(staged.read('people.csv.rejected.csv')).toBe(corrected);
    const { rejectedFile } = JSON.parse(resumed.stdout);
    expect(rejectedFile).toMatch(/^people\.csv\.rejected\..+\.csv$/);
    expect(staged.read(rejectedFile)).toContain(',ada\n');
  });

  test('survive when no row is rejected any more, while a file that nobody has edited goes', async () => {
    for (const edit of [(file: string) => file, (file: string) => `${file}mine@x.test\n`]) {
      await using staged = await stage();
      staged.sandbox.fail(identify, { status: 401, times: 1, after: 1 });
      staged.write('people.csv', 'email\nada\nbob@x.test\ncyd@x.test\n');
      await staged.run('import', 'people.csv', ...everyone, '--concurrency', '1');
      const edited = edit(staged.read('people.csv.rejected.csv'));
      staged.write('people.csv.rejected.csv', edited);
      staged.write('people.csv', 'email\nbob@x.test\ncyd@x.test\n');
      expect(await staged.run('import', 'people.csv', ...everyone, '--only-new')).toMatchObject({ code: 0 });
      expect(existsSync(staged.path('people.csv.rejected.csv'))).toBe(edited.includes('mine'));
    }
  });
});

test('an import with a wrong key that sent nothing leaves nothing to ask', async () => {
  await using staged = await stage();
  staged.write('people.csv', 'email,customFields.n\nnobody,1\nada@example.com,++1\n');
  const args = ['import', 'people.csv', ...everyone];
  const wrong = await staged.runWith({ EMAIL_MARKETING_API_KEY: 'wrong' }, ...args);
  expect(wrong).toMatchObject(endedWith(2, 'Stopped: legacy.identify: 401'));
  expect(await staged.run(...args)).toMatchObject(endedWith(1, '1 sent'));
});

test('a journal as version 1.0 writes it is resumed: no row is sent twice', async () => {
  await using staged = await stage();
  staged.write(
    'people.csv',
    'email,firstName,Note\na@example.com,A,x\nb@example.com,B,y\nnobody,C,z\nd@example.com,D,++1\n',
  );
  const { host } = new URL(staged.env.EMAIL_MARKETING_BASE_URL);
  const sha256 = '41f9c3ac5fe704d21b475735a8f41fb3a4bb77f982803010372b49555cc3e425';
  staged.write(
    'people.csv.journal',
    [
      `{"version":3,"sha256":"${sha256}","account":"${host}, team sandbox-team","rows":4,"choices":{"mailable":["everyone"]}}`,
      '{"before":[]}',
      '[2,"rejected","email must be an email address"]',
      '[0,"sent","",151562202686493]',
      '[3,"sending","",151562202686494]',
      '[1,"se',
    ].join('\n'),
  );
  await staged.run('import', 'people.csv', ...everyone);
  expect(sentRows(staged).map(({ email }) => email)).toEqual(['b@example.com']);
});

import { scryptSync } from 'node:crypto';
import { open } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { endedWith, everyone, identify, stage } from './run-cli.ts';

const emails = ['a', 'b', 'c', 'd', 'e'].map(name => `${name}@example.com`);

/** A sandbox, and a file whose rows increment a field: none may be sent twice. */
async function stageRows() {
  let stopAfter = Infinity;
  const staged = await stage({
    onResponse: () => {
      if (staged.sandbox.requests.count(identify) === stopAfter)
        staged.sandbox.fail(identify, { status: 401, times: 1 });
    },
  });
  staged.write('people.csv', `email,customFields.n\n${emails.map(email => `${email},++1\n`).join('')}`);
  const run = (...args: string[]) =>
    staged.run('import', 'people.csv', ...everyone, '--concurrency', '1', ...args);
  return {
    run,
    /** Runs the command until an error of the service stops it after this many rows. */
    stopped: async (rows: number, ...args: string[]) => {
      stopAfter = staged.sandbox.requests.count(identify) + rows;
      const { code, stderr } = await run(...args);
      expect(code).toBe(2);
      expect(stderr).toContain('To resume, run the same command again, without --discard.');
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

test.each([
  ['email,customFields.points', 'ada@example.com,++1'],
  ['email,newEmail', 'ada@example.com,bob@example.com'],
])('a row of %s, which must not be sent twice, is on the disk before it is sent', async (head, row) => {
  await using staged = await stage();
  const file = await open(staged.path('any'), 'w');
  const sentBefore: number[] = [];
  const sync = vi.spyOn(Object.getPrototypeOf(file), 'datasync').mockImplementation(async () => {
    await setTimeout(100);
    sentBefore.push(staged.sandbox.requests.count(identify));
  });
  await file.close();
  await staged.importText(`${head}\n${row}\n`);
  sync.mockRestore();
  expect(sentBefore[0]).toBe(0);
});

test('a full disk stops an import with an error, and the next run sends the other rows', async () => {
  await using staged = await stage();
  const count = 2000;
  const rows = Array.from({ length: count }, (_, index) => `p${index}@example.com\n`);
  const text = `email\n${rows.join('')}`;
  const sent = () => staged.sandbox.requests.count(identify);
  const file = await open(staged.path('any'), 'w');
  const prototype = Object.getPrototypeOf(file);
  await file.close();
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
    message: expect.stringContaining('people.csv.journal cannot be written: the disk is full'),
  });
  expect(sent()).toBeLessThan(count);
  const { stdout } = await staged.importText(text, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ sent: count, pending: 0 });
});

/** Options with which the rows of a file are other requests. */
const otherReadings = [
  ['--tag-separator', ','],
  ['--encoding', 'latin1'],
  ['--map', 'customFields.n=company'],
];

describe('an import that stops', () => {
  test('says that the same command resumes it, which it does', async () => {
    await using rows = await stageRows();
    await rows.stopped(2);
    expect(rows.times()).toEqual([1, 1, 0, 0, 0]);
    const resumed = await rows.run();
    expect(resumed).toMatchObject(endedWith(0, 'Resuming after 2 rows;'));
    expect(rows.times()).toEqual([1, 1, 1, 1, 1]);
  });

  test('is resumed by --restart too, which starts over only after a complete import', async () => {
    await using rows = await stageRows();
    expect(await rows.run()).toMatchObject({ code: 0 });
    await rows.stopped(3, '--restart');
    const resumed = await rows.run('--restart');
    expect(resumed).toMatchObject(endedWith(0, 'Resuming after 3 rows;'));
    expect(rows.times()).toEqual([2, 2, 2, 2, 2]);
    expect(await rows.run('--restart')).toMatchObject({ code: 0 });
    expect(rows.times()).toEqual([3, 3, 3, 3, 3]);
  });

  test('is forgotten by --discard', async () => {
    await using rows = await stageRows();
    await rows.stopped(2);
    expect(await rows.run('--discard')).toMatchObject({ code: 0 });
    expect(rows.times()).toEqual([2, 2, 1, 1, 1]);
  });

  test.each(otherReadings)('is not resumed with %j, which reads its file in another way', async (...args) => {
    await using rows = await stageRows();
    await rows.stopped(2);
    expect(await rows.run(...args)).toMatchObject(endedWith(2, '3 of 5 rows to send; --discard'));
    expect(rows.times()).toEqual([1, 1, 0, 0, 0]);
  });
});

test.each(otherReadings)(
  'a complete import is not sent again with %j, but with --restart',
  async (...args) => {
    await using rows = await stageRows();
    expect(await rows.run()).toMatchObject({ code: 0 });
    const message = 'imported before, with different options; --restart';
    expect(await rows.run(...args)).toMatchObject(endedWith(2, message));
    expect(rows.times()).toEqual([1, 1, 1, 1, 1]);
  },
);

test.each(['--restart', '--discard'])(
  'an import with %s that is not confirmed leaves the earlier one as it was',
  async flag => {
    await using staged = await stage();
    const complete = await staged.importText('email,customFields.n\nada@example.com,++1\nbob,++1\n');
    expect(complete.stderr).toContain('1 rejected');
    const journal = staged.read('people.csv.journal');
    expect(await staged.run('import', 'people.csv', flag)).toMatchObject(endedWith(2, 'nothing was sent'));
    expect(staged.read('people.csv.journal')).toBe(journal);
    const again = await staged.run('import', 'people.csv', ...everyone);
    expect(again.stderr).toContain('Nothing is left to send');
    expect(staged.sandbox.requests.count(identify)).toBe(1);
  },
);

test('--bad-birthdays skip sends the rows that an earlier run rejected for their birthday, and no others', async () => {
  await using staged = await stage();
  const rows = 'a@example.com,1815-12-10,++1\nb@example.com,12/10,++1\nnobody,,++1\n';
  expect(await staged.importText(`email,birthday,customFields.n\n${rows}`)).toMatchObject({ code: 1 });
  const again = await staged.run('import', 'people.csv', ...everyone, '--bad-birthdays', 'skip');
  expect(again).toMatchObject(endedWith(1, '2 sent (2 created'));
  const sent = staged.sandbox.requests.to(identify).map(({ body }) => (body as { email: string }).email);
  expect(sent).toEqual(['a@example.com', 'b@example.com']);
});

test('an import with a wrong key that sent nothing leaves nothing to ask', async () => {
  await using staged = await stage();
  staged.write('people.csv', 'email,customFields.n\nnobody,1\nada@example.com,++1\n');
  const wrong = await staged.runWith(
    { EMAIL_MARKETING_API_KEY: 'wrong' },
    'import',
    'people.csv',
    ...everyone,
  );
  expect(wrong).toMatchObject(endedWith(2, 'Stopped: legacy.identify: 401'));
  expect(await staged.run('import', 'people.csv', ...everyone)).toMatchObject(
    endedWith(1, '1 sent (1 created'),
  );
});

test('a journal as version 1.0 writes it is resumed: no row is sent twice', async () => {
  await using staged = await stage();
  staged.write(
    'people.csv',
    'email,firstName,Note\na@example.com,A,x\nb@example.com,B,y\nnobody,C,z\nd@example.com,D,++1\n',
  );
  const { host } = new URL(staged.env.EMAIL_MARKETING_BASE_URL);
  const salt = `["${host}","${host}","sandbox-team"]`;
  const keys = scryptSync('["sandbox-key","sandbox-key"]', salt, 16).toString('hex');
  const account = `{"rest":"${host}","legacy":"${host}","team":"sandbox-team","keys":"${keys}"}`;
  const sha256 = '41f9c3ac5fe704d21b475735a8f41fb3a4bb77f982803010372b49555cc3e425';
  const reading = '{"encoding":"utf-8","delimiter":",","tagSeparator":";"}';
  staged.write(
    'people.csv.journal',
    [
      `{"version":2,"account":${account},"sha256":"${sha256}","mapping":["email","firstName",null],"reading":${reading},"rows":4}`,
      '[2,"rejected","email must be an email address"]',
      '{"answers":[["mailable","Note=x"]]}',
      '[0,"created","","F9psHD5iZi3Ua_dW"]',
      '[1,"se',
    ].join('\n'),
  );
  await staged.run('import', 'people.csv', ...everyone);
  const sent = staged.sandbox.requests.to(identify).map(({ body }) => (body as { email: string }).email);
  expect(sent.sort()).toEqual(['b@example.com', 'd@example.com']);
});

// How rows are sent: acknowledged, rejected or left; stopped and resumed.
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { useNoRetryDelay } from '../client/support.ts';
import { eventually } from '../support/eventually.ts';
import { surroundings } from '../support/surroundings.ts';
import { agreed, endedWith, identify, sentAddresses, sentRows, stage } from './run-cli.ts';

useNoRetryDelay();

const emails = Array.from({ length: 60 }, (_, index) => `p${index}@example.com`);
const text = agreed(`email\n${emails.join('\n')}\n`);

describe('import counts a row as sent only if the service acknowledged it', () => {
  test.each<[body: unknown, shown: RegExp]>([
    ['<html><body>Sign in</body></html>', /HTML page/],
    ['', /expected an object/],
    [[], /expected an object/],
    [{}, /without "status" and "data"/],
    [{ status: 'denied' }, /the status "denied"/],
    [{ error: 'sign in first' }, /sign in first/],
  ])('after 200 with %j, it stops and loses no row', async (body, shown) => {
    await using staged = await stage();
    staged.sandbox.fail(identify, { status: 200, body });
    const stopped = await staged.importText(text);
    expect(stopped).toMatchObject(
      endedWith(2, /Stopped: the service acknowledged none of 3 consecutive rows/),
    );
    expect(stopped.stderr).toMatch(shown);
    expect(stopped.report).toMatchObject({ sent: 0, rejected: 0, pending: 60 });
    expect(staged.sandbox.requests.count(identify)).toBeLessThan(3 + 8);
    staged.sandbox.clearFaults();
    expect(await staged.importText(text)).toMatchObject({ code: 0, report: { sent: 60, sentBefore: 0 } });
  });

  test.each<[fault: object, report: object, code: number]>([
    [{ status: 200, body: 'Welcome', after: 20, times: 1 }, { sent: 59, rejected: 0, pending: 1 }, 2],
    [
      { status: 200, body: { status: 'error', message: 'a@x.test is bad' }, times: 5 },
      { sent: 55, rejected: 5 },
      1,
    ],
    [{ status: 422, body: { message: 'a@x.test is bad' }, times: 5 }, { sent: 55, rejected: 5 }, 1],
    [{ status: 403 }, { sent: 0, rejected: 0, pending: 60 }, 2],
    [{ status: 503 }, { sent: 0, rejected: 0, pending: 60 }, 2],
  ])('after %j: %j', async (fault, report, code) => {
    await using staged = await stage();
    staged.sandbox.fail(identify, fault);
    const ended = await staged.importText(text);
    expect(ended).toMatchObject({ code, report });
    // Only the file of rejected rows contains the service's message about a row.
    expect(ended.stderr + ended.stdout).not.toContain('a@x.test');
    expect(ended.rejected.includes('a@x.test is bad')).toBe(ended.report.rejected > 0);
    staged.sandbox.clearFaults();
    const again = await staged.importText(text);
    expect(again).toMatchObject({
      code: 0,
      report: { sentBefore: ended.report.sent, rejected: 0, pending: 0 },
    });
    expect(again.rejected).toBe('');
  });

  test('stops after 25 consecutive failures', async () => {
    await using staged = await stage();
    staged.sandbox.fail(identify, { status: 400 });
    const { code, report, stderr } = await staged.importText(text);
    expect({ code, all: report.rejected + report.pending }).toEqual({ code: 2, all: 60 });
    expect(report.rejected).toBeLessThan(25 + 8);
    expect(stderr).toMatch(/Stopped: 25 consecutive rows failed.*status 400\.\n.*Run the same command again/);
  });
});

describe('the same command again', () => {
  const [ada, bob] = ['ada@x.test,Ada', 'bob@x.test,Bob'];
  const file = (...lines: string[]) => agreed(['email,firstName', ...lines].join('\n'));

  test.each<[what: string, first: string, second: string, sent: string[]]>([
    ['sends nothing that is unchanged', file(ada, bob), file(bob, ada), []],
    ['sends what is new', file(ada), file(bob, ada), ['bob@x.test']],
    ['sends what has changed', file(ada, bob), file('ada@x.test,Augusta', bob), ['ada@x.test']],
    [
      'sends all rows of a person',
      file(ada, 'ADA@x.test,A'),
      file(ada, 'ADA@x.test,B'),
      ['ADA@x.test', 'ada@x.test'],
    ],
  ])('%s', async (_, first, second, sent) => {
    await using staged = await stage();
    await staged.importText(first);
    expect(await staged.importText(second)).toMatchObject({ code: 0, sent });
    expect((await staged.importText(second)).sent).toEqual([]);
  });

  test('sends a row that has changed back', async () => {
    await using staged = await stage();
    for (const row of [ada, 'ada@x.test,Augusta', ada])
      expect((await staged.importText(file(row))).sent).toEqual(['ada@x.test']);
  });

  test('sends the rows of a person in order: of two, the second is right', async () => {
    await using staged = await stage();
    staged.sandbox.latency(identify, { ms: 40, times: 1 });
    await staged.importText(file('a@x.test,1', 'A@x.test,2', 'Ada <a@x.test>,3'));
    expect(sentRows(staged).map(({ firstName }) => firstName)).toEqual(['1', '2', '3']);
  });

  test('applies to one account', async () => {
    await using staged = await stage();
    await using other = await stage();
    await staged.importText(file(ada, bob));
    await staged.runWith(other.env, 'import', 'people.csv', '--yes');
    expect(sentAddresses(other)).toHaveLength(2);
    expect((await staged.importText(file(ada, bob))).sent).toEqual([]);
    const team = await staged.runWith({ EMAIL_MARKETING_TEAM_ID: 'other' }, 'import', 'people.csv', '--yes');
    expect(team.stderr).toContain('2 contacts will be created or updated in team other at ');
  });

  test.each<[what: string, damage: (record: string) => string, sent: number]>([
    ['lost', () => '', 3],
    ['torn in its first line', record => record.slice(0, 20), 3],
    ['torn in its last line', record => record.slice(0, -5), 1],
  ])('sends again, and nothing else happens, if its record is %s', async (_, damage, sent) => {
    await using staged = await stage();
    const lines = file(ada, bob, 'cyd@x.test,Cyd');
    await staged.importText(lines);
    const path = staged.path('people.csv.sent');
    expect(readFileSync(path, 'utf8')).not.toMatch(/@|ada/);
    writeFileSync(path, damage(readFileSync(path, 'utf8')));
    expect(await staged.importText(lines)).toMatchObject({ code: 0, report: { sent } });
    for (const _ of [1, 2])
      expect(await staged.importText(lines)).toMatchObject({ code: 0, sent: [], report: { sentBefore: 3 } });
  });

  test('twice at once sends every row, and what is sent twice does no harm', async () => {
    await using staged = await stage();
    staged.write('people.csv', text);
    staged.sandbox.latency(identify, 2);
    const run = () => staged.run('import', staged.path('people.csv'), '--yes');
    expect((await Promise.all([run(), run()])).map(({ code }) => code)).toEqual([0, 0]);
    expect(staged.sandbox.state.contacts.size).toBe(60);
    expect((await staged.importText(text)).sent).toEqual([]);
  });
});

test.each<[what: string, change: (path: string) => void]>([
  ['grows', path => appendFileSync(path, 'yes,late@example.com\n')],
  ['is replaced', path => writeFileSync(path, agreed('email\nother@example.com\n'))],
])('a file that %s during the import stops it, and the next run sends the rest', async (_, change) => {
  await using staged = await stage();
  staged.write('people.csv', text);
  const held = staged.sandbox.hold(identify, { after: 1 });
  const running = staged.run('import', 'people.csv', '--yes');
  await held.arrived;
  change(staged.path('people.csv'));
  held.release();
  expect(await running).toMatchObject(endedWith(2, 'Stopped: people.csv changed after it was read.\n'));
  expect(await staged.run('import', 'people.csv', '--yes')).toMatchObject({ code: 0 });
  expect(new Set(sentAddresses(staged)).size).toBe(sentAddresses(staged).length);
});

test('an address that never responds does not hold up the others, and Ctrl-C leaves it for the next run', async () => {
  await using staged = await stage();
  staged.write('people.csv', `${text}yes,hangs@example.com\n`);
  staged.sandbox.stall(identify, { when: { body: { email: 'hangs@example.com' } } });
  const own = surroundings({ env: staged.env });
  const ended = main(['import', staged.path('people.csv'), '--yes', '--json'], own);
  await eventually(() => expect(sentRows(staged)).toHaveLength(61));
  await eventually(() => expect(staged.read('people.csv.sent').trim().split('\n')).toHaveLength(61));
  own.signals.emit('SIGINT', 'SIGINT');
  expect(await ended).toBe(130);
  expect(JSON.parse(own.stdout.text)).toMatchObject({
    sent: 60,
    pending: 1,
    stopped: 'interrupted by a signal',
  });
});

// On Windows, only administrators can create symbolic links.
describe.skipIf(process.platform === 'win32')('in a folder where others can write', () => {
  test.each([
    ['symbolic', symlinkSync],
    ['hard', linkSync],
  ])('a %s link does not lead to another file', async (_, link) => {
    await using staged = await stage();
    staged.write('.bashrc', 'mine');
    link(staged.path('.bashrc'), staged.path('people.csv.sent'));
    const ended = await staged.importText(text);
    expect(ended).toMatchObject({
      ...endedWith(2, /people\.csv\.sent was written by another program/),
      sent: [],
    });
    expect(staged.read('.bashrc')).toBe('mine');
  });
});

test('one row that a firewall rejects does not stop the import, but three consecutive ones do', async () => {
  await using staged = await stage();
  const page = { status: 403, body: '<h1>Forbidden</h1>' };
  const when = { body: { email: 'p7@example.com' } };
  staged.sandbox.fail(identify, { ...page, when });
  for (const sent of [59, 0]) {
    const ended = await staged.importText(text);
    expect(ended).toMatchObject({ code: 2, report: { sent, pending: 1, rejected: 0 } });
    expect(ended.stderr).toMatch(/ 1 row remains\.\n.*Stopped: line 9 was not acknowledged: .*403/);
  }
  staged.sandbox.clearFaults();
  staged.sandbox.fail(identify, page);
  const stopped = await staged.importText(`${text}yes,new1@x.test\nyes,new2@x.test\nyes,new3@x.test\n`);
  expect(stopped.stderr).toMatch(/Stopped: the service acknowledged none of 3 consecutive rows: .*403/);
});

test('a record that cannot be written is named, and nothing is sent', async () => {
  await using staged = await stage();
  mkdirSync(staged.path('people.csv.sent'));
  const ended = await staged.importText(text);
  expect(ended).toMatchObject({ ...endedWith(2, 'people.csv.sent is a folder'), sent: [] });
  rmdirSync(staged.path('people.csv.sent'));
  const fs = process.getBuiltinModule('node:fs/promises');
  vi.spyOn(fs, 'appendFile').mockRejectedValue(Object.assign(new Error('full'), { code: 'ENOSPC' }));
  const full = await staged.importText(text).finally(() => vi.restoreAllMocks());
  expect(full).toMatchObject({
    ...endedWith(2, 'people.csv.sent cannot be written, because the disk is full.\n'),
    sent: [],
  });
});

test('a full disk stops the import, and the next run sends the rest', async () => {
  await using staged = await stage();
  const fs = process.getBuiltinModule('node:fs/promises');
  const { appendFile } = fs;
  let lines = 0;
  vi.spyOn(fs, 'appendFile').mockImplementation((...args) => {
    lines += 1;
    if (lines <= 20) return appendFile(...args);
    return Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
  });
  const { code, stderr, report } = await staged.importText(text);
  vi.restoreAllMocks();
  expect({ code, stderr }).toEqual(
    endedWith(2, /Stopped: people\.csv\.sent cannot be written, because the disk is full\.\n/),
  );
  expect(report.pending).toBeGreaterThan(0);
  expect((await staged.importText(text)).report).toMatchObject({ sentBefore: 19, pending: 0 });
  expect(new Set(sentAddresses(staged)).size).toBe(60);
});

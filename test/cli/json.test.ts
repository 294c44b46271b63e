import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { useNoRetryDelay } from '../client/support.ts';
import { surroundings } from '../support/surroundings.ts';
import { everyone, stage } from './run-cli.ts';

useNoRetryDelay();

const unreachable = { EMAIL_MARKETING_BASE_URL: 'http://127.0.0.1:1' };
const someone = 'email\nada@example.com\n';

/** Prepares a folder, and returns the command line that cannot run there, with its environment. */
type Prepare = (staged: Awaited<ReturnType<typeof stage>>) => readonly [args: string[], env?: object];

const situations: readonly (readonly [code: string, what: string, Prepare])[] = [
  ['usage', 'an unknown option', () => [['export', '--exel']]],
  ['usage', 'an unknown command', () => [['exprt']]],
  ['usage', 'a search that the service would refuse', () => [['export', '--out', 'a.csv', '--search', 'a']]],
  ['usage', 'a text that is no address', () => [['check', '--identify', 'notanemail']]],
  ['environment', 'a missing variable', () => [['check'], { EMAIL_MARKETING_API_KEY: '' }]],
  ['environment', 'an invalid variable', () => [['check'], { EMAIL_MARKETING_BASE_URL: 'example' }]],
  ['file', 'a missing file', () => [['import', 'none.csv']]],
  ['file', 'a missing folder', () => [['export', '--out', 'none/out.csv']]],
  [
    'file',
    'a file to replace',
    ({ write }) => {
      write('out.csv', 'mine');
      return [['export', '--out', 'out.csv']];
    },
  ],
  [
    'locked',
    'a file in use',
    ({ write }) => {
      write('out.csv.lock', '');
      return [['export', '--out', 'out.csv']];
    },
  ],
  [
    'confirmation',
    'no --yes without a terminal',
    ({ write }) => {
      write('people.csv', someone);
      return [['import', 'people.csv']];
    },
  ],
  [
    'file',
    'a workbook',
    ({ write }) => {
      write('people.csv', 'PK\x03\x04');
      return [['import', 'people.csv', ...everyone]];
    },
  ],
  [
    'confirmation',
    'a question that only a person can answer',
    ({ write }) => {
      write('people.csv', 'email,birthday\nada@example.com,03/04/1990\n');
      return [['import', 'people.csv', ...everyone]];
    },
  ],
  ['service', 'a service that is not there', () => [['export', '--out', 'out.csv'], unreachable]],
  [
    'service',
    'a key that the service refuses',
    () => [['export', '--out', 'out.csv'], { EMAIL_MARKETING_API_KEY: 'wrong' }],
  ],
];

test.each(situations)(
  '--json reports the code %s for %s, and the sentence on both outputs',
  async (code, _, prepare) => {
    await using staged = await stage();
    const [args, env] = prepare(staged);
    const ended = await staged.runWith({ ...env }, ...args, '--json');
    const { error } = JSON.parse(ended.stdout);
    expect([ended.code, error.code]).toEqual([2, code]);
    expect(ended.stderr.trimEnd().split('\n').at(-1)).toMatch(/^email-marketing-client\b.*: /);
    expect(ended.stderr).toContain(`: ${error.message}\n`);
    expect((await staged.runWith({ ...env }, ...args)).stdout).toBe('');
  },
);

test('--json reports that the user declined an import', async () => {
  await using staged = await stage();
  staged.write('people.csv', someone);
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  stdin.write('n\n');
  const own = surroundings({ env: staged.env, stdin });
  expect(await main(['import', staged.path('people.csv'), '--json', '--mailable', 'everyone'], own)).toBe(2);
  expect(JSON.parse(own.stdout.text).error).toEqual({ code: 'confirmation', message: 'Nothing was sent.' });
  expect(own.stderr.text).toMatch(/import: Nothing was sent\.\n$/);
  expect([...staged.sandbox.requests]).toEqual([]);
});

test("--json reports the code account for another account's journal", async () => {
  await using staged = await stage();
  await using other = await stage();
  staged.sandbox.fail('POST /contact/identify', { status: 401, after: 1 });
  staged.write('people.csv', `${someone}alan@example.com\n`);
  await staged.run('import', 'people.csv', ...everyone, '--concurrency', '1');
  const ended = await staged.runWith(other.env, 'import', 'people.csv', ...everyone, '--json');
  expect(JSON.parse(ended.stdout)).toEqual({
    error: { code: 'account', message: expect.stringContaining('people.csv.journal belongs to ') },
  });
});

test.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
])('--json reports that %s stopped the command, whose exit code is %i', async (signal, expected) => {
  await using staged = await stage({ seed: { contacts: 1 } });
  const { env, path, sandbox } = staged;
  const held = sandbox.hold('contacts.list');
  const own = surroundings({ env });
  const ended = main(['export', '--out', path('out.csv'), '--json'], own);
  await held.arrived;
  own.signals.emit(signal, signal);
  expect(await ended).toBe(expected);
  held.release();
  expect(JSON.parse(own.stdout.text)).toEqual({ error: { code: 'stopped', message: 'Stopped.' } });
  expect(own.stderr.text).toMatch(/^email-marketing-client export: Stopped\.\n$/m);
});

test('the guide lists every code', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/commands.md'), 'utf8');
  const listed = [...guide.matchAll(/^\| `([a-z]+)` \|/gm)].map(([, code]) => code);
  const reported = situations.map(([code]) => code);
  expect(new Set(listed)).toEqual(new Set([...reported, 'account', 'stopped', 'unexpected']));
});

/** Returns the names of all members, at every depth. */
const membersOf = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(membersOf)];

test('the guide names every member of each report', async () => {
  await using staged = await stage({ seed: { contacts: 1, tags: [{ name: 'vip' }] } });
  const [vip] = staged.sandbox.state.tags.all;
  staged.sandbox.state.contacts.add({ email: 'grace@example.com', tags: [vip?.id ?? ''] });
  staged.write(
    'people.csv',
    `email,unsubscribed,customFields.n\nada@example.com,,++1\nnobody,,\ngone@example.com,yes,\n`,
  );
  staged.sandbox.drop('POST /contact/identify');
  const runs = [
    ['check'],
    ['export', '--out', 'out.csv'],
    ['import', 'people.csv', '--dry-run', '--mailable', 'everyone'],
    ['import', 'people.csv', ...everyone],
  ];
  const guide = readFileSync(join(import.meta.dirname, '../../docs/commands.md'), 'utf8');
  for (const args of runs) {
    const { stdout } = await staged.run(...args, '--json');
    const members = new Set(membersOf(JSON.parse(stdout)));
    const [section = ''] = new RegExp(`- \\*\\*\`${args[0]}\`\\*\\*[^]*?(?=\n(?:- |\n))`).exec(guide) ?? [];
    expect([...members].filter(name => !section.includes(`\`${name}\``))).toEqual([]);
  }
});

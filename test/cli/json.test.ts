import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { useNoRetryDelay } from '../client/support.ts';
import { surroundings } from '../support/surroundings.ts';
import { stage } from './run-cli.ts';

useNoRetryDelay();

const unreachable = { EMAIL_MARKETING_BASE_URL: 'http://127.0.0.1:1' };

/** What keeps a command from running, in a folder with the {@link files}. */
const situations: [code: string, what: string, args: string[], env?: object][] = [
  ['usage', 'an unknown option', ['export', '--exel']],
  ['environment', 'a missing variable', ['check'], { EMAIL_MARKETING_API_KEY: '' }],
  ['environment', 'no URL', ['check'], { EMAIL_MARKETING_BASE_URL: 'secret-1' }],
  ['environment', 'a password', ['check'], { EMAIL_MARKETING_BASE_URL: 'https://user:secret-1@example.com' }],
  ['environment', 'an impossible key', ['check'], { EMAIL_MARKETING_API_KEY: 'secret-1\n' }],
  ['file', 'a missing file', ['import', 'none.csv']],
  ['file', 'a missing folder', ['export', '--out', 'none/out.csv']],
  ['file', 'a file to replace', ['export', '--out', 'mine.csv']],
  ['file', 'a workbook', ['import', 'workbook.csv', '--yes']],
  ['confirmation', 'no --yes without a terminal', ['import', 'people.csv']],
  ['confirmation', 'no column mailable', ['import', 'plain.csv', '--yes']],
  ['service', 'a service that is not there', ['export', '--out', 'out.csv'], unreachable],
  ['service', 'a key that is wrong', ['export', '--out', 'out.csv'], { EMAIL_MARKETING_API_KEY: 'secret-1' }],
];

/** Files of the folder in which a command cannot run. */
const files = {
  'mine.csv': 'mine',
  'people.csv': 'email,mailable\nada@example.com,yes\n',
  'workbook.csv': 'PK\x03\x04',
  'plain.csv': 'email\nada@example.com\n',
};

test.each(situations)(
  '--json reports the code %s for %s, and the sentence on both outputs, without a key',
  async (code, _, args, env) => {
    await using staged = await stage();
    for (const [name, text] of Object.entries(files)) staged.write(name, text);
    const ended = await staged.runWith({ ...env }, ...args, '--json');
    const { error } = JSON.parse(ended.stdout);
    expect([ended.code, error.code]).toEqual([2, code]);
    expect(error.message).toMatch(/[.?]$/);
    expect(ended.stderr.trimEnd().split('\n').at(-1)).toMatch(/^email-marketing-client\b.*: /);
    expect(ended.stderr).toContain(`: ${error.message}\n`);
    expect(ended.stdout + ended.stderr).not.toContain('secret-1');
    expect((await staged.runWith({ ...env }, ...args)).stdout).toBe('');
  },
);

test.each([
  ['check', ['check'], 'lists.list', 'Checking', 'SIGINT', 130],
  ['export', ['export', '--out', 'out.csv'], 'contacts.list', 'Reading contacts from', 'SIGTERM', 143],
] as const)(
  '%s prints a line with the first request, and --json reports that a signal stopped it',
  async (...row) => {
    const [command, args, operation, doing, signal, code] = row;
    await using staged = await stage({ seed: { contacts: 1 } });
    const held = staged.sandbox.hold(operation);
    const own = surroundings({ env: staged.env });
    const ended = main([...args.map(arg => (arg === 'out.csv' ? staged.path(arg) : arg)), '--json'], own);
    await held.arrived;
    const first = `email-marketing-client ${command}: ${doing} ${new URL(staged.env.EMAIL_MARKETING_BASE_URL).host}.\n`;
    expect(own.stderr.text).toBe(first);
    own.signals.emit(signal, signal);
    expect(await ended).toBe(code);
    held.release();
    expect(JSON.parse(own.stdout.text)).toEqual({ error: { code: 'stopped', message: 'Stopped.' } });
    expect(own.stderr.text).toBe(`${first}email-marketing-client ${command}: Stopped.\n`);
  },
);

test('the guide lists every code', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/commands.md'), 'utf8');
  const listed = [...guide.matchAll(/^\| `([a-z]+)` \|/gm)].map(([, code]) => code);
  const reported = situations.map(([code]) => code);
  expect(new Set(listed)).toEqual(new Set([...reported, 'stopped', 'unexpected']));
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
  staged.write('people.csv', 'email,mailable\nada@example.com,yes\nnobody,yes\ngone@example.com,no\n');
  staged.sandbox.drop('POST /contact/identify');
  const runs = [
    ['check'],
    ['export', '--out', 'out.csv'],
    ['import', 'people.csv', '--dry-run'],
    ['import', 'people.csv', '--yes'],
  ];
  const guide = readFileSync(join(import.meta.dirname, '../../docs/commands.md'), 'utf8');
  for (const args of runs) {
    const { stdout } = await staged.run(...args, '--json');
    const members = new Set(membersOf(JSON.parse(stdout)));
    const [section = ''] = new RegExp(`- \\*\\*\`${args[0]}\`\\*\\*[^]*?(?=\n(?:- |\n))`).exec(guide) ?? [];
    expect([...members].filter(name => !section.includes(`\`${name}\``))).toEqual([]);
  }
});

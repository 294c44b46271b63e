// Questions on a real terminal: answered, answered wrongly, and ended with Ctrl-C and Ctrl-D.
import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { cli, sentRows, stage } from './run-cli.ts';

/** `script` of Linux makes the terminal; that of other systems takes other arguments. */
const hasNoTerminal = process.platform !== 'linux';

/** What a terminal shows at a prompt: `readline` moves the cursor behind it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the sequences of a terminal.
const prompt = /(?::|\[y\/N\]) (?:\u001b\[\d*[A-Z])*$/;

/** Imports a file on a terminal where these keys are pressed, each at a prompt; also returns its settings afterwards. */
async function importWith(content: string, args: string, typed: readonly string[]) {
  await using staged = await stage();
  staged.write('people.csv', content);
  const command = `"${process.execPath}" "${cli}" import people.csv ${args}; echo "code=$?"; stty -a`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: staged.path('.'),
    env: { ...staged.env, PATH: process.env.PATH, TERM: 'xterm', SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const keys = [...typed];
  let text = '';
  let answered = 0;
  child.stdout.on('data', chunk => {
    text += chunk;
    if (!prompt.test(text.slice(answered))) return;
    answered = text.length;
    // Enter stops what has no answer.
    child.stdin.write(keys.shift() ?? '\r');
  });
  await new Promise(resolve => child.on('close', resolve));
  const [shown = '', after = ''] = text.split(/code=(?=\d)/);
  const sane = ['icanon', 'echo', 'isig'].every(setting =>
    new RegExp(`(?<![-\\w])${setting}\\b`).test(after),
  );
  const code = Number.parseInt(after, 10);
  return { shown, unpressed: keys, ended: { code, sane, sent: sentRows(staged).map(({ email }) => email) } };
}

const status = 'email,Status\na@x.test,Active\nb@x.test,Left\n';

describe.skipIf(hasNoTerminal).each<[about: string, question: string, before: string[], right: string[]]>([
  ['who may be mailed', 'Who may be mailed?', [], ['1\r', 'a\r']],
  ['which values', 'Status: rows with which of these values may be mailed?', ['1\r'], ['a\r']],
])('on a terminal, import asks %s', (_, question, before, right) => {
  const sent = ['a@x.test'];
  const run = (...keys: string[]) => importWith(status, '', [...before, ...keys]);

  test('and sends after an answer and y', async () => {
    const { shown, unpressed, ended } = await run(...right, 'y\r');
    expect(shown).toContain(question);
    expect({ ...ended, unpressed }).toEqual({ code: 0, sane: true, sent, unpressed: [] });
  });

  test('again after a wrong answer', async () => {
    const { shown, ended } = await run('zz\r', ...right, 'y\r');
    expect(shown).toContain('"zz" is no answer; Enter stops, and sends nothing.');
    expect(ended).toEqual({ code: 0, sane: true, sent });
  });

  test.each([
    ['Ctrl-C', '\u0003', 130, 'import: Stopped.'],
    ['Ctrl-D', '\u0004', 2, 'import: Nothing was sent.'],
    ['Enter', '\r', 2, 'import: Nothing was sent.'],
  ])('and sends nothing after %s', async (_, key, code, message) => {
    const { shown, ended } = await run(key);
    expect(shown).toContain(question);
    expect(shown).not.toContain('[y/N]');
    expect(shown.trimEnd().endsWith(message)).toBe(true);
    expect(ended).toEqual({ code, sane: true, sent: [] });
  });
});

describe.skipIf(hasNoTerminal)('on a terminal, the last prompt of import', () => {
  test.each([
    ['y', 'y\r', 0, '1 sent', ['a@x.test']],
    ['another word', 'maybe\r', 2, 'import: Nothing was sent.', []],
    ['Ctrl-C', '\u0003', 130, 'import: Stopped.', []],
    ['Ctrl-D', '\u0004', 2, 'import: Nothing was sent.', []],
    ['Enter', '\r', 2, 'import: Nothing was sent.', []],
  ])('takes %s', async (_, key, code, message, sent) => {
    const { shown, ended } = await importWith('email\na@x.test\n', '--mailable everyone', [key]);
    expect(shown).toMatch(/Send 1 row to 127\.0\.0\.1:\d+, team sandbox-team\? \[y\/N\]/);
    expect(shown.trimEnd().endsWith(message)).toBe(true);
    expect(ended).toEqual({ code, sane: true, sent });
  });
});

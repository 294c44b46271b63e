// The only question, on a real terminal: answered yes or no, or ended with Ctrl-C or Ctrl-D.
import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { cli, sentRows, stage } from './run-cli.ts';

/** `script` of Linux makes the terminal; that of other systems takes other arguments. */
const hasNoTerminal = process.platform !== 'linux';

/** What a terminal shows at a prompt: `readline` moves the cursor after it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the sequences of a terminal.
const prompt = /\[y\/N\] (?:\u001b\[\d*[A-Z])*$/;

/** Imports a file on a terminal where these keys are pressed, each at a prompt; also returns its settings afterwards. */
async function importWith(typed: readonly string[]) {
  await using staged = await stage();
  staged.write('people.csv', 'email,mailable\na@x.test,yes\nb@x.test,no\n');
  const command = `"${process.execPath}" "${cli}" import people.csv; echo "code=$?"; stty -a`;
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

describe.skipIf(hasNoTerminal)('on a terminal, import', () => {
  test.each(['y\r', 'YES\r'])('sends after %j', async key => {
    const { shown, unpressed, ended } = await importWith([key]);
    expect(shown).toMatch(
      /1 contact will be created or updated in team sandbox-team at [\s\S]*Continue\? \[y\/N\] /,
    );
    expect(shown).toContain('1 row imported.');
    expect({ ...ended, unpressed }).toEqual({ code: 0, sane: true, sent: ['a@x.test'], unpressed: [] });
  });

  test.each([
    ['Enter', '\r', 2, 'Nothing was imported.'],
    ['another answer', 'sure\r', 2, 'Nothing was imported.'],
    ['Ctrl-C', '\u0003', 130, 'Stopped.'],
    ['Ctrl-D', '\u0004', 2, 'Nothing was imported.'],
  ])('sends nothing after %s', async (_, key, code, message) => {
    const { shown, unpressed, ended } = await importWith([key]);
    expect(shown.trimEnd().endsWith(message)).toBe(true);
    expect({ ...ended, unpressed }).toEqual({ code, sane: true, sent: [], unpressed: [] });
  });
});

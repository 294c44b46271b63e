// Each question on a real terminal: answered, answered wrongly, and ended with Ctrl-C and Ctrl-D.
import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { cli, sentRows, stage } from './run-cli.ts';
import { hasNoTerminal } from './terminal.ts';

/** What a terminal shows at a prompt: `readline` moves the cursor behind it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the sequences of a terminal.
const prompt = /(?::|\[y\/N\]) (?:\u001b\[\d*[A-Z])*$/;

/** Imports a file on a terminal where these keys are pressed, each at a prompt; also returns its settings afterwards. */
async function importWith(content: string | Uint8Array, args: string, typed: readonly string[]) {
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
const someone = ['email,firstName', 'zoe@x.test,Zo\xeb', ''].join('\n');
const everyone = '--mailable everyone';

/** Where a question is the first prompt, or follows `before`, with an answer, the wrong ones, and who is sent. */
const questions: readonly {
  readonly about: string;
  readonly content: string | Uint8Array;
  readonly args: string;
  readonly before?: readonly string[];
  readonly question: string;
  readonly right: readonly string[];
  readonly sent?: readonly string[];
}[] = [
  {
    about: 'who may be mailed',
    content: status,
    args: '',
    question: 'Who may be mailed?',
    right: ['1\r', 'a\r'],
  },
  {
    about: 'which values mean yes',
    content: status,
    args: '',
    before: ['1\r'],
    question: 'Status: which of these mean yes?',
    right: ['a\r'],
  },
  {
    about: 'the encoding',
    content: Buffer.from(someone, 'latin1'),
    args: everyone,
    question: 'is not UTF-8',
    right: ['1\r'],
    sent: ['zoe@x.test'],
  },
  {
    about: 'the header line',
    content: 'Our contacts\nemail,Note\na@x.test,x\n',
    args: everyone,
    question: 'Which line of people.csv names the columns?',
    right: ['2\r'],
  },
  {
    about: 'the column of the email',
    content: 'Kontakt\na@x.test\n',
    args: everyone,
    question: 'Which column contains the email?',
    right: ['1\r'],
  },
  {
    about: 'commas in tags',
    content: 'email,Tags\na@x.test,"vip, new"\n',
    args: everyone,
    question: 'What are the commas?',
    right: ['1\r'],
  },
  {
    about: 'day and month of birthdays',
    content: 'email,Birthday\na@x.test,03/04/1990\n',
    args: everyone,
    question: 'How are birthdays such as "03/04/1990" written?',
    right: ['2\r'],
  },
];

describe.skipIf(hasNoTerminal).each(questions)('on a terminal, import asks about $about', asked => {
  const { content, args, before = [], question, right, sent = ['a@x.test'] } = asked;
  const run = (...keys: string[]) => importWith(content, args, [...before, ...keys]);

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
    const { shown, ended } = await importWith('email\na@x.test\n', everyone, [key]);
    expect(shown).toContain('Send 1 row to ');
    expect(shown.trimEnd().endsWith(message)).toBe(true);
    expect(ended).toEqual({ code, sane: true, sent });
  });
});

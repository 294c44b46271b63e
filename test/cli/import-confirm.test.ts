import { existsSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { surroundings } from '../support/surroundings.ts';
import { sentRows, stage } from './run-cli.ts';

const text = 'email,Status\na@x.test,on\nA@x.test,on\nb@x.test,on\nc@x.test,off\n';

/** Imports on a terminal where this is typed, after something else has happened. */
async function importTyping(staged: Awaited<ReturnType<typeof stage>>, typed: string, before = () => {}) {
  staged.write('people.csv', text);
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const own = surroundings({ env: staged.env, stdin });
  const ended = main(['import', staged.path('people.csv'), '--mailable', 'Status=on'], own);
  own.stderr.on('text', () => {
    if (!own.stderr.text.endsWith('How many people will be mailed? Type the number to start: ')) return;
    before();
    stdin.end(`${typed}\n`);
  });
  return { code: await ended, stderr: own.stderr.text };
}

test.each([
  ['2', 0, 2],
  [' 2 ', 0, 2],
  ['', 2, 0],
  ['y', 2, 0],
  ['3', 2, 0],
  ['2 people', 2, 0],
])('on a terminal, only the number of people sends them: %j', async (typed, code, sent) => {
  await using staged = await stage();
  expect(await importTyping(staged, typed)).toMatchObject({ code });
  expect(new Set(sentRows(staged).map(({ email }) => `${email}`.toLowerCase())).size).toBe(sent);
});

test('a file that changes while the number is typed is not sent, and not remembered', async () => {
  await using staged = await stage();
  const change = () => staged.write('people.csv', text.replace('c@x.test,off', 'c@x.test,on'));
  const { code, stderr } = await importTyping(staged, '2', change);
  expect(stderr).toMatch(/people\.csv changed after it was read\n$/);
  expect([code, sentRows(staged), existsSync(staged.path('people.csv.sent'))]).toEqual([2, [], false]);
});

import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { surroundings } from '../support/surroundings.ts';
import { sentRows, stage } from './run-cli.ts';

test.each([
  ['2', 0, 2],
  [' 2 ', 0, 2],
  ['', 2, 0],
  ['y', 2, 0],
  ['3', 2, 0],
  ['2 people', 2, 0],
])('on a terminal, only the number of people sends them: %j', async (typed, code, sent) => {
  await using staged = await stage();
  staged.write('people.csv', 'email,Status\na@x.test,on\nA@x.test,on\nb@x.test,on\nc@x.test,off\n');
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const own = surroundings({ env: staged.env, stdin });
  const ended = main(['import', staged.path('people.csv'), '--mailable', 'Status=on'], own);
  own.stderr.on('text', () => {
    if (own.stderr.text.endsWith('How many people will be mailed? Type the number to start: '))
      stdin.end(`${typed}\n`);
  });
  expect(await ended).toBe(code);
  expect(new Set(sentRows(staged).map(({ email }) => `${email}`.toLowerCase())).size).toBe(sent);
});

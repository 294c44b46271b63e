import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import {
  drawLine,
  print,
  printJson,
  printResult,
  requireConfirmed,
  waitLogger,
  writeData,
} from '../../../src/cli/terminal.ts';
import { surroundings } from '../../support/surroundings.ts';

/** Every character that a terminal may act on: C0, DEL, C1, line and paragraph separators, direction marks. */
const controls = [
  ...Array.from({ length: 0x20 }, (_, code) => code),
  ...Array.from({ length: 0x21 }, (_, code) => 0x7f + code),
  ...[0x061c, 0x200e, 0x200f, 0x2028, 0x2029],
  ...[0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
].map(code => String.fromCharCode(code));

test.each(controls)('replaces the control character %j in printed lines', control => {
  const lines = [`a${control}b`, `c${control}d`];
  for (const isTTY of [false, true]) {
    const own = surroundings({ isTTY });
    print(own, lines);
    const prefix = isTTY ? '' : `${own.name}: `;
    expect(own.stderr.text).toBe(`${prefix}a\ufffdb\n${prefix}c\ufffdd\n`);
    printResult(own, lines);
    expect(own.stdout.text).toBe('a\ufffdb\nc\ufffdd\n');
  }
});

test.each(controls)('escapes the control character %j in JSON on standard output', control => {
  const own = surroundings();
  printJson(own, { [control]: `a${control}` });
  expect(own.stdout.text.slice(0, -1)).not.toContain(control);
  expect(JSON.parse(own.stdout.text)).toEqual({ [control]: `a${control}` });
});

test('prints letters, accents and emoji of every script unchanged', () => {
  const text = 'Zoë 株式会社 👩‍👩‍👧 שלום مرحبا';
  const own = surroundings({ isTTY: true });
  printResult(own, [text]);
  expect(own.stdout.text).toBe(`${text}\n`);
});

test('keeps line breaks in data on a terminal, but no other control characters', async () => {
  const rows = 'email,name\na@example.com,\u001b[2J\u009b\r\n';
  const [terminal, file] = [surroundings({ isTTY: true }), surroundings()];
  await writeData(terminal, rows);
  await writeData(file, rows);
  expect(terminal.stdout.text).toBe('email,name\na@example.com,\ufffd[2J\ufffd\ufffd\n');
  expect(file.stdout.text).toBe(rows);
});

test('writes data on a terminal in place of a line of progress', async () => {
  const own = surroundings({ isTTY: true });
  let shown = '';
  own.stdout.on('text', () => {
    shown = own.stderr.text;
  });
  drawLine(own, 'Exported 1, 2/s');
  await writeData(own, 'a@example.com\n');
  expect(shown).toBe('\rExported 1, 2/s\u001b[K\r\u001b[K');
});

test.each([
  ['yes', true, ' Yes \n'],
  ['another answer', true, 'sure\n'],
  ['Ctrl-D', true, '\u0004'],
  ['the end of the input', false, ''],
])('of %s, only yes continues (terminal: %s)', async (answer, isTTY, typed) => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const own = surroundings({ stdin, isTTY });
  const confirmed = requireConfirmed(own, 'Nothing was imported');
  stdin.end(typed);
  if (answer === 'yes') return await confirmed;
  await expect(confirmed).rejects.toThrow(/^Nothing was imported\.$/);
  expect(own.stderr.text).toMatch(/Continue\? \[y\/N\] .*\n$/s);
});

test.each([
  [true, '\r\u001b[KWaiting 7 s before a retry (429).\n'],
  [false, 'email-marketing-client test: Waiting 7 s before a retry (429).\n'],
])('a wait of several calls is printed once (terminal: %s)', (isTTY, line) => {
  const own = surroundings({ isTTY });
  const logger = waitLogger(own);
  for (const retryInMs of [6_300, 6_400])
    logger.warn('', { operation: 'lists.list', retryInMs, status: 429 });
  expect(own.stderr.text).toBe(line);
});

test('the next wait is printed, too', () => {
  const own = surroundings();
  const logger = waitLogger(own);
  logger.warn('', { operation: 'lists.list', retryInMs: 3_000, status: 429 });
  own.clock.ms = 3_001;
  logger.warn('', { operation: 'lists.list', retryInMs: 2_500 });
  expect(own.stderr.text).toBe(
    'email-marketing-client test: Waiting 3 s before a retry (429).\n' +
      'email-marketing-client test: Waiting 3 s before a retry (no response).\n',
  );
});

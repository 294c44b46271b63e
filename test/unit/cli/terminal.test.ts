import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import {
  confirm,
  print,
  printJson,
  startProgress,
  styled,
  waitLogger,
  writeData,
} from '../../../src/cli/terminal.ts';
import { filesIn } from '../../support/files.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Every character that a terminal may act on: C0, DEL, C1, line and paragraph separators, direction marks. */
const controls = [
  ...Array.from({ length: 0x20 }, (_, code) => code),
  ...Array.from({ length: 0x21 }, (_, code) => 0x7f + code),
  ...[0x061c, 0x200e, 0x200f, 0x2028, 0x2029],
  ...[0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
].map(code => String.fromCharCode(code));

/** Returns what is written to a stream, which is a terminal if `isTTY`. */
function written(stream: 'stdout' | 'stderr', isTTY: boolean, write: () => void): string {
  let text = '';
  vi.spyOn(process[stream], 'write').mockImplementation(chunk => {
    text += String(chunk);
    return true;
  });
  const { isTTY: before } = process[stream];
  process[stream].isTTY = isTTY;
  write();
  process[stream].isTTY = before;
  vi.restoreAllMocks();
  return text;
}

test.each(controls)('replaces the control character %j in printed lines', control => {
  const lines = [`a${control}b`, [`c${control}d`, styled('red', `e${control}f`)]];
  for (const isTTY of [false, true]) {
    const text = written('stderr', isTTY, () => print(process.stderr, lines));
    const shown = text.replaceAll('\u001b[31m', '').replaceAll('\u001b[39m', '').split('\n');
    expect(shown).toEqual(['a\ufffdb', 'c\ufffdde\ufffdf', '']);
  }
});

test.each(controls)('escapes the control character %j in JSON on standard output', control => {
  const text = written('stdout', false, () => printJson({ [control]: `a${control}` }));
  expect(text.slice(0, -1)).not.toContain(control);
  expect(JSON.parse(text)).toEqual({ [control]: `a${control}` });
});

test('prints letters, accents and emoji of every script unchanged', () => {
  const text = 'Zoë 株式会社 👩‍👩‍👧 שלום مرحبا';
  expect(written('stdout', true, () => print(process.stdout, [text]))).toBe(`${text}\n`);
});

test('keeps line breaks in data on a terminal, but no other control characters', () => {
  const rows = 'email,name\na@example.com,\u001b[2J\u009b\r\n';
  const shown = written('stdout', true, () => void writeData(rows));
  expect(shown).toBe('email,name\na@example.com,\ufffd[2J\ufffd\ufffd\n');
  expect(written('stdout', false, () => void writeData(rows))).toBe(rows);
});

test('only src/cli/terminal.ts writes to standard output and standard error', () => {
  const folder = join(import.meta.dirname, '../../../src/cli');
  const writing = filesIn(folder, '**/*.ts').filter(file =>
    /std(?:out|err)\.write|\bconsole\b/.test(readFileSync(join(folder, file), 'utf8')),
  );
  expect(writing).toEqual(['terminal.ts']);
});

test.each([
  ['y', true],
  ['Yes ', true],
  ['n', false],
  ['', false],
  ['yesterday', false],
])('asks a question, to which %j means %s', async (typed, expected) => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as unknown as typeof process.stdin);
  const prompt = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const answer = confirm('Send\u202e 2 rows?', new AbortController().signal);
  stdin.write(`${typed}\n`);
  expect(await answer).toBe(expected);
  expect(prompt.mock.calls.join('')).toContain('Send\ufffd 2 rows? [y/N] ');
});

test.each([
  [10, 'Imported 6 of 10 (60%), 4 s left, 1/s'],
  [65, 'Imported 6 of 65 (9%), 59 s left, 1/s'],
  [66, 'Imported 6 of 66 (9%), 1 min left, 1/s'],
  [67, 'Imported 6 of 67 (8%), 2 min left, 1/s'],
  [undefined, 'Imported 6, 1/s'],
])('shows how long the rest of %j rows takes', (total, expected) => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const { isTTY } = process.stderr;
  process.stderr.isTTY = true;
  const progress = startProgress('Imported', 2, total);
  process.stderr.isTTY = isTTY;
  const drawn = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  now.mockReturnValue(4000);
  progress.update(6);
  progress.update(7);
  expect(drawn.mock.calls).toEqual([[`\r${expected}\u001b[K`]]);
  progress.stop();
  progress.stop();
  expect(drawn.mock.calls.slice(2)).toEqual([['\n']]);
});

test.each([
  [true, '\r\u001b[KWaiting 7 s before a retry (429).\n'],
  [false, 'Waiting 7 s before a retry (429).\n'],
])('a wait of several calls is printed once (terminal: %s)', (isTTY, line) => {
  const text = written('stderr', isTTY, () => {
    const logger = waitLogger();
    for (const waitMs of [6_300, 6_400]) logger.warn('', { waitMs, status: 429 });
  });
  expect(text).toBe(line);
});

test('the next wait is printed, too', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const text = written('stderr', false, () => {
    const logger = waitLogger();
    logger.warn('', { waitMs: 3_000, status: 429 });
    vi.advanceTimersByTime(3_001);
    logger.warn('', { waitMs: 2_500 });
  });
  vi.useRealTimers();
  expect(text).toBe('Waiting 3 s before a retry (429).\nWaiting 3 s before a retry (no response).\n');
});

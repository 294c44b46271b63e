// Columns in which most values differ, such as the date of a consent: among them, some say that people left.
import { describe, expect, test } from 'vitest';
import { endedWith, importAll, importRows, mailable, survey, unwrapped } from './run-cli.ts';

/** Returns a file with this cell in each row: `p0@x.test` has the first one. */
const fileOf = (name: string, cells: readonly string[]) =>
  `email;${name}\n${cells.map((cell, index) => `p${index}@x.test;${cell}\n`).join('')}`;

const pad = (number: number) => String(number + 1).padStart(2, '0');
const dates = (count: number) =>
  Array.from({ length: count }, (_, index) => `2023-${pad(Math.floor(index / 28) % 12)}-${pad(index % 28)}`);
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `no. ${index}`);

describe('(date) is whoever has a date, and nobody else', () => {
  const between = [
    'refused',
    'no',
    'NULL',
    '0000-00-00',
    '2023-13-01',
    '1815-12-10',
    '2199-01-01',
    'x 2023-01-01',
  ];

  test.each([
    '2023-01-31',
    '2023/1/31',
    '31.01.2023',
    '31/1/2023',
    '1-31-2023',
    '2023-01-31T10:22:33.123Z',
    '2023-01-31 10:22:33 +02:00',
    '1/31/2023, 9:05 PM',
    '31.01.2023 09:05 UTC',
    '\u200b2023-01-31\u00a0',
  ])('such as %j', async date => {
    const { sent } = await importRows(fileOf('Opt-in', [date, ...between]), ...mailable('Opt-in=(date)'));
    expect(sent).toEqual(['p0@x.test']);
  });

  test('not even among dates: each other value is shown', async () => {
    const cells = [
      ...dates(24),
      ...['refused', 'no', 'NULL', '0000-00-00'].flatMap(value => Array(4).fill(value)),
    ];
    const file = fileOf('Opt-in', [...cells, '\u200b']);
    expect(unwrapped((await survey(file)).stderr)).toContain(
      'Opt-in: (date) 24 (2023-01-01 to 2023-01-24) | refused 4 | no 4 | NULL 4 | 0000-00-00 4 | (empty) 1\n',
    );
    const { sent, leftOut } = await importRows(file, ...mailable('Opt-in=(date)'));
    expect(sent).toHaveLength(24);
    expect(leftOut).toContain('Opt-in is ""0000-00-00""');
    expect(leftOut).toContain('Opt-in is (empty)');
  });
});

test('a plain word among dates stops it, also if it is named, and however many values come first', async () => {
  const newsletter = fileOf('Newsletter', [...dates(10), ...Array(4).fill('abgemeldet'), '']);
  const named = await importRows(newsletter, ...mailable('Newsletter=(date),Abgemeldet'));
  expect(named).toMatchObject(endedWith(2, '4 rows to be sent: column "Newsletter" is "abgemeldet"'));
  const ended = await importAll(fileOf('Subscribed at', [...numbers(1500), 'Unsubscribed', 'no']));
  expect(ended).toMatchObject(endedWith(2, '1 row to be sent: column "Subscribed at" is "Unsubscribed"'));
});

test('names and values that have to be typed are shown whole, however long they are', async () => {
  const long = (word: string) =>
    `I have read all that is written below and ${word}, ${'so '.repeat(60)}I sign`;
  const [yes, no] = [long('agree'), long('do not agree')];
  const name = (how: string) =>
    `May we write to you ${how}? (This is the question of the form of the year 2026)`;
  const text = `email,${name('by post')},${name('by e-mail')}\na@x.test,"${yes}","${no}"\nb@x.test,"${no}","${yes}"\n`;
  const stderr = unwrapped((await survey(text)).stderr);
  expect(stderr).toContain(`${name('by post')}: "${yes}" 1 | "${no}" 1\n`);
  expect(stderr).toContain(`${name('by e-mail')}: "${no}" 1 | "${yes}" 1\n`);
  const { sent } = await importRows(text, ...mailable(`${name('by e-mail')}="${yes}"`));
  expect(sent).toEqual(['b@x.test']);
});

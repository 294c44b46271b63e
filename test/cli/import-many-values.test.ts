// Columns in which most values differ, such as the date of a consent: among them, some say that people left.
import { describe, expect, test } from 'vitest';
import { endedWith, importRows, mailable } from './run-cli.ts';

/** Returns a file with this cell in each row: `p0@x.test` has the first one. */
const fileOf = (name: string, cells: readonly string[]) =>
  `email;${name}\n${cells.map((cell, index) => `p${index}@x.test;${cell}\n`).join('')}`;

const dates = (count: number) =>
  Array.from({ length: count }, (_, index) => `${index % 28}.${Math.floor(index / 28)}.2023`);
const newsletter = fileOf('Newsletter', [...dates(10), ...Array(4).fill('abgemeldet'), '']);

describe('a plain word among dates', () => {
  test('is offered, and named wherever values are', async () => {
    const line = 'Newsletter  (filled) 14 | (empty) 1 | abgemeldet 4  <- says "abgemeldet"';
    expect((await importRows(newsletter)).stderr).toContain(line);
    const other = await importRows(newsletter, ...mailable('Newsletter=ja'));
    expect(other).toMatchObject(
      endedWith(2, /no row has "ja"; the values are 0\.0\.2023 1 \|.*abgemeldet 4$/m),
    );
    const all = await importRows(newsletter, ...mailable('everyone'));
    expect(all).toMatchObject(
      endedWith(2, /4 rows to be sent: .* that mean yes \(0\.0\.2023 1 \|.*abgemeldet 4\)/),
    );
  });

  test('stops the import if its column is decided by (filled) alone', async () => {
    const filled = await importRows(newsletter, ...mailable('Newsletter=(filled)'));
    expect(filled).toMatchObject({
      ...endedWith(2, 'column "Newsletter" is "abgemeldet", which is (filled), too.'),
      sent: [],
    });
    const first = await importRows(newsletter, ...mailable('Newsletter=0.0.2023'));
    expect(first.sent).toEqual(['p0@x.test']);
  });

  test('permits who has it, if it is named, or the column does not matter', async () => {
    const named = await importRows(newsletter, ...mailable('Newsletter=(filled),Abgemeldet'));
    expect(named.sent).toHaveLength(14);
    const any = await importRows(newsletter, ...mailable('everyone', 'Newsletter=(any)'));
    expect(any.sent).toHaveLength(15);
  });

  test('is offered, however many values come first, and so is any other word', async () => {
    const cells = [...dates(25), 'Unsubscribed', 'no', ''];
    expect((await importRows(fileOf('Subscribed at', cells))).stderr).toMatch(
      /Subscribed at {2}\(filled\) 27 \| no 1 \| \(empty\) 1 \| Unsubscribed 1 {2}<- says/,
    );
    const more = [...dates(1500), 'no', 'Unsubscribed', 'no', 'no'];
    expect((await importRows(fileOf('Subscribed at', more))).stderr).toMatch(
      /Subscribed at {2}\(filled\) 1504 \| no 3 \| Unsubscribed 1 {2}<- says/,
    );
  });
});

test('a column that sounds like consent is offered with its most frequent values, and shown again', async () => {
  const text = fileOf('Consent given', [...dates(25), ...Array(20).fill('no')]);
  expect((await importRows(text)).stderr).toContain('Consent given  (filled) 45 | no 20\n');
  const { stderr } = await importRows(text, ...mailable('Consent given=(filled)'));
  expect(stderr).toMatch(/Mind what .*:\n {2}Consent given: \(filled\) 25 \| no 20\n/);
});

test('long values are offered, and shown in full if they differ in the middle', async () => {
  const text = (word: string) =>
    `I have read all that is written below and ${word} to get the emails of the shop`;
  const long = 'x'.repeat(300);
  const file = fileOf('Agreement', [text('agree'), text('do not agree'), `${long}.`, text('agree')]);
  const { stderr } = await importRows(file);
  expect(stderr).toContain(
    `Agreement  ${text('agree')} 2 | ${text('do not agree')} 1 | ${'x'.repeat(26)}...${'x'.repeat(13)}. 1`,
  );
});

// Who is imported: the people with yes in the column mailable, unless their rows contain a no.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { agreed, endedWith, importText, stage } from './run-cli.ts';

test('nothing is imported from a file without the column mailable, and the message says what to do', async () => {
  for (const args of [[], ['--dry-run'], ['--map', 'ok=mailable']]) {
    const { code, stderr, report, sent } = await importText('email,ok\na@x.test,yes\n', ...args);
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    if (args.includes('--map')) continue;
    expect(report.error.code).toBe('confirmation');
    expect(stderr).toMatch(/no column named mailable.* write yes in it for each person who agreed/);
    expect(stderr).toContain('look at columns such as Status, Unsubscribed or Newsletter.');
    expect(stderr.trim().split('\n')).toHaveLength(1);
  }
});

test('yes imports a row, in any case, and nothing else does', async () => {
  const values = ['yes', 'YES', ' Yes ', 'no', '', 'y', 'true', '1', 'x', 'ja', 'yes please', 'mailable'];
  const lines = values.map((value, index) => `p${index}@x.test,${value}\n`).join('');
  const { code, stderr, sent, report } = await importText(`email,Mailable\n${lines},yes\n`);
  expect({ code, sent }).toEqual({ code: 0, sent: ['p0@x.test', 'p1@x.test', 'p2@x.test'] });
  expect(report).toMatchObject({ rows: 12, sent: 3, skipped: 9, rejected: 0 });
  expect(stderr).toContain('9 rows are skipped: mailable is not yes.');
  const two = await importText('email,mailable,Mailable\na@x.test,yes,no\n');
  expect(two).toMatchObject({ ...endedWith(2, 'more than one column named mailable'), sent: [] });
});

test.each([
  [21, 'yes', true],
  [20, 'yes', false],
  [21, 'no', false],
])('with %i rows and %s in the last, the summary asks if everyone agreed: %s', async (count, last, asks) => {
  const rows = Array.from({ length: count }, (_, index) => `p${index}@x.test,${index ? 'yes' : last}\n`);
  const { stderr } = await importText(`email,mailable\n${rows.join('')}`, '--dry-run');
  expect(stderr.includes('Every row says yes. Did everyone agree?')).toBe(asks);
});

test('a corrected row of a rejected file is imported, although its old reason contains a no', async () => {
  const text =
    'Import error,email,mailable\n"line 2: mailable is yes, but Status is Unsubscribed",a@x.test,yes\n';
  expect(await importText(text)).toMatchObject({ code: 0, sent: ['a@x.test'] });
});

/** Headings, cells that reject a row that says yes, and cells that do not. */
const columns: [heading: string, noes: string[], others: string[]][] = [
  [
    'Unsubscribed',
    ['TRUE', 'x', '1', '2024-02-02', 'May news', '✓'],
    ['', 'no', 'False', '0', '-', 'never', 'nein'],
  ],
  ['HASOPTEDOUTOFEMAIL', ['true'], ['false']],
  ['Opted out of email: Newsletter', ['Yes'], ['No']],
  ['Do not e-mail', ['x'], ['']],
  ['EMAIL_BLACKLISTED', ['true'], ['false']],
  ['Email Suppressions', ["['HARD_BOUNCE']"], ['[]']],
  ['CLEAN_TIME', ['2024-02-02 10:00:00'], ['0000-00-00 00:00:00']],
  ['Désinscrit le', ['03/02/2024'], ['non']],
  ['Gesperrt', ['ja'], ['Nein']],
  ['Fecha de baja', ['1/2/2024'], ['']],
  ['Boletín', ['no'], ['sí']],
  ['Bounced Hard', ['1'], ['0']],
  ['Tick if you do not want our newsletter', ['yes'], ['no']],
  ['Accepts Email Marketing', ['no', 'FALSE', '0'], ['yes', '', '2024-01-01']],
  ['Would you like to get our newsletter?', ['No', 'No, thanks', 'nein'], ['Yes', 'Nora']],
  ['subscribed_to_emails', ['false'], ['true']],
  ['Consentement RGPD', ['Non'], ['Oui']],
  ['GDPR', ['false'], ['true']],
  ['DOUBLE_OPT-IN', ['No'], ['Yes']],
  ['Einwilligung', ['Nein'], ['erteilt']],
  ['Consent', ['No'], ['yes']],
  ['Email permission', ['No'], ['Yes']],
  [
    'Status',
    [
      'Unsubscribed',
      'cleaned',
      'USER_SUPPRESSED',
      'Bounced',
      'Opted out',
      'Junk',
      'Dado de baja',
      'Bloqueado',
      'unzustellbar',
      'Décédée',
    ],
    ['Active'],
  ],
  [
    'Notes',
    ['Do not mail - she said so', 'asked to unsubscribe', 'Bitte keine E-Mails'],
    ['no answer', 'cleaned the shop'],
  ],
  [
    'Notes (2)',
    ['désinscrite par téléphone', 'désabonnée', 'Abgemeldet am 3.4.2023', '退会'],
    [`Hello, ${'x'.repeat(90)}, to unsubscribe click here, bye`, 'Bajamar'],
  ],
  ['Tags', ['vip, Unsubscribed', 'do-not-email;x'], ['vip, newsletter']],
  ['customFields.status', ['Opted out'], ['opted in']],
  ['SMS Marketing Status', [], ['Unsubscribed', 'no']],
  ['First name', [], ['Blocked']],
];

describe.each(columns)('a row that says yes, with a column %s,', (heading, noes, others) => {
  const rowsOf = (cells: readonly string[]) =>
    cells.map((cell, index) => `p${index}@x.test,yes,"${cell}"\n`).join('');

  test('is rejected if the column says no, unless --ignore-column names it', async () => {
    if (noes.length === 0) return;
    const text = `email,mailable,${heading}\n${rowsOf(noes)}`;
    const { code, rejected, report, sent } = await importText(text);
    expect({ code, sent, rejected: report.rejected }).toEqual({ code: 1, sent: [], rejected: noes.length });
    expect(rejected).toContain(`line 2: mailable is yes, but ${heading} is ${noes[0]}`);
    const reason = `mailable is yes, but ${heading} is ${noes[0]}`;
    expect(report.reasons).toEqual([{ reason, rows: noes.length, firstLine: 2 }]);
    const ignored = await importText(text, '--ignore-column', heading.toUpperCase());
    expect(ignored).toMatchObject({ code: 0, report: { sent: noes.length } });
  });

  test('is imported otherwise', async () => {
    const { report } = await importText(`email,mailable,${heading}\n${rowsOf(others)}`);
    expect(report).toMatchObject({ sent: others.length, rejected: 0 });
  });
});

test('--ignore-column must name a column', async () => {
  const ended = await importText('email,mailable\na@x.test,yes\n', '--ignore-column', 'Unsub');
  expect(ended).toMatchObject({ ...endedWith(2, '--ignore-column: no column is named "Unsub"'), sent: [] });
});

test.each([
  ['has no yes', 'A@X.test,,'],
  ['says no elsewhere', 'Ada <a@x.test>,yes,TRUE'],
  ['has no yes, and two addresses', 'b@y.test; a@x.test,no,'],
  ['cannot be read', 'note,yes,,a@x.test'],
])('no row of a person is imported if one %s', async (_, other) => {
  for (const rows of [`a@x.test,yes,\n${other}\n`, `${other}\na@x.test,yes,\n`]) {
    const { sent, report, stderr } = await importText(`email,mailable,Unsubscribed\n${rows}c@x.test,yes,\n`);
    expect({ sent, outvoted: report.outvoted }).toEqual({ sent: ['c@x.test'], outvoted: 1 });
    expect(stderr).toContain(
      '1 row is skipped: another row of the same person lacks a yes or contains a no.',
    );
  }
});

/** Rows of these addresses in each file of a service, as a hurried person would import them: yes in every row. */
const exports: [file: string, leaked: string[]][] = [
  ['hubspot', ['out1', 'out4']],
  ['klaviyo', []],
  ['mailchimp', []],
];

test.each(exports)(
  'with yes in every row of %s.csv, a person who clearly said no is not imported',
  async (file, leaked) => {
    const text = readFileSync(join(import.meta.dirname, `exports/${file}.csv`), 'utf8');
    const { sent } = await importText(agreed(text));
    expect(sent.filter(email => email.startsWith('out'))).toEqual(leaked.map(name => `${name}@example.com`));
    expect(sent.filter(email => email.startsWith('in'))).toEqual(text.match(/in\d@example\.com/g));
  },
);

describe('--except leaves out the people in a file', () => {
  const text = agreed('email\nada@x.test\nbob@x.test\nCyd <CYD@x.test>\no\u2019neil@x.test\n');
  const importExcept = async (left: string | Uint8Array) => {
    await using staged = await stage();
    staged.write('left.csv', left);
    return await staged.importText(text, '--except', 'left.csv');
  };

  test.each<[left: string | Uint8Array, out: string[]]>([
    ['Reason;Address\nspam;"Ada" <ADA@x.test>\nmoved;mailto:cyd@x.test', ['CYD@x.test', 'ada@x.test']],
    [Buffer.from('\ufeffEmail\r\nada@x.test\r\n', 'utf16le'), ['ada@x.test']],
    [Buffer.from('Email\r\nada@x.test\r\n', 'utf16le'), ['ada@x.test']],
    ["Neil, (o'neil@x.test)", ['o\u2019neil@x.test']],
    ['mailto:o%27neil%40x.test?subject=Hi', ['o\u2019neil@x.test']],
    ['email,Twitter\nbob@x.test,@ada\n', ['bob@x.test']],
  ])('in any column and any form: %j', async (left, out) => {
    const { code, sent, report, stderr } = await importExcept(left);
    const all = ['CYD@x.test', 'ada@x.test', 'bob@x.test', 'o\u2019neil@x.test'];
    expect({ code, sent }).toEqual({ code: 0, sent: all.filter(email => !out.includes(email)) });
    expect(report.excepted).toBe(out.length);
    expect(stderr).toContain('skipped: the address is in left.csv.');
  });

  test.each<[left: string | Uint8Array, message: string]>([
    ['cyd@x.test\na@x.testb@y.test\n', 'line 2 contains no email address'],
    ['cyd@x.test\nada@y.test, @x.test\n', 'line 2 contains no email address'],
    ['cyd@x.test\r\n\r\n*@x.test\r\n', 'line 3 contains no email address'],
    ['cyd@x.test\nx.test\n', 'line 2 contains no email address'],
    ['cyd@x.test\nada.x.test@\n', 'line 2 contains no email address'],
    ['Name\nAda\n', 'this file contains no email address.\n'],
    [gzipSync(`${'ada@x.test\n'.repeat(50)}${Math.random()}`), 'is not text'],
    ['%PDF-1.4\n1 0 obj\n(ada@x.test)\nendobj\n', 'is not text'],
  ])('but a file that may mean others stops the import: %j', async (left, message) => {
    const ended = await importExcept(left);
    expect(ended).toMatchObject({ ...endedWith(2, message), sent: [] });
    expect(ended.stderr).not.toContain('@x');
  });

  test('even if all addresses are on one long line', async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `p${index}@y.test`);
    for (const separator of [',', ';', '\n', '\r\n']) {
      const left = [...many, 'bob@x.test', ...many].join(separator);
      expect((await importExcept(left)).report.excepted).toBe(1);
      const line = separator.includes('\n') ? 20_001 : 1;
      const refused = await importExcept(left.replace('bob@', '@'));
      expect(refused.stderr).toContain(`left.csv: line ${line} contains no email address`);
    }
  });
});

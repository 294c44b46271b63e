import { symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runs } from '../support/long-run.ts';
import { endedWith, everyone, identify, sentRows, stage } from './run-cli.ts';

/** Encodes text as Windows does: the bytes from 0x80 to 0x9f are other characters than in Latin-1. */
const windows1252 = (text: string): Buffer => Buffer.from(text.replaceAll('€', '\x80'), 'latin1');

/** Encodes text, with a byte order mark if it has one. */
function encode(text: string, encoding: string): Buffer {
  if (encoding === 'windows-1252') return windows1252(text);
  if (encoding === 'utf-8') return Buffer.from(text);
  return Buffer.from(text, 'utf16le');
}

/** Imports a file, and returns what was sent and printed. */
async function imported(content: string | Uint8Array, ...args: string[]) {
  await using staged = await stage();
  const { code, stderr } = await staged.importText(content, ...args);
  return { code, stderr, bodies: sentRows(staged) };
}

describe('import reads files as people have them:', () => {
  test('in an encoding that --encoding names', async () => {
    await using staged = await stage();
    const snow = Buffer.from([0x90, 0xe1]);
    const rows = ['email,firstName\nyuki@example.com,', snow, '\nyuki,', snow, '\n'];
    const file = Buffer.concat(rows.map(part => Buffer.from(part)));
    const { stderr } = await staged.importText(file, '--encoding', 'Shift_JIS');
    expect(staged.sandbox.state.contacts.all).toMatchObject([{ email: 'yuki@example.com', firstName: '雪' }]);
    expect(stderr).not.toContain('Warning');
    const rejected = '\ufeffImport error,email,firstName\nemail must be an email address,yuki,雪\n';
    expect(staged.read('people.csv.rejected.csv')).toBe(rejected);
  });

  test('with a preference for columns that have the name of the field', async () => {
    const { bodies } = await imported(
      'Firma,Email Address,company,email\nF,other@example.com,C,ada@example.com\n',
    );
    expect(bodies).toEqual([{ email: 'ada@example.com', company: 'C' }]);
  });
});

describe('import shows what it will do before it sends anything:', () => {
  test('three rows as they will be sent, and the first that will be rejected', async () => {
    await using staged = await stage();
    const rows = 'ada@example.com,Ada\nfew\nalan@example.com,\ngrace@example.com,Grace\nlast@example.com,L\n';
    staged.write('people.csv', `email,first name\n${rows}`);
    const { stderr, code } = await staged.run('import', 'people.csv', '--mailable', 'everyone');
    expect(code).toBe(2);
    const samples = stderr.split('\n').filter(line => line.startsWith('  {'));
    expect(samples.map(line => JSON.parse(line))).toEqual([
      { email: 'ada@example.com', firstName: 'Ada' },
      { email: 'alan@example.com' },
      { email: 'grace@example.com', firstName: 'Grace' },
    ]);
    expect(stderr).toContain('1 row will be rejected:\n         1  email must be an email address\n');
    expect(stderr.indexOf('  {')).toBeLessThan(stderr.indexOf('nothing was sent'));
    expect(staged.sandbox.requests.count()).toBe(0);
  });

  test('a question if tags contain commas, which stops it until --tag-separator is given', async () => {
    const commas = 'email,Tags\na@example.com,one\nb@example.com,"vip, new"\nc@example.com,"old,new; x"\n';
    const asked = await imported(commas);
    expect(asked).toMatchObject({ code: 2, bodies: [] });
    expect(asked.stderr).toContain(
      'Question: There are tags with commas, such as "vip, new". What are the commas?',
    );
    expect(asked.stderr).toMatch(/^email-marketing-client import: nothing was sent, because of 1 question/m);
    const split = await imported(commas, '--tag-separator', ',');
    expect(split.bodies[1]).toEqual({ email: 'b@example.com', tags: ['vip', 'new'] });
    const kept = await imported(commas, '--tag-separator', ';');
    expect(kept.bodies.slice(1)).toEqual([
      { email: 'b@example.com', tags: ['vip, new'] },
      { email: 'c@example.com', tags: ['old,new', 'x'] },
    ]);
  });

  test('no question about commas within quotes', async () => {
    const quoted = 'email,Tags\nb@example.com,"""A "",""B, C"""\nc@example.com,"""D, E"";F"\n';
    const { stderr, bodies } = await imported(quoted);
    expect(stderr).not.toContain('Question');
    expect(bodies.map(({ tags }) => tags)).toEqual([
      ['A', 'B, C'],
      ['D, E', 'F'],
    ]);
  });

  test('a question if birthdays can be read in two ways, until --birthdays is given', async () => {
    const content = 'email,birthday\na@example.com,03/04/1990\n';
    const refused = await imported(content);
    expect(refused).toMatchObject({ code: 2, bodies: [] });
    expect(refused.stderr).toContain('How are birthdays such as "03/04/1990" written?');
    const day = await imported(content, '--birthdays', 'day-first');
    expect(day.bodies).toEqual([{ email: 'a@example.com', birthday: '1990-04-03' }]);
    const month = await imported(content, '--birthdays', 'month-first');
    expect(month.bodies).toEqual([{ email: 'a@example.com', birthday: '1990-03-04' }]);
  });
});

describe('import writes', () => {
  test('the reasons of rejected rows, with the number of rows for each', async () => {
    await using staged = await stage();
    const rows = ['nobody,', 'none,', 'ada@example.com,,x', 'last@example.com,'];
    const { stderr, stdout } = await staged.importText(`email,birthday\n${rows.join('\n')}\n`, '--json');
    expect(stderr).toMatch(/3 rejected.*\n +2 {2}email must be an email address\n +1 {2}\S/);
    const { reasons, rejected } = JSON.parse(stdout);
    expect(reasons[0]).toEqual({ reason: 'email must be an email address', rows: 2 });
    expect(reasons).toHaveLength(2);
    expect(rejected).toBe(3);
    const dry = await staged.run('import', 'people.csv', '--dry-run', '--mailable', 'everyone');
    expect(dry.stderr).toMatch(/ 2 {2}email must be an email address\n/);
  });

  test.each([
    ['utf-8', true, ';', '\r\n'],
    ['utf-8', false, ',', '\n'],
    ['utf-16le', true, '\t', '\r\n'],
    ['windows-1252', false, ';', '\r\n'],
  ])(
    'rejected rows in UTF-8 with a mark, otherwise like the input: %s, byte order mark %s, %j, %j',
    async (...format) => {
      const [encoding, hasMark, delimiter, lineEnd] = format;
      const textOf = (rows: string[][]) => rows.map(row => row.join(delimiter) + lineEnd).join('');
      await using staged = await stage();
      const rows = ['email,firstName', 'zoe,Zoë €'].map(line => line.split(','));
      const input = encode((hasMark ? '\ufeff' : '') + textOf(rows), encoding);
      expect(await staged.importText(input, '--encoding', encoding)).toMatchObject({ code: 1 });
      const rejected = [
        ['Import error', 'email', 'firstName'],
        ['email must be an email address', 'zoe', 'Zoë €'],
      ];
      expect(staged.read('people.csv.rejected.csv')).toBe(`\ufeff${textOf(rejected)}`);
      const corrected = rejected.map(row => row.map(cell => cell.replace(/^zoe$/, 'zoe@example.com')));
      staged.write('corrected.csv', `\ufeff${textOf(corrected)}`);
      const again = await staged.run('import', 'corrected.csv', ...everyone, '--encoding', encoding);
      expect(again).toMatchObject({ code: 0 });
      expect(staged.sandbox.state.contacts.all).toMatchObject([
        { email: 'zoe@example.com', firstName: 'Zoë €' },
      ]);
    },
  );
});

describe('before it reads the file, import checks', () => {
  test.each(['EMAIL_MARKETING_API_KEY', 'EMAIL_MARKETING_TEAM_ID', 'EMAIL_MARKETING_BASE_URL'])(
    'that %s is set',
    async name => {
      await using staged = await stage();
      staged.write('people.csv', 'neither\nfield\n');
      const { code, stderr } = await staged.runWith({ [name]: '' }, 'import', 'people.csv', ...everyone);
      expect(code).toBe(2);
      expect(stderr).toContain(name);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    },
  );

  test.skipIf(process.platform === 'win32')('the journal of the target of a symbolic link', async () => {
    await using staged = await stage();
    staged.write('people.csv', 'email,customFields.n\nada@example.com,++1\n');
    symlinkSync(staged.path('people.csv'), staged.path('link.csv'));
    expect(await staged.run('import', 'link.csv', ...everyone)).toMatchObject({ code: 0 });
    expect(await staged.run('import', 'people.csv', ...everyone)).toMatchObject(
      endedWith(0, 'imported before'),
    );
    expect(staged.sandbox.requests.count(identify)).toBe(1);
  });
});

test('a header of a hundred kilobytes is read, and only its first columns are printed', async () => {
  const length = runs(12_000, 120_000);
  const names = Array.from({ length }, (_, index) => `c${index}`);
  const { code, stderr } = await imported(`email,${names.join(',')}\n`);
  expect(code).toBe(0);
  expect(stderr.split('\n').length).toBeLessThan(120);
  expect(stderr.length).toBeLessThan(20_000);
});

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { useNoRetryDelay } from '../client/support.ts';
import { rows } from '../operations.ts';
import { endedWith, everyone, identify, importAll, sentRows, stage } from './run-cli.ts';

useNoRetryDelay();

describe('import: columns', () => {
  test('matches headers, ignoring case, spaces and underscores, and maps custom fields', async () => {
    const header = '\ufeffE_Mail,First name,LAST_NAME,customFields.plan,customfields.Color,Tags';
    const rows = 'ada@example.com,"Ada, L.",Byron,gold,red,a; b\nalan@example.com,,,,,\n';
    expect((await importAll(`${header}\n${rows}`)).bodies).toEqual([
      {
        email: 'ada@example.com',
        firstName: 'Ada, L.',
        lastName: 'Byron',
        customFields: { plan: 'gold', Color: 'red' },
        tags: ['a', 'b'],
      },
      { email: 'alan@example.com' },
    ]);
  });

  test('has a column for each documented field of identify', async () => {
    const { body = '' } = rows.find(({ name }) => name === 'legacy.identify') ?? {};
    const { customFields, newEmail: _, ...fields } = JSON.parse(body);
    const cells = [...Object.entries(fields), ['customFields.plan', customFields.plan]];
    const lines = [0, 1].map(part => `${cells.map(cell => cell[part]).join()}\n`);
    expect((await importAll(lines.join(''))).bodies).toEqual([{ ...fields, customFields }]);
  });

  test.each([
    [':', 'email:customFields.plan\nada@example.com:"a:b"\n', { customFields: { plan: 'a:b' } }],
    ['tab', 'email\tlastName\nada@example.com\tByron\n', { lastName: 'Byron' }],
  ])('reads files with the delimiter %s that --delimiter names', async (delimiter, text, fields) => {
    const { bodies } = await importAll(text, '--delimiter', delimiter);
    expect(bodies).toEqual([{ email: 'ada@example.com', ...fields }]);
  });

  test.each([
    [['--map', 'Nothing=firstName'], 'no column is named "Nothing"; columns are email, Plan'],
    [['--map', 'Plan=emial'], 'no field is named emial'],
    [['--map', 'Plan'], 'COLUMN=FIELD'],
    [['--map', 'Plan=email', '--map', 'email=email'], 'columns Plan and email cannot both be email'],
    [['--encoding', 'klingon'], '--encoding takes the name of an encoding'],
    [['--delimiter', ';;'], '--delimiter takes one character'],
    [['--tag-separator', ''], '--tag-separator takes one character'],
    [['--birthdays', 'soon'], 'Allowed choices are day-first, month-first.'],
    [['--concurrency', '0'], '--concurrency takes a whole number'],
  ])('refuses %j in one line, and sends nothing', async (args, message) => {
    await using staged = await stage();
    const ended = await staged.importText('email,Plan\nada@example.com,gold\n', ...args);
    expect(ended.code).toBe(2);
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
    expect(ended.stderr).toContain(message);
    expect(staged.sandbox.requests.count()).toBe(0);
  });

  test.each([
    ['none.csv', /none\.csv does not exist/],
    ['empty.csv', /must name the columns/],
    ['people.jsonl', /CSV files only/],
    ['workbook.xlsx', /is a workbook: save it as "CSV UTF-8"/],
    ['workbook.xls', /is a workbook: save it as "CSV UTF-8"/],
    ['folder', /is not a file/],
    ['people.csv/people.csv', /does not exist/],
  ])('explains why it cannot read %s', async (name, message) => {
    await using staged = await stage();
    mkdirSync(staged.path('folder'));
    const texts = {
      'people.csv': 'email\n',
      'workbook.xlsx': 'PK\x03\x04rest',
      'workbook.xls': '\xd0\xcf\x11\xe0',
      'people.jsonl': '{}',
      'empty.csv': '',
    };
    for (const [file, text] of Object.entries(texts)) staged.write(file, Buffer.from(text, 'latin1'));
    const ended = await staged.run('import', name, ...everyone);
    expect(ended).toMatchObject(endedWith(2, message));
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
    expect(ended.stderr).not.toMatch(/E[A-Z]{4,}/);
  });
});

// Windows has no pipes in its folders.
test.skipIf(process.platform === 'win32')('import says what it wants in place of a pipe', async () => {
  await using staged = await stage();
  execFileSync('mkfifo', [staged.path('pipe')]);
  const ended = await staged.run('import', 'pipe', ...everyone);
  expect(ended).toMatchObject(endedWith(2, 'pipe is not a file'));
});

test('the help of import begins with what a first run needs', async () => {
  await using staged = await stage();
  const { stdout } = await staged.run('import', '--help');
  const screen = stdout.split('\n').slice(0, 24).join('\n');
  for (const text of ['import people.csv --mailable', '--mailable <who>', '--map <column=field>'])
    expect(screen).toContain(text);
});

describe('import: report', () => {
  test('writes rejected rows with their reasons to a file that can be corrected and imported', async () => {
    await using staged = await stage({ seed: { contacts: 1 } });
    const rows = [
      'nobody,N,',
      'few@example.com,,,,more',
      'count@example.com,"C, D",++5',
      'none@example.com,E,--5',
    ];
    staged.write(
      'people.csv',
      `email,firstName,customFields.n,agreed\n${rows.join('\n')}\nlast@example.com,Last,\n`,
    );
    expect(await staged.run('import', 'people.csv', ...everyone)).toMatchObject({ code: 1 });
    const [header, ...rejected] = staged.read('people.csv.rejected.csv').trim().split('\n');
    expect(header).toBe('Import error,email,firstName,customFields.n,agreed');
    expect(rejected).toEqual([
      'email must be an email address,nobody,N,',
      '"the row has 5 cells, the header 4",few@example.com,,,,more',
      expect.stringMatching(/^a custom field with \+\+ .*,count@example\.com,"C, D",\+\+5$/),
      expect.stringMatching(/^a custom field with \+\+ .*,none@example\.com,E,--5$/),
    ]);
    expect(staged.sandbox.state.contacts.named('last@example.com')?.firstName).toBe('Last');
    const corrected = [header, rejected[0]?.replace('nobody', 'somebody@example.com'), rejected[1]].join(
      '\n',
    );
    staged.write('people.csv.rejected.csv', corrected);
    expect(await staged.run('import', 'people.csv.rejected.csv', ...everyone)).toMatchObject({ code: 1 });
    expect(staged.sandbox.state.contacts.named('somebody@example.com')?.firstName).toBe('N');
    expect(staged.read('people.csv.rejected.csv.rejected.csv')).toBe(
      '\ufeffImport error,email,firstName,customFields.n,agreed\n"the row has 6 cells, the header 5",few@example.com,,,,more\n',
    );
  });

  test('checks every row in a dry run without a key, and leaves no file', async () => {
    await using staged = await stage();
    staged.write('people.csv', 'email,Status\nada@example.com,Active\nalan,Active\nbob@example.com,Left\n');
    const noKey = { EMAIL_MARKETING_API_KEY: '', EMAIL_MARKETING_BASE_URL: '' };
    const args = ['import', 'people.csv', '--dry-run', '--json', '--mailable', 'Status=Active'];
    const ended = await staged.runWith(noKey, ...args);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      dryRun: true,
      rows: 3,
      pending: 1,
      rejected: 1,
      leftOut: 1,
    });
    expect(ended).toMatchObject(endedWith(1, 'Dry run, nothing was sent: 3 rows'));
    expect(readdirSync(staged.path('.'))).toEqual(['people.csv']);
    expect(staged.sandbox.requests.count()).toBe(0);
  });
});

/** Writes a cell of CSV in quotes. */
const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

describe('import: rows that cannot be sent', () => {
  test('are those whose email is rejected by the client, and no others', async () => {
    await using staged = await stage();
    const emails = ["o'brien+x@sub.example.co.uk", 'jürgen@müller.de', '"quoted"@example.com', 'x@localhost'];
    const mistakes = ['ada@example,com', 'a@b..c', 'no@one@example.com', 'nobody'];
    const invisible = ['ian@exam\u200bple.com', 'ian@exam\u00adple.com'];
    const ended = await staged.importText(
      `email\n${[...emails, ...mistakes, ...invisible].map(quoted).join('\n')}\n`,
    );
    expect(ended).toMatchObject(endedWith(1, '6  email must be an email address'));
    expect(sentRows(staged).map(({ email }) => email)).toEqual(expect.arrayContaining(emails));
    expect(sentRows(staged)).toHaveLength(emails.length);
  });

  test('are not counted before it sends the others, and not called imported', async () => {
    await using staged = await stage();
    const text = 'email\nada@example.com\nnobody\nno@one@example.com\n';
    expect(await staged.importText(text)).toMatchObject(
      endedWith(1, /^email-marketing-client import: Mailing 1 person \(0 stay out\), to /m),
    );
    const again = await staged.importText(text);
    expect(again).toMatchObject(endedWith(1, 'Nothing is left to send.'));
    expect(again.stderr).toContain('1 sent before, and not changed since');
    expect(again.stderr).toContain('2 rejected');
  });
});

describe('import: order', () => {
  test('sends the rows of one address in order: of two, the second is right', async () => {
    await using staged = await stage();
    const rows = 'a@example.com,1\nA@example.com,2\nAda <a@example.com>,3\n';
    staged.sandbox.latency(identify, 5);
    staged.sandbox.latency(identify, { ms: 40, times: 1 });
    expect(await staged.importText(`email,firstName\n${rows}`)).toMatchObject({ code: 0 });
    expect(sentRows(staged).map(({ firstName }) => firstName)).toEqual(['1', '2', '3']);
    expect(staged.sandbox.state.contacts.all).toMatchObject([{ firstName: '3' }]);
  });
});

describe('import: stops', () => {
  const emails = Array.from({ length: 60 }, (_, index) => `p${index}@example.com`);
  const text = `email\n${emails.join('\n')}\n`;

  test.each([402, 403])(
    'at a status of %i, which is about the account, with no row rejected',
    async status => {
      await using staged = await stage();
      staged.sandbox.fail(identify, { status });
      const stopped = await staged.importText(text, '--json');
      expect(stopped).toMatchObject(endedWith(2, 'To go on, run the same command again'));
      expect(JSON.parse(stopped.stdout)).toMatchObject({ sent: 0, rejected: 0, pending: 60 });
      expect(existsSync(staged.path('people.csv.rejected.csv'))).toBe(false);
      staged.sandbox.clearFaults();
      const resumed = await staged.importText(text, '--json');
      expect(JSON.parse(resumed.stdout)).toMatchObject({ sent: 60, rejected: 0 });
    },
  );

  test('not after 48 failures with a success in between', async () => {
    await using staged = await stage();
    staged.sandbox.fail(identify, { status: 400, times: 24 });
    staged.sandbox.fail(identify, { status: 400, times: 24, after: 1 });
    const { stdout } = await staged.importText(text, '--json', '--concurrency', '1');
    expect(JSON.parse(stdout)).toMatchObject({ sent: 12, rejected: 48, pending: 0 });
  });
});

// Files as people and programs write them, files that only look valid, and what is read from them.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { rows } from '../endpoints.ts';
import { agreed, endedWith, identify, importText, stage } from './run-cli.ts';

const ada = { email: 'a@x.test', firstName: 'Ada' };

describe('import reads', () => {
  test.each<[what: string, text: string | Uint8Array, ...args: string[]]>([
    ['a mark', '\ufeffmailable,E_Mail,FIRST name\nyes,a@x.test,Ada\n'],
    ['UTF-16', Buffer.from('\ufeffmailable\tEmail\tVorname\r\nyes\ta@x.test\tAda\r\n', 'utf16le')],
    [
      'semicolons',
      'mailable;Email Address;"first, name"\nyes;a@x.test;Ada\n',
      '--map',
      'first, name=firstName',
    ],
    ['another delimiter', 'mailable:email:firstName\nyes:a@x.test:Ada\n', '--delimiter', ':'],
    ['blank rows and uneven ends', 'mailable,email,firstName,\n,,,\n\nyes,a@x.test,Ada\n , ,,\n,,,,\nyes\n'],
    ['a title', 'Our members\r\n\r\nmailable,Email,First name\r\nyes,a@x.test,Ada\r\n'],
    ['notes', 'Notes:\n"When exporting, you\nmay notice"\n\nmailable,Email,First name\nyes,a@x.test,Ada\n'],
    ['old Macs', 'mailable,Email,First name\ryes,a@x.test,Ada\r'],
    ['a name', 'mailable,email,firstName\nyes,"""Lovelace"" <a@x.test>",Ada\n'],
    ['white space', 'mailable,email,firstName\nyes,\u200b a@x.test\u00a0,Ada\n'],
    ['formulas made harmless', 'mailable,email,firstName,lastName\nyes,a@x.test,Ada,\n'],
    ['the field before other names', 'mailable,Mail,email,fname,firstName\nyes,b@x.test,a@x.test,B,Ada\n'],
  ])('%s', async (_, text, ...args) => {
    expect(await importText(text, ...args)).toMatchObject({ code: 0, bodies: [ada] });
  });

  test('each documented field of identify, tags, custom fields and text with several lines', async () => {
    const { body = '' } = rows.find(({ name }) => name === 'legacy.identify') ?? {};
    const { customFields, newEmail: _, ...fields } = JSON.parse(body);
    const cells = [...Object.entries(fields), ['customFields.plan', customFields.plan]];
    const lines = [0, 1].map(part => `${cells.map(cell => cell[part]).join()}\n`);
    expect((await importText(agreed(lines.join('')))).bodies).toEqual([{ ...fields, customFields }]);
    const text = `mailable,email,Tags,Note,Plan\nyes,a@x.test,"vip; ""B, C"", x","one\ntwo, to e@x.test",'=1\n`;
    const map = ['--map', 'note=customFields.Note', '--map', 'Plan=customFields.Plan'];
    expect((await importText(text, ...map)).bodies).toEqual([
      {
        email: 'a@x.test',
        tags: ['vip', 'B, C', 'x'],
        customFields: { Note: 'one\ntwo, to e@x.test', Plan: '=1' },
      },
    ]);
    expect((await importText(agreed('email,company\na@x.test,C\n'), '--map', 'company=')).bodies).toEqual([
      { email: 'a@x.test' },
    ]);
  });

  test.each<[cell: string, birthday: string | undefined, ...args: string[]]>([
    ['1990-12-25 00:00:00', '1990-12-25'],
    ['3.4.1990', '1990-04-03'],
    ['03/04/1990', '1990-04-03', '--birthdays', 'day-first'],
    ['03/04/1990', '1990-03-04', '--birthdays', 'month-first'],
    ['0/0/00', undefined],
    ['-', undefined],
    ['0000-00-00', undefined],
  ])('the birthday %s as %s', async (cell, birthday, ...args) => {
    const { code, bodies } = await importText(agreed(`email,Birthday\na@x.test,${cell}\n`), ...args);
    expect({ code, bodies }).toEqual({
      code: 0,
      bodies: [{ email: 'a@x.test', ...(birthday && { birthday }) }],
    });
  });
});

const email = 'email,firstName,customFields.n';

test.each(['12.3.84', '03/15', '--03-15', '1912-02-30', '33000'])(
  'import rejects a row with the birthday %s, but imports the other rows of the person',
  async cell => {
    const { rejected, sent } = await importText(agreed(`email,birthday\na@x.test,${cell}\na@x.test,\n`));
    expect(sent).toEqual(['a@x.test']);
    expect(rejected).toContain('line 2: birthday must be a day that exists, as YYYY-MM-DD');
  },
);

test.each<[cell: string, tags: string[]]>([
  ['vip;new, x', ['vip', 'new', 'x']],
  ['["vip","a/b","c, d"]', ['vip', 'a/b', 'c, d']],
  ['24/7;R&D;a:b;#1', ['24/7', 'R&D', 'a:b', '#1']],
  ['"Customer" , "say ""hi""","a;b"', ['Customer', 'say "hi"', 'a;b']],
  ['"a, b";c', ['a, b', 'c']],
])('import reads the tags of the cell %s', async (cell, tags) => {
  const { bodies } = await importText(`mailable,email,tags\nyes,a@x.test,"${cell.replaceAll('"', '""')}"\n`);
  expect(bodies).toEqual([{ email: 'a@x.test', tags }]);
});

test.each(['vip|new', 'vip ::: new', '{vip,new}', "['vip', 'new']", '"vip" | "new"', 'vip / new'])(
  'import stops before anything is sent if another character separates tags: %s',
  async cell => {
    const row = `yes,a@x.test,"${cell.replaceAll('"', '""')}"\n`;
    const { code, sent, stderr } = await importText(`mailable,email,Tags\nyes,b@x.test,vip\n${row}`);
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(stderr).toMatch(/what separates the tags on line 3, column Tags\? Write commas or semicolons/);
  },
);

test('each rejected row has the number of its line, even after blank rows and cells of several lines', async () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const lines = [
      'A title',
      '',
      'mailable,email,note',
      ',,',
      'yes,one,"a',
      'b"',
      '',
      'yes,two,',
      'yes,three,x',
    ];
    const { rejected } = await importText(lines.join(end));
    expect(rejected.match(/line \d+/g)).toEqual(['line 5', 'line 8', 'line 9']);
  }
});

test.each([
  [email, 'nobody,,', 'email must be an email address'],
  [email, ',Ada,', 'email is empty'],
  [email, '"a@x.test, b@x.test",,', 'email contains 2 addresses'],
  [email, '"b@x.test Ada <a@x.test>",,', 'email contains 2 addresses'],
  [email, "'a@x.test',,", 'email must be an email address'],
  [email, 'ada\u200b@x.test,,', 'email must be an email address without a zero-width space after ada'],
  [email, 'Ada <\u00adada@x.test>,,', 'email must be an email address without U+00AD at the start'],
  [email, 'a@x.test,Doe, John,5', 'the row has 5 cells, but the header has 4'],
  [email, 'a@x.test,C,++5', 'a custom field with ++'],
  [email, '"Bob\nb@x.test,Cyd",,', 'a cell contains other rows'],
])('import rejects a row that cannot be sent: %s / %s', async (header, row, reason) => {
  const { code, rejected, sent, report } = await importText(
    `mailable,${header}\nyes,${row}\nyes,last@x.test,L,\n`,
  );
  expect({ code, sent, rows: report.rejected }).toEqual({ code: 1, sent: ['last@x.test'], rows: 1 });
  expect(rejected).toMatch(/^\ufeffImport error,mailable,email,firstName,customFields\.n\n"?/);
  expect(rejected).toContain(reason);
  expect(rejected.split('\n')[1]).toMatch(/,yes,/);
});

test('rejected rows keep the form of the file, can be corrected there, and a later run removes them', async () => {
  await using staged = await stage();
  const text = 'mailable;email;firstName\r\nyes;zoe;Zo\xeb \x80\r\n';
  const encoding = ['--encoding', 'windows-1252'];
  // In Windows' encoding, the euro sign has a different byte than in Latin-1.
  const { rejected } = await staged.importText(Buffer.from(text, 'latin1'), ...encoding);
  const expected =
    'Import error;mailable;email;firstName\r\nline 2: email must be an email address;yes;zoe;Zoë €\r\n';
  expect(rejected).toBe(`\ufeff${expected}`);
  staged.write('corrected.csv', rejected.replace(';zoe;', ';zoe@x.test;'));
  expect(await staged.run('import', 'corrected.csv', '--yes', ...encoding)).toMatchObject({ code: 0 });
  expect(staged.sandbox.state.contacts.named('zoe@x.test')?.firstName).toBe('Zoë €');
  await staged.importText(Buffer.from(text.replace(';zoe;', ';zoe@x.test;'), 'latin1'), ...encoding);
  expect(readdirSync(staged.path('.')).sort()).toEqual([
    'corrected.csv',
    'corrected.csv.sent',
    'people.csv',
    'people.csv.sent',
  ]);
});

test('if the file of rejected rows was edited, import stops before anything is sent, and says what to do', async () => {
  await using staged = await stage();
  await staged.importText(agreed('email\nzoe\n'));
  const edited = staged.read('people.csv.rejected.csv').replace('zoe', 'zoe@x.test');
  staged.write('people.csv.rejected.csv', edited);
  const { code, stderr, sent, rejected } = await staged.importText(agreed('email\nzoe\na@x.test\n'));
  expect({ code, sent, rejected }).toEqual({ code: 2, sent: [], rejected: edited });
  expect(stderr).toMatch(
    /Copy them to people\.csv, delete people\.csv\.rejected\.csv, and run the same command/,
  );
  rmSync(staged.path('people.csv.rejected.csv'));
  expect((await staged.importText(agreed('email\nzoe@x.test\n'))).sent).toEqual(['zoe@x.test']);
});

test('a dry run, and a run that is not confirmed, leave the file of rejected rows unchanged', async () => {
  await using staged = await stage();
  staged.sandbox.fail(identify, { status: 422, body: { message: 'no such domain' }, times: 1 });
  const { rejected } = await staged.importText(agreed('email\na@x.test\n'));
  expect(rejected).toContain('no such domain');
  await staged.importText(agreed('email\na@x.test\nnobody\n'), '--dry-run');
  await staged.run('import', 'people.csv');
  expect(staged.read('people.csv.rejected.csv')).toBe(rejected);
});

test('a file that contains only column names is reported', async () => {
  const { code, stderr } = await importText('email,mailable\n');
  expect({ code, stderr }).toEqual(endedWith(0, /people\.csv: 0 rows, [\s\S]*There is nothing to import\./));
});

const good = 'mailable,email,Plan,birthday\nyes,a@x.test,gold,1990-01-01\n';

test.each<[text: string, message: RegExp, ...args: string[]]>([
  ['', /must name the columns/],
  [`${'a,'.repeat(150_000)}mailable\n`, /people\.csv has 150001 columns; the maximum is 1000\./],
  ['yes,a@x.test\nyes,b@x.test\n', /must name the columns/],
  ['mailable,E-Mail-Adr.\nyes,a@x.test\n', /which column has the email\? Add --map "E-Mail-Adr\.=email"/],
  ['mailable,Email,Email\nyes,a@x.test,b@x.test\n', /Add --map "Email \(1\)=email"/],
  [
    `${good}yes,b@x.test,,\ryes,c@x.test,,\n`,
    /line 3 contains a carriage return that may be the end of a row/,
  ],
  ['PK\x03\x04rest', /is a workbook\. Save it as "CSV UTF-8"/],
  [`${good}yes,b@x.test,"Bo"b,\n`, /is not CSV up to line 3\. A quote is missing/],
  [`${good}yes,b@x.test,"Bob,\n`, /is not CSV up to line/],
  [`${good}yes,b@x.test,"${'x'.repeat(1_100_000)}\nyes,c@x.test",\n`, /is not CSV up to line/],
  [good.replace('1990-01-01', '03/04/1990'), /mean April 3 or March 4\? Add --birthdays/],
  [good, /no column is named "Nothing"/, '--map', 'Nothing=firstName'],
  [good, /no field is named emial/, '--map', 'Plan=emial'],
  [good, /COLUMN=FIELD/, '--map', 'Plan'],
  [good, /two columns cannot both be email/, '--map', 'Plan=email', '--map', 'email=email'],
  [good, /"klingon" encoding is not supported/, '--encoding', 'klingon'],
  [good, /--delimiter takes one character/, '--delimiter', ';;'],
  [good, /Allowed choices are day-first, month-first\./, '--birthdays', 'soon'],
  ['mailable,email,n\nyes,a@x.test,\xeb\n', /is not UTF-8\. Save it as "CSV UTF-8", or add --encoding/],
])('import stops before anything is sent, in one line (case %#)', async (text, message, ...args) => {
  const { code, stderr, sent } = await importText(Buffer.from(text, 'latin1'), ...args);
  expect({ code, sent }).toEqual({ code: 2, sent: [] });
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(/^.*\.\n$/);
});

test('import explains what it cannot read', async () => {
  await using staged = await stage();
  mkdirSync(staged.path('folder'));
  for (const [name, message] of [
    ['none.csv', 'none.csv does not exist. Check the name and the folder.\n'],
    ['folder', 'folder is not a file.\n'],
  ] as const)
    expect(await staged.run('import', name, '--yes')).toMatchObject(endedWith(2, message));
});

test('import says in plain words what it will do, and asks', async () => {
  await using staged = await stage();
  const text =
    'Members\nEmail Address,First name,Tags,Notes,City,Unsubscribed,mailable\na@x.test,A,,,,,yes\nb@x.test,B,,,,,\nc@x.test,C,,,,TRUE,yes\nA@x.test,,,,,,yes\nd@x.test,,,,,TRUE,yes\n';
  staged.write('people.csv', text);
  const asked = await staged.run('import', 'people.csv');
  const host = new URL(staged.env.EMAIL_MARKETING_BASE_URL).host;
  expect(asked.stderr.replaceAll('email-marketing-client import: ', '')).toBe(
    `people.csv: 5 rows, UTF-8, comma-separated.
Columns imported: Email Address as email, First name, Tags.
Columns not imported: Notes, City, Unsubscribed.
The columns are named on line 2. The lines above it are ignored.
1 contact will be created or updated from 2 rows in team sandbox-team at ${host}.
The import itself sends no email; automations in your account may.
1 row is skipped: mailable is not yes.
2 rows are rejected:
  2 rows, such as line 5: mailable is yes, but Unsubscribed is TRUE
Nothing was imported, because there is no terminal to ask on. Add --yes.
`,
  );
  expect(asked.code).toBe(2);
  const noKey = { EMAIL_MARKETING_API_KEY: '' };
  const dry = await staged.runWith(noKey, 'import', 'people.csv', '--dry-run', '--json');
  expect(dry).toMatchObject(
    endedWith(
      1,
      /1 contact would be created or updated from 2 rows in team sandbox-team[\s\S]*Dry run: nothing was imported/,
    ),
  );
  expect(JSON.parse(dry.stdout)).toMatchObject({
    dryRun: true,
    rows: 5,
    pending: 2,
    skipped: 1,
    rejected: 2,
  });
  expect(staged.sandbox.requests.count()).toBe(0);
});

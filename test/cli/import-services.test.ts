// Files as other services and programs write them, each with rows that are broken.
import { describe, expect, test } from 'vitest';
import { endedWith, everyone, sentRows, stage } from './run-cli.ts';

/** Encodes text of Western Europe as Windows does. */
const windows1252 = (text: string): Buffer => Buffer.from(text.replaceAll('€', '\x80'), 'latin1');

interface Case {
  readonly file: string | Uint8Array;
  readonly args?: readonly string[];
  readonly sent: readonly object[];
  /** Reasons of the rows that are rejected, in order. */
  readonly rejected?: readonly RegExp[];
  readonly optedOut?: number;
  readonly printed?: readonly RegExp[];
}

const lines = (...rows: string[]): string => `${rows.join('\n')}\n`;
const windowsLines = (...rows: string[]): string => `${rows.join('\r\n')}\r\n`;

const notAnEmail = /^email must be an email address/;
const notADay = /^"?birthday must be a day that exists/;
const otherCells = /^"?the row has \d+ cells?, the header \d+/;

const mailchimp =
  '"Email Address","First Name","Last Name",Address,"Phone Number",Birthday,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,' +
  'CONFIRM_IP,LATITUDE,LONGITUDE,GMTOFF,DSTOFF,TIMEZONE,CC,REGION,LAST_CHANGED,LEID,EUID,NOTES,TAGS';
const rest =
  '2,"2024-01-02 10:00:00",192.0.2.1,"2024-01-02 10:00:00",192.0.2.1,,,,,,,,"2024-01-02 10:00:00",1,a1,,';
const google =
  'First Name,Middle Name,Last Name,Phonetic First Name,Phonetic Middle Name,Phonetic Last Name,Name Prefix,Name Suffix,' +
  'Nickname,File As,Organization Name,Organization Title,Organization Department,Birthday,Notes,Photo,Labels,' +
  'E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value';
const outlook =
  'First Name,Middle Name,Last Name,Title,Suffix,Company,Department,Job Title,Business Street,Categories,Anniversary,Birthday,' +
  'E-mail Address,E-mail Type,E-mail Display Name,E-mail 2 Address,Gender';

const cases: Readonly<Record<string, Case>> = {
  'Mailchimp: subscribed': {
    file: lines(
      mailchimp,
      `a@example.com,Ada,Byron,,,03/14,${rest}"""Customer"",""VIP 2024"""`,
      `b@example.com,Bob,,,,,${rest}"""New, too"""`,
      `c@example.com,"Carl ""C"" Clay",,,,,${rest}`,
      `nobody,,,,,,${rest}`,
      'd@example.com,Dora',
    ),
    args: ['--bad-birthdays', 'skip'],
    sent: [
      { email: 'a@example.com', firstName: 'Ada', lastName: 'Byron', tags: ['Customer', 'VIP 2024'] },
      { email: 'b@example.com', firstName: 'Bob', tags: ['New, too'] },
      { email: 'c@example.com', firstName: 'Carl "C" Clay' },
    ],
    rejected: [notAnEmail, otherCells],
    printed: [/^ {4}1 birthday could not be read, and left out$/m],
  },
  'Mailchimp: the three files as one': {
    file: lines(
      'Email Address,First Name,UNSUB_TIME,UNSUB_REASON,CLEAN_TIME,TAGS',
      'a@example.com,Ada,,,,"""A"",""B"""',
      'b@example.com,Bob,2024-01-02 10:00:00,NO LONGER INTERESTED,,',
      'c@example.com,Carl,,,2024-01-02 10:00:00,',
      'd@example,com,Dora,,,,',
    ),
    sent: [{ email: 'a@example.com', firstName: 'Ada', tags: ['A', 'B'] }],
    rejected: [otherCells],
    optedOut: 2,
  },
  Brevo: {
    file: lines(
      'CONTACT ID;EMAIL;PRENOM;NOM;SMS;EMAIL_BLACKLISTED;DATE_OF_BIRTH;ADDED_TIME',
      '1;a@example.com;Ada;Byron;;false;10-12-1990;01-02-2024 10:00:00',
      '2;b@example.com;Bob;;;true;;01-02-2024 10:00:00',
      '3;c@example.com;Carl;;;false;31-12-1990;01-02-2024 10:00:00',
      '4;;Dora;;33612345678;false;;01-02-2024 10:00:00',
    ),
    sent: [
      { email: 'a@example.com', firstName: 'Ada', lastName: 'Byron', birthday: '1990-12-10' },
      { email: 'c@example.com', firstName: 'Carl', birthday: '1990-12-31' },
    ],
    rejected: [notAnEmail],
    optedOut: 1,
  },
  HubSpot: {
    file: lines(
      'Record ID,First Name,Last Name,Email,Company name,Associated Company,Date of birth,Unsubscribed from all email,Email hard bounce reason',
      '1,Ada,Byron,a@example.com,Own,Other,1990-12-10,false,',
      '2,Bob,,b@example.com,,,,true,',
      '3,Carl,,c@example.com,,,,false,UNKNOWN_USER',
      '4,Dora,,d@example.com;e@example.com,,,,false,',
    ),
    sent: [
      {
        email: 'a@example.com',
        firstName: 'Ada',
        lastName: 'Byron',
        company: 'Own',
        birthday: '1990-12-10',
      },
    ],
    rejected: [notAnEmail],
    optedOut: 2,
    printed: [
      /Associated Company: ignored, because column Company name contains company; --map "Company name=" uses this one instead/,
    ],
  },
  'Google Contacts': {
    file: lines(
      google,
      'Ada,,Byron,,,,,,,,Engines,,,1990-12-10,,,* myContacts,* Work,a@example.com,,,,',
      'Bob,,,,,,,,,,,,,--05-12,,,* myContacts,,Bob <b@example.com>,Home,bob@example.com,,',
      'Carl,,,,,,,,,,,,,,,,* myContacts,,c@example.com ::: d@example.com,,,,',
      'Dora,,,,,,,,,,,,,,,,* myContacts,,,,,Mobile,+49 30 1234',
    ),
    sent: [
      {
        email: 'a@example.com',
        firstName: 'Ada',
        lastName: 'Byron',
        company: 'Engines',
        birthday: '1990-12-10',
      },
    ],
    rejected: [notADay, notAnEmail, notAnEmail],
    printed: [
      /"--05-12" in column "Birthday" is not a date .*: 1 row will be rejected; --bad-birthdays skip/,
      /^ {4}1 birthday could not be read; --bad-birthdays skip sends the rows without them$/m,
    ],
  },
  'Google Contacts, as it was until 2024': {
    file: lines(
      'Name,Given Name,Family Name,Birthday,Group Membership,E-mail 1 - Type,E-mail 1 - Value,Organization 1 - Name',
      'Ada Byron,Ada,Byron,,* myContacts,* ,<a@example.com>,Engines',
    ),
    sent: [{ email: 'a@example.com', firstName: 'Ada', lastName: 'Byron', company: 'Engines' }],
  },
  Outlook: {
    file: windows1252(
      windowsLines(
        outlook,
        'Zoë,,Müller,,,Firma,,,,,0/0/00,0/0/00,a@example.com,SMTP,Zoë Müller (a@example.com),,Unspecified',
        'Bob,,,,,,,,,,0/0/00,12/31/1990,b@example.com,SMTP,,,Unspecified',
        'Carl,,,,,,,,,,0/0/00,0/0/00,/o=Exchange/cn=carl,EX,,,Unspecified',
      ),
    ),
    args: ['--bad-birthdays', 'skip'],
    sent: [
      { email: 'a@example.com', firstName: 'Zoë', lastName: 'Müller', company: 'Firma' },
      { email: 'b@example.com', firstName: 'Bob', birthday: '1990-12-31' },
    ],
    rejected: [notAnEmail],
    printed: [/^ {4}2 birthdays could not be read, and left out$/m],
  },
  'Excel in German': {
    file: windows1252(
      windowsLines(
        'Vorname;Nachname;E-Mail-Adresse;Firma;Geburtsdatum;Abgemeldet',
        'Zoë;Müller;a@example.com;5 €;3.4.1990;FALSCH',
        'Bob;;b@example.com;;31.12.90;FALSCH',
        'Carl;;c@example.com;;;WAHR',
        ';;;;;',
      ),
    ),
    sent: [
      {
        email: 'a@example.com',
        firstName: 'Zoë',
        lastName: 'Müller',
        company: '5 €',
        birthday: '1990-04-03',
      },
    ],
    rejected: [notADay, notAnEmail],
    optedOut: 1,
    printed: [/Geburtsdatum +→ birthday, read as DD\.MM\.YYYY/],
  },
  'Excel in French': {
    file: windows1252(
      windowsLines(
        'sep=;',
        'Prénom;Nom;Adresse e-mail;Société;Date de naissance;Désabonné',
        'Zoé;Lefèvre;a@example.com;Été;31/12/1990;FAUX',
        'Bob;;b@example.com;;;VRAI',
        'Carl;;c@example,com;;;FAUX',
      ),
    ),
    sent: [
      {
        email: 'a@example.com',
        firstName: 'Zoé',
        lastName: 'Lefèvre',
        company: 'Été',
        birthday: '1990-12-31',
      },
    ],
    rejected: [notAnEmail],
    optedOut: 1,
  },
  'a file without a header': {
    file: lines('Ada,a@example.com,Byron', 'Bob,b@example.com,Bee', 'Carl,<c@example.com,Clay'),
    args: ['--map', 'column 1=firstName'],
    sent: [
      { email: 'a@example.com', firstName: 'Ada' },
      { email: 'b@example.com', firstName: 'Bob' },
    ],
    rejected: [notAnEmail],
    printed: [/Warning: the first line contains an email address, .* column 1, email, column 3/],
  },
  'a column of emails with a name of its own': {
    file: lines('Kontakt,Ort', 'a@example.com,Ulm', 'b@example.com,Bonn', 'keiner,Trier'),
    sent: [{ email: 'a@example.com' }, { email: 'b@example.com' }],
    rejected: [notAnEmail],
    printed: [
      /Warning: column "Kontakt" is read as the email, because most of its cells are email addresses/,
    ],
  },
};

describe('import reads a file of', () => {
  test.each(Object.entries(cases))('%s', async (_, { file, args = [], ...expected }) => {
    await using staged = await stage();
    staged.write('people.csv', file);
    const dry = await staged.run('import', 'people.csv', '--dry-run', ...args);
    const ended = await staged.run('import', 'people.csv', ...everyone, '--json', ...args);
    const { sent, rejected = [], optedOut = 0, printed = [] } = expected;
    expect(sentRows(staged)).toEqual(sent);
    const counts = { sent: sent.length, rejected: rejected.length, optedOut, unknown: 0, pending: 0 };
    expect(JSON.parse(ended.stdout)).toMatchObject(counts);
    expect(dry.stderr).toContain(`${sent.length} can be imported, ${rejected.length} cannot`);
    expect(ended.code).toBe(rejected.length > 0 ? 1 : 0);
    for (const text of printed) expect(ended.stderr).toMatch(text);
    const reasons = rejected.length === 0 ? [] : rowsOf(staged.read('people.csv.rejected.csv'));
    expect(reasons).toEqual(rejected.map(reason => expect.stringMatching(reason)));
  });

  test.each([
    ['no column', 'name,place\nAda,Ulm\n', []],
    ['two columns', 'first,second\na@example.com,b@example.com\n', []],
    ['a column that --map ignores', 'email,place\na@example.com,Ulm\n', ['--map', 'email=']],
  ])('with %s of emails only if --map names the column', async (_, file, args) => {
    await using staged = await stage();
    const ended = await staged.importText(file, ...args);
    expect(ended).toMatchObject(endedWith(2, '--map "COLUMN=email"'));
    expect(staged.sandbox.requests.count()).toBe(0);
  });
});

/** Rows of a file after its header, and after the line for Excel before that. */
const rowsOf = (text: string): string[] =>
  text
    .trimEnd()
    .replace(/^\ufeffsep=.\r\n/, '')
    .split('\n')
    .slice(1);

describe('a file of rejected rows has the format of the input', () => {
  test('with the line that tells Excel the delimiter', async () => {
    await using staged = await stage();
    expect(await staged.importText('sep=|\r\nemail|firstName\r\nnobody|a;b,c\r\n')).toMatchObject({
      code: 1,
    });
    const rejected = staged.read('people.csv.rejected.csv');
    expect(rejected).toBe(
      '\ufeffsep=|\r\nImport error|email|firstName\r\nemail must be an email address|nobody|a;b,c\r\n',
    );
    staged.write('people.csv.rejected.csv', rejected.replace('nobody', 'somebody@example.com'));
    expect(await staged.run('import', 'people.csv.rejected.csv', ...everyone)).toMatchObject({ code: 0 });
    expect(staged.sandbox.state.contacts.all).toMatchObject([
      { email: 'somebody@example.com', firstName: 'a;b,c' },
    ]);
  });

  test('with a header even if the input has none', async () => {
    await using staged = await stage();
    staged.write('people.csv', 'a@example.com,Ada\nb@example.com,Bob\nnobody,Carl\n');
    const map = ['--map', 'column 2=firstName'];
    expect(await staged.run('import', 'people.csv', ...everyone, ...map)).toMatchObject({ code: 1 });
    const rejected = staged.read('people.csv.rejected.csv');
    expect(rejected).toBe('\ufeffImport error,email,column 2\nemail must be an email address,nobody,Carl\n');
    staged.write('people.csv.rejected.csv', rejected.replace('nobody', 'carl@example.com'));
    expect(await staged.run('import', 'people.csv.rejected.csv', ...everyone, ...map)).toMatchObject({
      code: 0,
    });
    expect(staged.sandbox.state.contacts.named('carl@example.com')?.firstName).toBe('Carl');
  });
});

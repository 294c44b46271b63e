// Only the person permits: who may be mailed is what the options say, by name, and nothing else.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { endedWith, importRows, mailable, sentAddresses, stage } from './run-cli.ts';

const status = 'email,Status\na@x.test,Active\nb@x.test,Unsubscribed\nc@x.test,\nd@x.test,ACTIVE\n';

describe('import sends nothing before the user says who may be mailed:', () => {
  test.each([
    'email\nada@example.com\n',
    'email,Newsletter delivery\nada@example.com,cancelled\n',
    'email,Samtykke\nada@example.com,nei\n',
  ])('%j', async text => {
    expect(await importRows(text)).toMatchObject({ ...endedWith(2, 'Who may be mailed?'), sent: [] });
    expect(await importRows(text, ...mailable('everyone'))).toMatchObject({
      code: 0,
      sent: ['ada@example.com'],
    });
  });

  test('one error lists all that is open, and as data with --json', async () => {
    const text = 'Contact,Status,Tags,Birthday\na@x.test,Active,"b, c",03/04/1990\nb@x.test,Bounced,,\n';
    const { stderr, stdout, code } = await importRows(text, '--json');
    expect(code).toBe(2);
    const { error } = JSON.parse(stdout);
    expect(error).toMatchObject({ code: 'confirmation', questions: [{}, {}, {}, {}] });
    const [email, tags, birthdays, audience] = error.questions;
    expect(email).toMatchObject({ pass: expect.stringContaining('--map "Contact=email"') });
    expect(tags.answers).toMatchObject([{ tagSeparator: ',' }, { tagSeparator: ';' }]);
    expect(birthdays.answers[0]).toMatchObject({ birthdays: 'day-first' });
    const values = [
      { value: 'Active', rows: 1 },
      { value: 'Bounced', rows: 1 },
    ];
    expect(audience.answers[0]).toEqual({ column: 'Status', values });
    expect(stderr).not.toContain('Question');
    const plain = await importRows(text);
    expect(plain.stderr).toContain('pass --mailable "COLUMN=VALUE,VALUE"');
    expect(plain.stderr).toContain('Who may be mailed? Rows with which of these values may be mailed?');
    expect(plain.stderr).toContain('with the values whose rows may be mailed');
    expect(plain.stderr).toContain('Status  Active 1 | Bounced 1\n');
  });
});

describe('import sends whoever has', () => {
  test.each<[what: string, rules: string[], sent: string[]]>([
    ['a value, whatever its case', ['Status=active'], ['a@x.test', 'd@x.test']],
    ['any of several values', ['Status=Active,Unsubscribed'], ['a@x.test', 'b@x.test', 'd@x.test']],
    [
      'any of the values of several options',
      ['Status=Active', 'status=(empty)'],
      ['a@x.test', 'c@x.test', 'd@x.test'],
    ],
    ['an empty cell', ['Status=(empty)'], ['c@x.test']],
    [
      'an address, if everyone may be mailed',
      ['everyone', 'Status=(any)'],
      ['a@x.test', 'b@x.test', 'c@x.test', 'd@x.test'],
    ],
    ['a value, though everyone is named too', ['everyone', 'Status=Active'], ['a@x.test', 'd@x.test']],
  ])('%s', async (_, rules, sent) => {
    expect(await importRows(status, ...mailable(...rules))).toMatchObject({ code: 0, sent });
  });

  test('a value in each of the named columns', async () => {
    const text = 'email,A,A=B\na@x.test,1,yes\nb@x.test,1,no\nc@x.test,0,yes\n';
    expect((await importRows(text, ...mailable('A=1', 'A=B=yes'))).sent).toEqual(['a@x.test']);
  });
});

describe('a slip of the pen stops import:', () => {
  test.each([
    ['Status=Actve', 'no row has "actve"; the values are Active 2 | (empty) 1 | Unsubscribed 1'],
    ['Status=Active,Unsubscribd', 'no row has "unsubscribd"'],
    ['Status=', 'name the values whose rows may be mailed; they are Active 2 |'],
    ['Status', 'takes everyone, or COLUMN=VALUE'],
    ['Stats=Active', 'no column is named "Stats"; columns are email, Status'],
    ['evryone', 'takes everyone, or COLUMN=VALUE'],
  ])('--mailable %s', async (rule, message) => {
    expect(await importRows(status, ...mailable(rule))).toMatchObject({ ...endedWith(2, message), sent: [] });
  });
});

describe('a plain word in a column that was not decided stops import:', () => {
  test.each([
    ['Status', 'Unsubscribed'],
    ['Delivery status', 'Bounced'],
    ['Segment', 'opted-out'],
    ['Notes', 'Do not mail'],
    ['Zustand', 'Abgemeldet'],
    ['Statut', 'Désabonné'],
    ['Estado', 'dado de baja'],
    ['Tags', 'vip;Unsubscribed'],
    ['customFields.state', 'BLOCKED'],
    ['Char50', `"Unsubscribed${' '.repeat(38)}"`],
  ])('%s: %s', async (name, value) => {
    const text = `email,Group,${name}\na@x.test,A,${value}\nb@x.test,A,other\nc@x.test,B,${value}\n`;
    const stopped = await importRows(text, ...mailable('everyone'));
    expect(stopped).toMatchObject({ ...endedWith(2, `2 rows to be sent: column "${name}" is`), sent: [] });
    expect(stopped.stderr).toContain(`--mailable "${name}=(any)" if that column does not matter`);
    const ofGroup = await importRows(text, ...mailable('Group=A'));
    expect(ofGroup).toMatchObject(endedWith(2, `1 row to be sent: column "${name}" is`));
    const any = await importRows(text, ...mailable('everyone', `${name}=(any)`));
    expect(any).toMatchObject({ code: 0, sent: ['a@x.test', 'b@x.test', 'c@x.test'] });
  });

  test('and so does no in the column mailable, which our own export writes', async () => {
    const text = 'email,mailable,Group,other\na@x.test,yes,A,no\nb@x.test,No,A,yes\nc@x.test,no,B,yes\n';
    for (const rule of ['everyone', 'Group=A,B', 'other=yes'])
      expect(await importRows(text, ...mailable(rule))).toMatchObject({
        ...endedWith(
          2,
          '2 rows to be sent: column "mailable" is "No". Add --mailable "mailable=VALUE,VALUE"',
        ),
        sent: [],
      });
    expect((await importRows(text, ...mailable('mailable=yes'))).sent).toEqual(['a@x.test']);
    expect((await importRows(text, ...mailable('everyone', 'mailable=(any)'))).sent).toHaveLength(3);
  });

  test('but not in rows that are not sent, nor within a text', async () => {
    const text = 'email,Status,Notes\na@x.test,Active,Never unsubscribed\nb@x.test,Left,Unsubscribed\n';
    expect(await importRows(text, ...mailable('Status=Active'))).toMatchObject({
      code: 0,
      sent: ['a@x.test'],
    });
  });
});

test.each(['Nicht kontaktieren', 'Angemeldet', 'unsub'])(
  'a column %s, which sounds like consent, is shown again before rows are sent, even if everyone may be mailed',
  async name => {
    await using staged = await stage();
    const first = await staged.importText(`email,${name}\na@x.test,ja\nb@x.test,\n`);
    expect(first.stderr).toMatch(new RegExp(`Mind what .*:\\n {2}${name}: ja 1 \\| \\(empty\\) 1\\n`));
    const again = await staged.run('import', 'people.csv', ...mailable('everyone'), '--yes');
    expect(again.stderr).not.toContain('Mind what');
  },
);

describe('a row whose cells may be in other columns', () => {
  test.each([
    ['lacks the cell that decides', 'email,Name,Unsub\nada@x.test,yes\nbob@x.test,Bob,\n', 'Unsub=(empty)'],
    [
      'is longer than the others, though each has one too many',
      'email,company,ok\nada@x.test,Acme, 2024-01-01,,\nbob@x.test,Acme,2024-01-01,\n',
      'ok=(date)',
    ],
    ['has one that most rows lack', 'email,Name,ok\nada@x.test,Smith, yes,\nbob@x.test,Bob,yes\n', 'ok=yes'],
  ])('is not sent if it %s', async (_, text, rule) => {
    expect((await importRows(text, ...mailable(rule))).sent).toEqual(['bob@x.test']);
  });

  test('is sent if no column decides, or every row has a cell more', async () => {
    const text = 'email,Name\nada@x.test,Ada,\nbob@x.test\n';
    expect((await importRows(text, ...mailable('everyone'))).sent).toEqual(['ada@x.test', 'bob@x.test']);
    const longer = 'email,ok\nada@x.test,yes,\nbob@x.test,no,\n';
    expect((await importRows(longer, ...mailable('ok=yes'))).sent).toEqual(['ada@x.test']);
  });
});

test('a column is offered half of whose cells are empty, whatever its name', async () => {
  const rows = Array.from({ length: 40 }, (_, index) => `p${index}@x.test,${index < 20 ? index : ''}\n`);
  expect((await importRows(`email,Raus\n${rows.join('')}`)).stderr).toMatch(
    /^ +Raus {2}\(empty\) 20 \| 20 others$/m,
  );
});

test.each(['(empty)', '(date)', '(any)'])('a value that is literally %s permits no other', async name => {
  const text = `email,ok\nada@x.test,${name}\nbob@x.test,no\ncyd@x.test,\n`;
  const refused = endedWith(2, `rows of this column contain the text ${name}`);
  expect(await importRows(text, ...mailable(`ok=${name}`))).toMatchObject({ ...refused, sent: [] });
});

test('several values of a column are named as one rule', async () => {
  const text = 'email,ok,Kind\nada@x.test,1,a\nbob@x.test,0,a\n';
  const { stderr } = await importRows(text, ...mailable('ok=1', 'Kind=a', 'ok=0'));
  expect(stderr).toMatch(
    / 1 person whose Kind is "a" and ok is "1" will be mailed\n.*ok is "0" will be mailed\n/,
  );
});

test('every other column with a value is named, except the reason of an earlier import', async () => {
  const text = 'Import error,email,ok\nreason,ada@x.test,yes\nreason,bob@x.test,yes\n';
  expect((await importRows(text)).stderr).toMatch(/More columns, for --mailable "COLUMN=VALUE,VALUE": ok$/m);
});

test('values are shown as they are typed: one with a comma in quotes', async () => {
  const text = 'email,ok\nada@x.test,"a, b"\nbob@x.test,a\ncyd@x.test,b\n';
  expect((await importRows(text)).stderr).toContain('ok  "a, b" 1 | a 1 | b 1');
  expect((await importRows(text, ...mailable('ok="a, b"'))).sent).toEqual(['ada@x.test']);
});

describe('--except leaves out whoever is in another file', () => {
  const text = 'email\nada@x.test\nbob@x.test\nCyd <CYD@x.test>\n';
  const except = ['--mailable', 'everyone', '--except', 'left.csv'];
  const importExcept = async (left: string | Uint8Array) => {
    await using staged = await stage();
    staged.write('left.csv', left);
    const ended = await staged.importText(text, ...except);
    return { ...ended, sent: sentAddresses(staged) };
  };

  test('in any column, and in any form', async () => {
    const left = 'Reason;Address\nspam;"Ada" <ADA@x.test>\nmoved;mailto:cyd@x.test';
    const { sent, stderr } = await importExcept(left);
    expect(sent).toEqual(['bob@x.test']);
    expect(stderr).toContain('left.csv has 2 addresses, and 1 line without one\n');
    expect(stderr).toContain('  2 people whose address is in left.csv will not be mailed\n');
  });

  test('in UTF-16, with a mark or without', async () => {
    for (const mark of ['\ufeff', '']) {
      const left = Buffer.from(`${mark}Email\r\nada@x.test\r\n`, 'utf16le');
      expect(await importExcept(left)).toMatchObject({ code: 0, sent: ['CYD@x.test', 'bob@x.test'] });
    }
  });

  test.each<[what: string, left: string | Uint8Array]>([
    ['a compressed file', gzipSync(`${'ada@x.test\n'.repeat(50)}${Math.random()}`)],
    ['a PDF', '%PDF-1.4\n1 0 obj\n(ada@x.test)\nendobj\n'],
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\x08\x06 ada@x.test', 'latin1')],
  ])('but is no text: %s', async (_, left) => {
    expect(await importExcept(left)).toMatchObject({ ...endedWith(2, 'this file is no text'), sent: [] });
  });

  test.each(['@x.test', '*@x.test', '*.x.test', 'ada.x.test@', 'ada (at) x*'])(
    'but not with a line that may mean several people: %s',
    async line => {
      expect(await importExcept(`cyd@x.test\r\n\r\n${line}\r\n`)).toMatchObject({
        ...endedWith(2, `no email address can be read in line 3, "${line}"`),
        sent: [],
      });
    },
  );

  test('which must exist, and contain an address', async () => {
    expect(await importExcept('Name\nAda\n')).toMatchObject({
      ...endedWith(2, 'no email address in this file'),
      sent: [],
    });
    expect(await importRows(text, ...except)).toMatchObject(endedWith(2, 'left.csv does not exist'));
  });
});

describe('one no decides for a person:', () => {
  test.each([
    ['before it', ['ada@x.test,no', 'ADA@x.test,yes']],
    ['after it', ['ADA@x.test,yes', 'ada@x.test,no']],
    ['with a name around the address', ['ada@x.test,no', 'Ada <ada@x.test>,yes']],
    ['with a space after the address', ['"ada@x.test ",no', 'ada@x.test,yes']],
    ['with another address', ['"ada@y.test, ada@x.test",no', 'ada@x.test,yes']],
    ["in Outlook's quotes", ["'ada@x.test',no", 'ada@x.test,yes']],
    ['with an apostrophe in the address', ["o'ada@x.test,no", "O'Ada <o'ada@x.test>,yes"]],
    ['with an invisible character in the address', ['a\u00adda@x.test,no', 'ada@x.test,yes']],
    ['with too many cells', ['ada@x.test,yes,no', 'ada@x.test,yes']],
    ['after a slash', ['ada@y.test/ada@x.test,no', 'ada@x.test,yes']],
    ['in a link with a subject', ['mailto:ada@x.test?subject=Hi,no', 'ada@x.test,yes']],
    ['in a query', ['?email=ada@x.test&id=1,no', 'ada@x.test,yes']],
    ['with spaces around the @', ['ada @ x.test,no', 'ada@x.test,yes']],
    ['in wide characters', ['ada\uff20x.test,no', 'ada@x.test,yes']],
  ])('another row %s is not sent', async (_, rows) => {
    const text = `email,Opt-in\n${rows.join('\n')}\nbob@x.test,yes\ncyd@x.test,no\n`;
    const { sent, notMailed } = await importRows(text, ...mailable('Opt-in=yes'));
    expect(sent).toEqual(['bob@x.test']);
    expect(notMailed).toContain('address has another row that');
  });

  test('another row whose cell is empty is not sent', async () => {
    const text = 'email,Opt-in\nada@x.test,no\nada@x.test,\nADA@x.test,\nbob@x.test,\n';
    expect((await importRows(text, ...mailable('Opt-in=(empty)'))).sent).toEqual(['bob@x.test']);
  });

  test('a host in Unicode is that of its other form', async () => {
    const text = 'email,ok\nada@müller.test,no\nada@xn--mller-kva.test,yes\nbob@x.test,yes\n';
    expect((await importRows(text, ...mailable('ok=yes'))).sent).toEqual(['bob@x.test']);
  });

  test('the row of a change to the address, or from it, is not sent', async () => {
    const rows = [
      'ada@x.test,,no',
      'bob@x.test,ada@x.test,yes',
      'cyd@x.test,dan@x.test,no',
      'dan@x.test,,yes',
    ];
    const text = `email,newEmail,Opt-in\n${rows.join('\n')}\neve@x.test,,yes\n`;
    expect((await importRows(text, ...mailable('Opt-in=yes'))).sent).toEqual(['eve@x.test']);
  });
});

test('who is not mailed is in a file with the reason, and in the report', async () => {
  const { notMailed, stdout } = await importRows(status, ...mailable('Status=Active'), '--json');
  expect(notMailed).toBe(
    '\ufeffImport error,email,Status\n"Status is ""Unsubscribed""",b@x.test,Unsubscribed\nStatus is (empty),c@x.test,\n',
  );
  expect(JSON.parse(stdout)).toMatchObject({
    rows: 4,
    sent: 2,
    notMailed: 2,
    notMailedFile: 'people.csv.not-mailed.csv',
  });
});

test('that a column does not matter permits nobody, and the way on names the answers before', async () => {
  const text =
    'email,Consent,State\nada@x.test,yes,Active\nbob@x.test,no,Active\ncyd@x.test,yes,Unsubscribed\n';
  for (const rules of [['State=(any)'], ['State=(any)', 'Consent=(any),yes']])
    expect(await importRows(text, ...mailable(...rules))).toMatchObject({
      ...endedWith(2, 'Who may be mailed?'),
      sent: [],
    });
  expect(await importRows(text, ...mailable('Consent=yes'), '--map', 'State=')).toMatchObject(
    endedWith(2, /Add --mailable .*\. The answers so far: --mailable "Consent=yes" --map "State="$/m),
  );
});

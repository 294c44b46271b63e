// Only the person permits: who may be mailed is what the options say, by name, and nothing else.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { endedWith, importRows, mailable, sentAddresses, stage, survey, unless } from './run-cli.ts';

const status = 'email,Status\na@x.test,Active\nb@x.test,Unsubscribed\nc@x.test,\nd@x.test,ACTIVE\n';

describe('import sends nothing before the user says who may be mailed:', () => {
  test.each([
    'email\nada@example.com\n',
    'email,Newsletter delivery\nada@example.com,cancelled\n',
    'email,Samtykke\nada@example.com,nei\n',
  ])('%j', async text => {
    expect(await importRows(text)).toMatchObject({
      ...endedWith(2, /open.*\n.*Who may be mailed\?/i),
      sent: [],
    });
    expect(await importRows(text, ...mailable('everyone'))).toMatchObject({
      code: 0,
      sent: ['ada@example.com'],
    });
  });

  test('one block lists all that is open, and as data with --json', async () => {
    const text = 'Contact,Status,Birthday\na@x.test,Active,03/04/1990\nb@x.test,Bounced,\n';
    const { stdout, stderr } = await survey(text, '--json');
    const { error } = JSON.parse(stdout);
    expect(error.code).toBe('confirmation');
    expect(error.open.map(({ add }: { readonly add: string[] }) => add[0])).toEqual([
      '--map "Contact=email"',
      '--birthdays day-first',
      expect.stringContaining('--mailable "COLUMN=VALUE,VALUE"'),
    ]);
    expect(error.survey.columns[1].values).toEqual([
      { value: 'Active', rows: 1 },
      { value: 'Bounced', rows: 1 },
    ]);
    expect(stderr).not.toContain('Open,');
    const plain = await survey(text);
    expect(plain.stderr).toContain('  Status: Active 1 | Bounced 1\n');
    expect(plain.stderr).toMatch(/Open, and nothing was sent\. Add to the command:\n(?: {2}.*\n){8}/);
  });

  test('a log of --yes has no value of the file', async () => {
    const text = 'email,firstName,Owner,Status\na@x.test,Ada,Grace,Active\nb@x.test,Bob,Grace,Gone\n';
    for (const args of [[], mailable('Status=Active'), mailable('everyone')]) {
      const { stderr, stdout } = await importRows(text, ...args, '--json');
      expect(stderr + stdout).not.toMatch(/Grace|Ada|Bob|[ab]@x|Gone/);
    }
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
  ])('%s', async (_, rules, sent) => {
    expect(await importRows(status, ...mailable(...rules))).toMatchObject({ code: 0, sent });
  });

  test('a value in each of the named columns', async () => {
    const text = 'email,A,A=B\na@x.test,1,yes\nb@x.test,1,no\nc@x.test,0,yes\n';
    expect((await importRows(text, ...mailable('A=1', 'A=B=yes'))).sent).toEqual(['a@x.test']);
  });

  test('none of the values that stay out, as a whole cell or as one of its parts', async () => {
    const text =
      'email,Tags,Note\na@x.test,"vip, No Mail",\nb@x.test,no mail; vip,\nc@x.test,No mail please,\nd@x.test,"""No mail"",""vip""",\ne@x.test,,No mail\n';
    const { sent } = await importRows(text, ...mailable('everyone'), ...unless('Tags=no mail'));
    expect(sent).toEqual(['c@x.test', 'e@x.test']);
    const both = await importRows(text, ...mailable('everyone'), ...unless('Tags=no mail', 'Note=No mail'));
    expect(both.sent).toEqual(['c@x.test']);
    const empty = await importRows(text, ...mailable('Note=(empty)'), ...unless('Tags=(empty),no mail'));
    expect(empty.sent).toEqual(['c@x.test']);
  });
});

describe('a slip of the pen stops import:', () => {
  test.each([
    ['Status=', 'name the values whose rows may be mailed'],
    ['Status', 'takes everyone, or COLUMN=VALUE'],
    ['Stats=Active', 'no column is named "Stats"; columns are email, Status'],
    ['evryone', 'takes everyone, or COLUMN=VALUE'],
  ])('--mailable %s', async (rule, message) => {
    expect(await importRows(status, ...mailable(rule))).toMatchObject({ ...endedWith(2, message), sent: [] });
  });

  test('everyone, and a column', async () => {
    const ended = await importRows(status, ...mailable('everyone', 'Status=Active'));
    expect(ended).toMatchObject({ ...endedWith(2, '--mailable everyone contradicts'), sent: [] });
  });
});

test('a value that no row has is said in a line: tomorrow, a row may have it', async () => {
  const { sent, stderr } = await importRows(
    status,
    ...mailable('Status=Active,New'),
    ...unless('email=z@x.test'),
  );
  expect(sent).toEqual(['a@x.test', 'd@x.test']);
  expect(stderr).toContain('--mailable "Status=Active,New": no row has "New"\n');
  expect(stderr).toContain('--unless "email=z@x.test": no row has "z@x.test"\n');
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
    expect(stopped.stderr).toContain(`--unless "${name}=" (this column decides nothing)`);
    const ofGroup = await importRows(text, ...mailable('Group=A'));
    expect(ofGroup).toMatchObject(endedWith(2, `1 row to be sent: column "${name}" is`));
    const others = await importRows(
      text,
      ...mailable('everyone'),
      ...unless(`${name}=${value.replace(/^.*;/, '')}`),
    );
    expect(others).toMatchObject({ code: 0, sent: ['b@x.test'] });
    const any = await importRows(text, ...mailable('everyone'), ...unless(`${name}=`));
    expect(any).toMatchObject({ code: 0, sent: ['a@x.test', 'b@x.test', 'c@x.test'] });
  });

  test('and so does no in the column mailable, which our own export writes', async () => {
    const text = 'email,mailable,Group,other\na@x.test,yes,A,no\nb@x.test,No,A,yes\nc@x.test,no,B,yes\n';
    for (const rule of ['everyone', 'Group=A,B', 'email=b@x.test,c@x.test'])
      expect(await importRows(text, ...mailable(rule))).toMatchObject({
        ...endedWith(2, /2 rows to be sent: column "mailable" is "no"\.\n.*\n.* --unless "mailable=no" /),
        sent: [],
      });
    expect((await importRows(text, ...mailable('mailable=yes'))).sent).toEqual(['a@x.test']);
    expect((await importRows(text, ...mailable('everyone'), ...unless('mailable='))).sent).toHaveLength(3);
  });

  test('but not in rows that are not sent, nor within a text', async () => {
    const text = 'email,Status,Notes\na@x.test,Active,Never unsubscribed\nb@x.test,Left,Unsubscribed\n';
    expect(await importRows(text, ...mailable('Status=Active'))).toMatchObject({
      code: 0,
      sent: ['a@x.test'],
    });
  });
});

test('the option that is offered for plain words names all of them, and others of the column still stop it', async () => {
  const text = 'email,State\na@x.test,Unsubscribed\nb@x.test,Cleaned\nc@x.test,on\n';
  const { stderr } = await importRows(text, ...mailable('everyone'));
  expect(stderr).toContain('--unless "State=Unsubscribed,Cleaned" (they alone stay out)');
  const typo = await importRows(text, ...mailable('everyone'), ...unless('State=Unsubscribd,Cleaned'));
  expect(typo).toMatchObject({ ...endedWith(2, 'column "State" is "Unsubscribed"'), sent: [] });
});

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

test.each(['(empty)', '(date)'])('a value that is literally %s permits no other', async name => {
  const text = `email,ok\nada@x.test,${name}\nbob@x.test,no\ncyd@x.test,\n`;
  const refused = endedWith(2, `rows of this column contain the text ${name}`);
  expect(await importRows(text, ...mailable(`ok=${name}`))).toMatchObject({ ...refused, sent: [] });
});

test('columns are shown by their shape, and none by its name', async () => {
  const rows = Array.from(
    { length: 40 },
    (_, index) => `p${index}@x.test,${index},${index % 12},${index % 13},x\n`,
  );
  const { stderr } = await survey(`email,Unsubscribed,Twelve,Thirteen,Raus\n${rows.join('')}`);
  const shownOf = (text: string) => text.match(/(?<=^ {2})\w+(?=: .*\d$)/gm);
  expect(shownOf(stderr)).toEqual(['Twelve', 'Raus']);
  const few = Array.from({ length: 20 }, (_, index) => `p${index}@x.test,${index % 11},${index % 10}\n`);
  expect(shownOf((await survey(`email,NearlyUnique,Ten\n${few.join('')}`)).stderr)).toEqual(['Ten']);
});

test('values are shown as they are typed: one with a comma in quotes', async () => {
  const text = 'email,ok\nada@x.test,"a, b"\nbob@x.test,a\ncyd@x.test,b\n';
  expect((await survey(text)).stderr).toContain('ok: "a, b" 1 | a 1 | b 1');
  expect((await importRows(text, ...mailable('ok="a, b"'))).sent).toEqual(['ada@x.test']);
});

test('who goes and who stays out is said by column and value, above the last question', async () => {
  const text = 'email,ok,Kind\nada@x.test,1,a\nbob@x.test,0,a\ncyd@x.test,1,b\ncyd@x.test,0,\n';
  const { stderr } = await survey(text, ...mailable('ok=1'));
  expect(stderr).toContain('  ok: 1 1 / 1 | 0 0 / 2\n  Kind: a 1 / 1 | b 0 / 1 | (empty) 0 / 1\n');
  expect(stderr).toContain('to mail 1 person (2 stay out), add --yes\n');
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
    expect(stderr).toContain('Mailing 1 person (2 stay out), to ');
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

  test.each(['@x.test', '*@x.test', '*.x.test', 'x.test', '"sub.x-y.test";;', 'ada.x.test@', 'ada (at) x*'])(
    'but not with a line that may mean several people: %s',
    async line => {
      expect(await importExcept(`cyd@x.test\r\n\r\n${line}\r\n`)).toMatchObject({
        ...endedWith(2, `no email address can be read in line 3, ${JSON.stringify(line)}`),
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
    const { sent, leftOut } = await importRows(text, ...mailable('Opt-in=yes'));
    expect(sent).toEqual(['bob@x.test']);
    expect(leftOut).toContain('address has another row that');
  });

  test('another row whose cell is empty is not sent', async () => {
    const text = 'email,Opt-in\nada@x.test,no\nada@x.test,\nADA@x.test,\nbob@x.test,\n';
    expect((await importRows(text, ...mailable('Opt-in=(empty)'))).sent).toEqual(['bob@x.test']);
  });

  test('a host in Unicode is that of its other form', async () => {
    const text = 'email,ok\nada@müller.test,no\nada@xn--mller-kva.test,yes\nbob@x.test,yes\n';
    expect((await importRows(text, ...mailable('ok=yes'))).sent).toEqual(['bob@x.test']);
  });
});

test('who stays out is in a file with the reason, and in the report', async () => {
  const { leftOut, stdout } = await importRows(status, ...mailable('Status=Active'), '--json');
  expect(leftOut).toBe(
    '\ufeffLeft out because,email,Status\n"Status is ""Unsubscribed""",b@x.test,Unsubscribed\nStatus is (empty),c@x.test,\n',
  );
  expect(JSON.parse(stdout)).toMatchObject({
    rows: 4,
    sent: 2,
    leftOut: 2,
    leftOutFile: 'people.csv.left-out.csv',
  });
});

test('a file of people who stay out cannot be imported, whatever its name is', async () => {
  const { leftOut } = await importRows(status, ...mailable('Status=Active'));
  const again = await importRows(leftOut, ...mailable('everyone'));
  expect(again).toMatchObject({ ...endedWith(2, 'lists people who may not be mailed'), sent: [] });
});

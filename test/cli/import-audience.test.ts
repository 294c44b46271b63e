// Only the person permits: who may be mailed is what the options say, by name, and nothing else.
import { describe, expect, test } from 'vitest';
import { endedWith, importAll, importRows, mailable, survey, unless, unwrapped } from './run-cli.ts';

const status = 'email,Status\na@x.test,Active\nb@x.test,Unsubscribed\nc@x.test,\nd@x.test,ACTIVE\n';

describe('import sends nothing before the user says who may be mailed:', () => {
  test.each([
    'email\nada@example.com\n',
    'email,Newsletter delivery\nada@example.com,cancelled\n',
    'email,Samtykke\nada@example.com,nei\n',
  ])('%j', async text => {
    expect(await importRows(text)).toMatchObject({
      ...endedWith(2, /Nothing was sent.*\n.*Who may be mailed\?/),
      sent: [],
    });
    const told = await importRows(text, ...mailable('everyone'));
    expect(told).toMatchObject({ ...endedWith(2, 'there is no "everyone"'), sent: [] });
  });

  test('one block lists all that is open, and as data with --json', async () => {
    const text = 'Contact,Status,Birthday\na@x.test,Active,03/04/1990\nb@x.test,Bounced,\n';
    const { stdout, stderr } = await survey(text, '--json');
    const { error } = JSON.parse(stdout);
    expect(error.code).toBe('confirmation');
    expect(error.open.map(({ add }: { readonly add: string[] }) => add[0])).toEqual([
      '--map "Contact=email"',
      '--birthdays day-first',
      '--unless "Status=Bounced"   (they stay out)',
    ]);
    expect(error.open[2].add.slice(1)).toEqual([
      '--mailable "COLUMN=VALUE,VALUE"   (only rows with these values go)',
      'or write yes in a column mailable, for each person who agreed',
    ]);
    expect(error.survey.columns[1].values).toEqual([
      { value: 'Active', rows: 1 },
      { value: 'Bounced', rows: 1 },
    ]);
    expect(stderr).not.toContain('Add to the command');
    const plain = await survey(text);
    expect(plain.stderr).toContain('  Status: Active 1 | Bounced 1\n');
    expect(plain.stderr).toMatch(/Add to the command what only you know:\n(?: {2}.*\n){10}/);
  });

  test('a log of --yes has no value of the file', async () => {
    const text = 'email,firstName,Owner,Status\na@x.test,Ada,Grace,Active\nb@x.test,Bob,Grace,Gone\n';
    for (const args of [[], mailable('Status=Active'), mailable('Status=(empty)')]) {
      const { stderr, stdout } = await importRows(text, ...args, '--json');
      expect(stderr + stdout).not.toMatch(/Grace|Ada|Bob|[ab]@x|Gone/);
    }
  });
});

describe('import sends whoever has', () => {
  test.each<[what: string, rules: string[], sent: string[]]>([
    ['a value, whatever its case', ['Status=active'], ['a@x.test', 'd@x.test']],
    ['any of several values', ['Status=Active,(empty)'], ['a@x.test', 'c@x.test', 'd@x.test']],
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
    const { sent } = await importAll(text, ...unless('Tags=no mail'));
    expect(sent).toEqual(['c@x.test', 'e@x.test']);
    const both = await importAll(text, ...unless('Tags=no mail', 'Note=No mail'));
    expect(both.sent).toEqual(['c@x.test']);
    const empty = await importRows(text, ...mailable('Note=(empty)'), ...unless('Tags=(empty),no mail'));
    expect(empty.sent).toEqual(['c@x.test']);
  });
});

test('import sends nobody by one of several tags: only whole cells permit', async () => {
  const text = 'email,Tags\na@x.test,"news; trade"\nb@x.test,news\n';
  expect((await importRows(text, ...mailable('Tags=news'))).sent).toEqual(['b@x.test']);
});

describe('a slip of the pen stops import:', () => {
  test.each([
    ['Status=', 'name the values after the ='],
    ['Status', 'takes COLUMN=VALUE'],
    ['Stats=Active', 'no column is named "Stats"; columns are email, Status'],
  ])('--mailable %s', async (rule, message) => {
    expect(await importRows(status, ...mailable(rule))).toMatchObject({ ...endedWith(2, message), sent: [] });
  });
});

test('a value that no row has is said in a line, without it under --yes', async () => {
  const { sent, stderr } = await importRows(
    status,
    ...mailable('Status=Active,New'),
    ...unless('email=z@x.test'),
  );
  expect(sent).toEqual(['a@x.test', 'd@x.test']);
  expect(stderr).toContain('--mailable "Status": no row has one of the values\n');
  expect(stderr).not.toContain('z@x.test');
});

describe('a plain word in a column that was not decided stops import:', () => {
  test.each([
    ['Status', 'Unsubscribed'],
    ['Delivery status', 'Bounced'],
    ['Statut', 'Désabonné'],
    ['Estado', 'dado de baja'],
    ['Tags', 'vip;Unsubscribed'],
    ['Bemerkung', 'Abgemeldet am 03.04.2023'],
    ['備考', 'メール不要'],
    ['customFields.state', 'BLOCKED'],
    ['Char50', `"Unsubscribed${' '.repeat(38)}"`],
  ])('%s: %s', async (name, value) => {
    const text = `email,Group,${name}\na@x.test,A,${value}\nb@x.test,A,other\nc@x.test,B,${value}\n`;
    const stopped = await importAll(text);
    expect(stopped).toMatchObject({ ...endedWith(2, `2 rows to be sent: column "${name}" is`), sent: [] });
    expect(stopped.stderr).not.toContain('--ignore-words-in');
    const named = await importRows(text, ...mailable(`${name}=${value.replace(/^.*;/, '')}`));
    expect(named.sent).toEqual([]);
    const ofGroup = await importRows(text, ...mailable('Group=A'));
    expect(ofGroup).toMatchObject(endedWith(2, `1 row to be sent: column "${name}" is`));
    const others = await importAll(text, ...unless(`${name}=${value.replace(/^.*;/, '')}`));
    expect(others).toMatchObject({ code: 0, sent: ['b@x.test'] });
    const any = await importAll(text, '--ignore-words-in', name);
    expect(any).toMatchObject({ code: 0, sent: ['a@x.test', 'b@x.test', 'c@x.test'] });
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
  const { stderr } = await importAll(text);
  expect(stderr).toContain('--unless "State=Unsubscribed,Cleaned"   (they stay out)');
  const typo = await importAll(text, ...unless('State=Unsubscribd,Cleaned'));
  expect(typo).toMatchObject({ ...endedWith(2, 'column "State" is "Unsubscribed"'), sent: [] });
});

describe('a row whose cells may be in other columns', () => {
  test.each([
    [
      'is longer than the others, though each has one too many',
      'email,company,ok\nada@x.test,Acme, 2024-01-01,,\nbob@x.test,Acme,2024-01-01,\n',
      'ok=(date)',
    ],
    ['has one that most rows lack', 'email,Name,ok\nada@x.test,Smith, yes,\nbob@x.test,Bob,yes\n', 'ok=yes'],
  ])('is not sent if it %s', async (_, text, rule) => {
    expect((await importRows(text, ...mailable(rule))).sent).toEqual(['bob@x.test']);
  });

  test('is sent if every row has a cell more', async () => {
    const longer = 'email,ok\nada@x.test,yes,\nbob@x.test,no,\n';
    expect((await importRows(longer, ...mailable('ok=yes'))).sent).toEqual(['ada@x.test']);
  });
});

test('a missing cell is (empty), too', async () => {
  const text = 'email,Name,Unsub\nada@x.test\nbob@x.test,Bob,\ncyd@x.test,Cyd,yes\n';
  expect((await importRows(text, ...mailable('Unsub=(empty)'))).sent).toEqual(['ada@x.test', 'bob@x.test']);
});

describe('the column mailable', () => {
  const text = 'email,Mailable,Group\na@x.test,yes,A\nb@x.test,No,A\nc@x.test,,A\nd@x.test,YES,B\n';

  test('says row by row who may be mailed, and needs no option', async () => {
    expect(await importRows(text)).toMatchObject({ code: 0, sent: ['a@x.test', 'd@x.test'] });
    const other = await importRows(text.replace('Mailable', 'Mailable?'));
    expect(other).toMatchObject({ ...endedWith(2, 'Who may be mailed?'), sent: [] });
  });

  test('keeps out who has no in it, whatever else is named', async () => {
    for (const rule of ['Group=A', 'Mailable=no,yes,(empty)'])
      expect((await importRows(text, ...mailable(rule))).sent).not.toContain('b@x.test');
    expect((await importRows(text, ...mailable('Group=A'))).sent).toEqual(['a@x.test', 'c@x.test']);
    const twice = 'email,mailable,mailable\na@x.test,yes,yes\nb@x.test,yes,no\n';
    expect(await importRows(twice)).toMatchObject(endedWith(2, 'Who may be mailed?'));
    expect((await importRows(twice, ...mailable('mailable (1)=yes'))).sent).toEqual(['a@x.test']);
  });
});

test('columns are shown by their shape, and none by its name', async () => {
  const rows = Array.from(
    { length: 40 },
    (_, index) => `p${index}@x.test,${index},${index % 12},${index % 13},x\n`,
  );
  const { stderr } = await survey(`email,Unsubscribed,Twelve,Thirteen,Raus\n${rows.join('')}`);
  const shownOf = (text: string) => unwrapped(text).match(/(?<=^ {2})\w+(?=: .*\d$)/gm);
  expect(shownOf(stderr)).toEqual(['Twelve', 'Raus']);
  const few = Array.from({ length: 20 }, (_, index) => `p${index}@x.test,${index % 11},${index % 10}\n`);
  expect(shownOf((await survey(`email,NearlyUnique,Ten\n${few.join('')}`)).stderr)).toEqual(['Ten']);
});

test('who goes and who stays out is said by column and value, above the last question', async () => {
  const text = 'email,ok,Kind\nada@x.test,1,a\nbob@x.test,0,a\ncyd@x.test,1,b\ncyd@x.test,0,\n';
  const { stderr } = await survey(text, ...mailable('ok=1'));
  expect(stderr).toContain('  ok: 1 1 / 1 | 0 0 / 2\n  Kind: a 1 / 1 | b 0 / 1 | (empty) 0 / 1\n');
  expect(stderr).toContain('there is no terminal where you could confirm it (see --yes in --help)\n');
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
  const again = await importRows(leftOut, ...mailable('Status=Unsubscribed'));
  expect(again).toMatchObject({ ...endedWith(2, 'lists people who may not be mailed'), sent: [] });
});

// Files as people and programs write them, and files that only look so.
import { describe, expect, test } from 'vitest';
import { agreed, endedWith, importAll, importRows, mailable, survey, unwrapped } from './run-cli.ts';

const email = (...addresses: string[]) => addresses.map(address => ({ email: address }));

describe('import takes', () => {
  test('blank rows and uneven ends of a spreadsheet', async () => {
    const text =
      'email,firstName,ok,\n,,,\na@x.test,Ada,x,\n\nb@x.test,Bob,x\n , ,\nc@x.test,,x\nd@x.test,Dora,x\n,,,\n';
    const { code, bodies } = await importRows(text, ...mailable('ok=x'));
    expect(code).toBe(0);
    expect(bodies).toEqual([
      { email: 'a@x.test', firstName: 'Ada' },
      { email: 'b@x.test', firstName: 'Bob' },
      { email: 'c@x.test' },
      { email: 'd@x.test', firstName: 'Dora' },
    ]);
  });

  test.each([
    '"Ada" <a@x.test>',
    '"A@x.test" <a@x.test>',
    '<a@x.test>',
    ' a@x.test\u00a0',
    '\u200ba@x.test\ufeff',
  ])('the address in the cell %j', async cell => {
    const { bodies } = await importAll(`firstName,email\n,"${cell.replaceAll('"', '""')}"\n`);
    expect(bodies).toEqual(email('a@x.test'));
  });

  test.each([
    'mailto:a@x.test',
    '<mailto:a@x.test>',
    'one@a@x.test',
    'Ada <mailto:a@x.test>',
    "'a@x.test'",
    'a@x.test ::: b@x.test',
    'a@x.test b@x.test',
    'a@x.test/b@x.test',
    'a@x.test|b@x.test',
    'a@x.test\nb@x.test',
    'b@x.test Ada <a@x.test>',
    '"b@x.test" <a@x.test>',
    'Ada (b@x.test) <a@x.test>',
    'Ada <a@x.test>; Bob <b@x.test>',
  ])('no address in the cell %s: the row is rejected, and can be corrected', async cell => {
    const text = `firstName,email\n,"${cell.replaceAll('"', '""')}"\n`;
    const { code, stderr, bodies } = await importAll(text);
    expect(stderr).toContain(
      cell.includes('b@') ? 'email holds 2 addresses' : 'email must be an email address',
    );
    expect({ code, bodies }).toEqual({ code: 1, bodies: [] });
  });

  test.each(['0/0/00', '04/12', '00/00/0000', '1912-02-30', 'soon'])(
    'a person with the birthday %s, which is left out and counted',
    async birthday => {
      const text = `email,Birthday\na@x.test,${birthday}\nb@x.test,1990-12-25\n`;
      const { stderr } = await survey(agreed(text), ...mailable('agreed=(empty)'));
      const { bodies } = await importAll(text);
      expect(stderr).toContain(`1 birthday cannot be read, such as "${birthday}", and will be left out`);
      expect(bodies).toEqual([{ email: 'a@x.test' }, { email: 'b@x.test', birthday: '1990-12-25' }]);
    },
  );

  test.each([
    ['1990-12-25 00:00:00', '3.4.1990', '1990-04-03'],
    ['1990/12/25', '1990.3.4', '1990-03-04'],
  ])(
    'birthdays such as %s and %s, which say themselves how they are written',
    async (one, other, expected) => {
      const { bodies } = await importAll(`email,Birthday\na@x.test,${one}\nb@x.test,${other}\n`);
      expect(bodies.map(({ birthday }) => birthday)).toEqual(['1990-12-25', expected]);
    },
  );

  test('neither of two columns Email, before the user says which one', async () => {
    const text = 'Email,Email,First name\na@x.test,b@x.test,Ada\n';
    const neither = endedWith(2, '--map "Email (1)=email"');
    expect(await importAll(text)).toMatchObject({ ...neither, bodies: [] });
    const shared = endedWith(2, '2 columns are named "email"; write one of "Email (1)", "Email (2)"');
    expect(await importAll(text, '--map', 'email=email')).toMatchObject(shared);
    const second = await importAll(text, '--map', 'Email (2)=email');
    expect(second.bodies).toEqual([{ email: 'b@x.test', firstName: 'Ada' }]);
  });

  test('a header that holds commas among semicolons', async () => {
    const text = 'E-Mail;"Name, Vorname, Titel";Firma, Ort, Land\na@x.test;Byron;Engines\nb@x.test;;\n';
    const { bodies } = await importAll(text);
    expect(bodies).toEqual([{ email: 'a@x.test' }, { email: 'b@x.test' }]);
  });

  test('lines that end as on old Macs, or in both other ways', async () => {
    for (const text of ['email,Note\ra@x.test,x\rb@x.test,y\r', 'email\r\na@x.test\nb@x.test\r\n'])
      expect((await importAll(text)).bodies).toHaveLength(2);
  });
});

describe('import names what it does not send:', () => {
  test('sixty columns, of which fifty are listed and the others counted', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `c${index}`);
    const { stderr } = await importAll(`email,${names}\na@x.test,${names}\n`);
    expect(unwrapped(stderr)).toContain(`Not sent: ${names.slice(0, 50).join(', ')}, and 10 more\n`);
  });

  test('columns, of which --map makes custom fields', async () => {
    const { bodies } = await importAll(
      'email,Plan,"Points, total"\na@x.test,gold,5\n',
      ...['--map', 'plan=customFields.Plan', '--map', 'Points, total=customFields.Points, total'],
    );
    expect(bodies).toEqual([{ email: 'a@x.test', customFields: { Plan: 'gold', 'Points, total': '5' } }]);
  });
});

test.each<[what: string, text: string, line: number]>([
  [
    'LinkedIn',
    'Notes:\n"When exporting your data, you may\nnotice, that …"\n\nFirst Name,Email Address,ok\nAda,a@x.test,E\n',
    5,
  ],
  ['a comment', '# exported by "Ada", today\nFirst Name,Email Address,ok\nAda,a@x.test,E\n', 2],
  ['sep= and a title', 'sep=,\r\nContacts 2026\r\nFirst Name,Email Address,ok\r\nAda,a@x.test,E\r\n', 3],
  ['a title', 'Our members\rFirst Name,Post,ok\rAda,a@x.test,E\r', 2],
])('import skips lines above the names of the columns, and says so: %s', async (_, text, line) => {
  const map = text.includes('Post') ? ['--map', 'Post=email'] : [];
  const { code, stderr, bodies } = await importRows(text, ...mailable('ok=E'), ...map);
  expect({ code, bodies }).toEqual({ code: 0, bodies: [{ email: 'a@x.test', firstName: 'Ada' }] });
  expect(stderr).toContain(`The names of the columns are in line ${line}:`);
  const again = text.replace('Ada,a@x.test,E', 'Ada,"a@x.test"x,E');
  expect(await importRows(again, ...mailable('ok=E'), ...map)).toMatchObject(
    endedWith(2, `up to line ${line + 1}:`),
  );
});

test.each(['Ada,a@x.test\nBob,b@x.test\n', 'Ada,a@x.test\nBob,Email\n'])(
  'import stops if no line names the columns: %j',
  async text => {
    const stopped = endedWith(2, 'the first line must name the columns');
    expect(await importRows(text, ...mailable('Ada=Bob'))).toMatchObject({ ...stopped, bodies: [] });
  },
);

describe('import stops at a line that names the columns again:', () => {
  const first = 'email,Newsletter,Status\na@x.test,yes,no\n';

  test.each([
    ['in their order', 'email,Newsletter,Status\nb@x.test,no,yes\n'],
    ['in another order', 'Status,email,Newsletter\nyes,b@x.test,no\n'],
    ['after a mark', '\ufeffEmail,NEWSLETTER,Status\nb@x.test,no,yes\n'],
    ['without the last one', 'Newsletter,Email\nyes,b@x.test\n'],
  ])('%s', async (_, second) => {
    expect(await importAll(first + second)).toMatchObject({
      ...endedWith(2, 'line 3 names the columns again'),
      bodies: [],
    });
  });

  test('but not at a row with a cell that is such a name', async () => {
    const { code, bodies } = await importAll(`${first}b@x.test,Newsletter,Status\n`);
    expect([code, bodies.length]).toEqual([0, 2]);
  });
});

describe('import stops before anything is sent, and names the lines:', () => {
  const rows = 'email,Name,Opt-in\na@x.test,Ada,yes\n';

  test.each([
    ['a quote within a cell', `${rows}b@x.test,Bo"b,no\n`, /up to line 3: a quote is in a cell/],
    [
      'text after a closing quote',
      `${rows}b@x.test,"Bo"b,no\n`,
      /up to line 3: text follows a closing quote/,
    ],
    ['a quote that is never closed', `${rows}b@x.test,"Bob,no\n`, /a quote is never closed/],
    [
      'two quotes that swallow rows with fewer cells',
      `${rows}b@x.test,"Bob\nc@x.test,Cyd\nd@x.test,Dora",yes\n`,
      /in lines 3 to 5 contains what look like rows/,
    ],
    [
      'two quotes that give one row the address of the next',
      `Opt-in,firstName,email\nyes,"Bob,b@x.test\nno,Cyd",c@x.test\n`,
      /in lines 2 to 3 contains what look like rows/,
    ],
    [
      'a row of a megabyte that holds rows',
      `${rows}b@x.test,"${'x'.repeat(1_100_000)}\nevil@x.test,Eve,yes\n",no\n`,
      /a row is larger than 1048576 bytes/,
    ],
  ])('%s', async (_, text, message) => {
    expect(await importAll(text)).toMatchObject({ ...endedWith(2, message), bodies: [] });
  });

  test('but not at a text of several lines, even with an address in it', async () => {
    const note = 'Call back,\nor write to eve@x.test, she knows\nit';
    const { code, bodies } = await importAll(`email,Note,Opt-in\na@x.test,"${note}",yes\nb@x.test,,no\n`);
    expect(code).toBe(0);
    expect(bodies).toHaveLength(2);
  });

  test('nor at one before the column of the email, or in the name of a column', async () => {
    const text = '"A\nnote",Name ,Email\n"line\nbreak",Ada,a@x.test\n"two\r\nlines, and more",Ada,b@x.test\n';
    const args = [...mailable('Name=Ada'), '--map', 'a note=customFields.Note'];
    const { code, bodies } = await importRows(text, ...args);
    expect(code).toBe(0);
    expect(bodies.map(({ customFields }) => customFields)).toEqual([
      { Note: 'line\nbreak' },
      { Note: 'two\r\nlines, and more' },
    ]);
  });
});

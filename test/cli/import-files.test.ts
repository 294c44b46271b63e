import { describe, expect, test } from 'vitest';
import { agreed, everyone, importAll, mailable, sentRows, stage } from './run-cli.ts';

test('import prefers columns that have the name of the field', async () => {
  const { bodies } = await importAll(
    'Firma,Email Address,company,email\nF,other@example.com,C,ada@example.com\n',
  );
  expect(bodies).toEqual([{ email: 'ada@example.com', company: 'C' }]);
});

describe('import shows what it will do before it sends anything:', () => {
  test('the first row as it will be sent, and the first that will be rejected', async () => {
    await using staged = await stage();
    const rows = 'ada@example.com,Ada\nfew\nalan@example.com,\ngrace@example.com,Grace\nlast@example.com,L\n';
    staged.write('people.csv', agreed(`email,first name\n${rows}`));
    const { stderr, code } = await staged.run('import', 'people.csv', ...mailable('agreed=(empty)'));
    expect(code).toBe(2);
    const samples = stderr.split('\n').filter(line => line.includes(': First row: '));
    expect(samples.map(line => JSON.parse(line.replace(/^.* row: /, '')))).toEqual([
      { email: 'ada@example.com', firstName: 'Ada' },
    ]);
    expect(stderr).toContain('  1 rejected\n       1  email must be an email address\n');
    expect(stderr).toMatch(/row: \{[\s\S]*nothing was sent, because there is no terminal/);
    expect(staged.sandbox.requests.count()).toBe(0);
  });

  test('tags between commas or semicolons, outside of quotes, or what --tag-separator names', async () => {
    const tags = 'email,Tags\nb@x.test,"vip, new; x"\nc@x.test,"""A "",""B, C"""\nd@x.test,"""D, E"";F"\n';
    const { bodies } = await importAll(tags);
    expect(bodies.map(each => each.tags)).toEqual([
      ['vip', 'new', 'x'],
      ['A', 'B, C'],
      ['D, E', 'F'],
    ]);
    const kept = await importAll(tags, '--tag-separator', ';');
    expect(kept.bodies[0]?.tags).toEqual(['vip, new', 'x']);
  });
});

describe('import writes', () => {
  test('the reasons of rejected rows, with the number of rows for each', async () => {
    await using staged = await stage();
    const rows = ['nobody,', 'none,', 'ada@example.com,,,x', 'last@example.com,'];
    const { stderr, stdout } = await staged.importText(`email,birthday\n${rows.join('\n')}\n`, '--json');
    expect(stderr).toMatch(/3 rejected.*\n +2 {2}email must be an email address\n +1 {2}\S/);
    const { reasons, rejected } = JSON.parse(stdout);
    expect(reasons[0]).toEqual({ reason: 'email must be an email address', rows: 2 });
    expect(reasons).toHaveLength(2);
    expect(rejected).toBe(3);
    const dry = await staged.run('import', 'people.csv', '--dry-run', ...mailable('agreed=(empty)'));
    expect(dry.stderr).toMatch(/ 2 {2}email must be an email address\n/);
  });

  test('rejected rows in UTF-8 with a mark, and otherwise like the input', async () => {
    await using staged = await stage();
    // In Windows' encoding, the byte of the euro sign is another one than in Latin-1.
    const input = Buffer.from('email;firstName;agreed\r\nzoe;Zo\xeb \x80\r\n', 'latin1');
    const encoding = ['--encoding', 'windows-1252'];
    staged.write('people.csv', input);
    expect(await staged.run('import', 'people.csv', ...everyone, ...encoding)).toMatchObject({ code: 1 });
    const rejected = 'Import error;email;firstName;agreed\r\nemail must be an email address;zoe;Zoë €\r\n';
    expect(staged.read('people.csv.rejected.csv')).toBe(`\ufeff${rejected}`);
    staged.write('corrected.csv', `\ufeff${rejected.replace(';zoe;', ';zoe@example.com;')}`);
    const again = await staged.run('import', 'corrected.csv', ...everyone, ...encoding);
    expect(again).toMatchObject({ code: 0 });
    expect(sentRows(staged)).toEqual([{ email: 'zoe@example.com', firstName: 'Zoë €' }]);
  });
});

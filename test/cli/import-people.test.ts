// Whom an import skips beyond the cell that says so: other rows of a person, other orders of values, other file names.
import { symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { everyone, sentRows, stage } from './run-cli.ts';

const addresses = (staged: Awaited<ReturnType<typeof stage>>): string[] =>
  sentRows(staged)
    .map(({ email }) => String(email))
    .sort();

/** Sixty values, more than are decided one by one in a column that is not about consent. */
const many = Array.from({ length: 60 }, (_, index) => `value ${index}`);

/** Counts the rows of one column beside the email that an import would send, and those it would skip. */
async function dryRun(name: string, values: readonly string[], ...args: string[]) {
  await using staged = await stage();
  const rows = values.map((value, index) => `"${value}",p${index}@example.com`);
  const { stdout } = await staged.importText(
    `${[`${name},email`, ...rows].join('\n')}\n`,
    '--dry-run',
    '--json',
    ...args,
  );
  const { valid, optedOut } = JSON.parse(stdout);
  return { valid, optedOut };
}

describe('another row of a person who opted out is skipped', () => {
  test.each([
    ['before it', ['ada@x.test,unsubscribed', 'ADA@x.test,subscribed']],
    ['after it', ['ADA@x.test,subscribed', 'ada@x.test,unsubscribed']],
    ['whose cell is empty', ['ada@x.test,bounced', 'ada@x.test,']],
    ['with a name around the address', ['ada@x.test,unsubscribed', 'Ada <ada@x.test>,subscribed']],
    ['with a space after the address', ['"ada@x.test ",unsubscribed', 'ada@x.test,subscribed']],
    ['with a scheme before the address', ['mailto:ada@x.test,unsubscribed', 'ada@x.test,subscribed']],
    ['with another address', ['"ada@y.test, ada@x.test",unsubscribed', 'ada@x.test,subscribed']],
    ["in Outlook's quotes", ["'ada@x.test',unsubscribed", 'ada@x.test,subscribed']],
    [
      'with an invisible character in the address',
      ['a\u00adda@x.test,unsubscribed', 'ada@x.test,subscribed'],
    ],
    ['which lacks a cell', ['ada@x.test,unsubscribed', 'ada@x.test']],
  ])('%s', async (_, rows) => {
    await using staged = await stage();
    const { code, stdout } = await staged.importText(
      `email,Status\n${rows.join('\n')}\nbob@x.test,subscribed\n`,
      '--json',
    );
    expect(code).toBe(0);
    expect(addresses(staged)).toEqual(['bob@x.test']);
    expect(JSON.parse(stdout)).toMatchObject({ sent: 1, optedOut: 2 });
    expect(staged.read('people.csv.opted-out.csv')).toContain(
      'opted out, as another row of this address says',
    );
  });

  test('that would be rejected, or changes to the address or from it', async () => {
    await using staged = await stage();
    const rows = [
      'ada@x.test,,yes,no',
      'bob@x.test,ada@x.test,,',
      'cyd@x.test,dan@x.test,,no',
      'dan@x.test,,,yes',
    ];
    const text = `email,newEmail,birthday,Opt-in\n${rows.join('\n')}\neve@x.test,,,yes\n`;
    await staged.importText(text, '--mailable', 'Opt-in=(empty)');
    expect(addresses(staged)).toEqual(['eve@x.test']);
  });

  test('and rejected if one that cannot be read may say so, until that is corrected', async () => {
    await using staged = await stage();
    const rows = ['Ada <ada@x.test>,unsubscribed', 'ADA@x.test,subscribed,x', 'bob@x.test,subscribed,x'];
    const first = await staged.importText(`email,Status,Note\n${rows.join('\n')}\n`, '--json');
    expect(JSON.parse(first.stdout)).toMatchObject({ sent: 1, rejected: 2 });
    expect(addresses(staged)).toEqual(['bob@x.test']);
    const rejected = staged.read('people.csv.rejected.csv');
    expect(rejected).toContain(
      'another row of this address cannot be read, and may say that the person opted out',
    );
    staged.write('corrected.csv', rejected.replace('unsubscribed', 'unsubscribed,'));
    const second = await staged.run('import', 'corrected.csv', ...everyone, '--json');
    expect(JSON.parse(second.stdout)).toMatchObject({ sent: 0, rejected: 0, optedOut: 2 });
  });

  test('but not because of a row that cannot be read, in a file that says nothing about consent', async () => {
    await using staged = await stage();
    await staged.importText('email,firstName\nada@x.test\nada@x.test,Ada\n');
    expect(addresses(staged)).toEqual(['ada@x.test']);
  });

  test('but not with --include-opted-out, nor once the user says that the person may be mailed', async () => {
    await using staged = await stage();
    const text = 'email,Status\nada@x.test,unsubscribed\nada@x.test,subscribed\n';
    await staged.importText(text, '--include-opted-out');
    expect(addresses(staged)).toEqual(['ada@x.test', 'ada@x.test']);
    await staged.importText(text, '--discard', '--mailable', 'Status=unsubscribed');
    expect(addresses(staged)).toHaveLength(4);
  });
});

describe('the order of the rows changes nothing for', () => {
  test.each([
    ['opt-out'],
    ['customer;opt_out'],
    ['Désabonné'],
    ['client;Désinscrit'],
    ['do-not-mail'],
    ['Unsubscribed.'],
    ['HARD_BOUNCED'],
  ])('%s in a column of any texts', async left => {
    const found = { valid: many.length, optedOut: 1 };
    expect(await dryRun('Notes', [left, ...many])).toEqual(found);
    expect(await dryRun('Notes', [...many, left])).toEqual(found);
  });

  test.each(['Customer group', 'Order status'])('an answer about a value of %s', async name => {
    const found = { valid: many.length, optedOut: 1 };
    const answer = ['--opted-out', `${name}=Churned`];
    expect(await dryRun(name, ['Churned', ...many], ...answer)).toEqual(found);
    expect(await dryRun(name, [...many, 'Churned'], ...answer)).toEqual(found);
    const none = { valid: 0, optedOut: many.length };
    expect(await dryRun(name, many, '--opted-out', `${name}=`)).toEqual(none);
  });
});

describe('an answer', () => {
  test('counts for one part of a list, and for each column of its name', async () => {
    await using staged = await stage();
    const rows = [
      'ada@x.test,dnc;vip,,',
      'bob@x.test,vip,A,Gone',
      'cyd@x.test,vip,Gone,A',
      'dan@x.test,vip,A,A',
    ];
    const answers = ['--opted-out', 'Tags=dnc', '--opted-out', 'Group=Gone'];
    await staged.importText(`email,Tags,Group,Group\n${rows.join('\n')}\n`, ...answers);
    expect(addresses(staged)).toEqual(['dan@x.test']);
  });

  test('that matches no row is a warning', async () => {
    await using staged = await stage();
    const answers = [
      '--opted-out',
      'Country=Germny',
      '--mailable',
      'Country=France',
      '--mailable',
      'Status=',
    ];
    const { code, stderr } = await staged.importText(
      'email,Country,Status\nada@x.test,France,\n',
      ...answers,
    );
    expect(code).toBe(0);
    expect(stderr.match(/Warning: .*/g)).toEqual(['Warning: --opted-out "Country=Germny" matches no row']);
  });

  test.each([
    ['A=B=left', 'email,A,A=B\nada@x.test,1,left\nbob@x.test,left,1\n', 'bob@x.test'],
    ['Newsletter=(Empty)', 'email,Newsletter\nada@x.test,\nbob@x.test,yes\n', 'bob@x.test'],
    ['Status=Foo=', 'email,Status,Status Foo\nada@x.test,Foo=,1\nbob@x.test,subscribed,1\n', 'bob@x.test'],
    ['STATUS=Paused', 'email,Status\nada@x.test,paused\nbob@x.test,subscribed\n', 'bob@x.test'],
  ])('%s finds its column and its value', async (answer, text, sent) => {
    await using staged = await stage();
    expect(await staged.importText(text, '--opted-out', answer)).toMatchObject({ code: 0 });
    expect(addresses(staged)).toEqual([sent]);
  });

  test('about a long value is the one that the question names', async () => {
    await using staged = await stage();
    const value = 'Asked at the fair, would rather think about it, and tell us later this year';
    const text = `email,Status\nada@x.test,"${value}"\n`;
    const { stderr } = await staged.importText(text);
    expect(stderr).toContain(`--mailable "Status=${value}"`);
    await staged.importText(text, '--mailable', `Status=${value}`);
    expect(addresses(staged)).toEqual(['ada@x.test']);
  });

  test('of an earlier run counts in a dry run; after --discard, only who opted out is remembered', async () => {
    await using staged = await stage();
    const text = 'email,Segment,Status\nada@x.test,A,Unconfirmed\nbob@x.test,B,Unconfirmed\n';
    const mailable = ['--mailable', 'Status=Unconfirmed'];
    await staged.importText(text, '--opted-out', 'Segment=B', ...mailable);
    const dry = await staged.importText(text, '--dry-run', '--json');
    expect(JSON.parse(dry.stdout)).toMatchObject({ valid: 1, optedOut: 1 });
    expect(await staged.importText(text, '--discard')).toMatchObject({ code: 2 });
    await staged.importText(text, '--discard', ...mailable);
    expect(addresses(staged)).toEqual(['ada@x.test', 'ada@x.test']);
  });

  test.each([['Status='], ['status=']])(
    '%s for a whole column replaces those of an earlier run',
    async all => {
      await using staged = await stage();
      const file = `email,Status\n${['a,2', 'b,3', 'c,2', 'd,3'].map(row => row.replace(',', '@x.test,')).join('\n')}\n`;
      staged.sandbox.fail('POST /contact/identify', { status: 401, times: 1 });
      const answers = ['--mailable', 'Status=2', '--mailable', 'Status=3', '--concurrency', '1'];
      expect((await staged.importText(file, ...answers)).code).toBe(2);
      const { stdout } = await staged.importText(file, '--opted-out', all, '--json');
      expect(JSON.parse(stdout)).toMatchObject({ sent: 0, optedOut: 4 });
    },
  );
});

describe('all rows are skipped of a file', () => {
  const text = 'email\nada@x.test\n';

  test.each([
    ['unsubscribed_members_export_0a.csv'],
    ['Copy of unsubscribed_members_export_0a.csv'],
    ['nonsubscribed_segment.csv'],
    ['cleaned_members_export_0a.csv'],
    ['suppression_bounces.csv'],
    ['Suppressions.csv'],
  ])('%s', async name => {
    await using staged = await stage();
    staged.write(name, text);
    expect(await staged.run('import', name, ...everyone)).toMatchObject({ code: 0 });
    expect(sentRows(staged)).toEqual([]);
  });

  test.skipIf(process.platform === 'win32')(
    'with such a name behind a link, or a link with such a name',
    async () => {
      await using staged = await stage();
      staged.write('unsubscribed_a.csv', text);
      staged.write('members.csv', text);
      symlinkSync('unsubscribed_a.csv', staged.path('people.csv'));
      symlinkSync('members.csv', staged.path('unsubscribed_b.csv'));
      for (const name of ['people.csv', 'unsubscribed_b.csv'])
        expect(await staged.run('import', name, ...everyone)).toMatchObject({ code: 0 });
      expect(sentRows(staged)).toEqual([]);
    },
  );

  test.each([['contacts_cleaned.csv'], ['resubscribed.csv'], ['without_suppressions.csv']])(
    'but not of %s',
    async name => {
      await using staged = await stage();
      staged.write(name, text);
      await staged.run('import', name, ...everyone);
      expect(addresses(staged)).toEqual(['ada@x.test']);
    },
  );
});

import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { endedWith, everyone, identify, sentRows, stage } from './run-cli.ts';

type Staged = Awaited<ReturnType<typeof stage>>;

/** Returns the addresses that were sent. */
const sentBy = (staged: Staged) => sentRows(staged).map(({ email }) => email);

describe('import skips people who opted out', () => {
  /** The header of a file, the rows of people who opted out, and the other rows. */
  const files: readonly (readonly [string, string, string[], string[]])[] = [
    ...['unsubscribed', 'bounced', 'spam', 'blocked', 'dropped'].map(
      (flag): [string, string, string[], string[]] => [
        `our own export: ${flag}`,
        `email,firstName,${flag}`,
        [`a@example.com,A,true`],
        [`b@example.com,B,false`, `c@example.com,C,`],
      ],
    ),
    [
      'cells that say no',
      'E-Mail-Adresse;UNSUB_TIME',
      ['a@example.com;03.04.2024', 'd@example.com;1'],
      ['b@example.com;Nein', 'c@example.com;n/a', 'e@example.com;-', 'f@example.com;0000-00-00 00:00:00'],
    ],
    [
      'Brevo, as the page shows it',
      'EMAIL,Blacklisted',
      ['a@example.com,Yes', 'd@example.com,Oui', 'e@example.com,x'],
      ['b@example.com,No', 'c@example.com,non'],
    ],
    [
      'HubSpot',
      'Record ID,First Name,Email,Unsubscribed from all email,Email hard bounce reason,Marketing emails bounced',
      ['1,A,a@example.com,Yes,,0', '2,D,d@example.com,false,UNKNOWN_USER,1', '3,E,e@example.com,TRUE,,'],
      ['4,B,b@example.com,No,,2', '5,C,c@example.com,false,,', '6,F,f@example.com,,,'],
    ],
    [
      'HubSpot: one kind of email',
      'Email,Opted out of email: Newsletter,hs_email_optout_42,hs_email_hard_bounce_reason_enum',
      ['a@example.com,true,,', 'd@example.com,,true,', 'e@example.com,,,MAILBOX_FULL'],
      ['b@example.com,false,false,', 'c@example.com,,,'],
    ],
    [
      'two columns of opt-ins',
      'email,Subscribed,Accepts Email Marketing',
      ['a@example.com,no,yes', 'd@example.com,yes,No', 'e@example.com,0,yes'],
      ['b@example.com,yes,yes', 'c@example.com,1,true'],
    ],
    [
      'a status',
      'email,Status,Subscription Status',
      ['a@example.com,Unsubscribed,', 'd@example.com,,Hard bounced', 'e@example.com,blocked,'],
      ['b@example.com,subscribed,', 'c@example.com,Active,Confirmed'],
    ],
    [
      'a custom field',
      'email,customFields.unsubscribed_at',
      ['a@example.com,2024-01-02T03:04:05Z'],
      ['b@example.com,'],
    ],
    [
      'columns about something else',
      'email,Unsubscribe link,Bounce rate,Spam score,Blocked hours,State,SMS_BLACKLISTED',
      [],
      ['b@example.com,https://example.com/u/1,0.5,3,4,Alabama,true'],
    ],
  ];

  test.each(files)('%s', async (_, header, optedOut, others) => {
    await using staged = await stage();
    const ended = await staged.importText(`${[header, ...optedOut, ...others].join('\n')}\n`, '--json');
    expect(ended.code).toBe(0);
    expect(sentBy(staged)).toEqual(others.map(row => /\w@example\.com/.exec(row)?.[0]));
    const report = JSON.parse(ended.stdout);
    expect(report).toMatchObject({ rows: optedOut.length + others.length, optedOut: optedOut.length });
    expect(report).toMatchObject({ sent: others.length, rejected: 0, pending: 0 });
    const written = existsSync(staged.path('people.csv.opted-out.csv'));
    expect(written).toBe(optedOut.length > 0);
    if (!written) return;
    const [head = '', ...rows] = staged.read('people.csv.opted-out.csv').trimEnd().split('\n');
    expect(head).toMatch(/^\ufeffImport error[,;]/);
    expect(rows).toHaveLength(optedOut.length);
    for (const row of rows) expect(row).toMatch(/^"?opted out, as column ""?.+""? says"?[,;]/);
  });

  test.each([
    'unsubscribed_email_audience_export_0a1b2c.csv',
    'cleaned_members_export_0a1b2c.csv',
    'nonsubscribed_email_audience_export_0a1b2c.csv',
    'unsubscribed_members_export_0a1b2c (1).csv',
  ])('in a file of Mailchimp with the name %s, whose cells do not say so', async name => {
    await using staged = await stage();
    staged.write(name, 'Email Address,TAGS\na@example.com,\nb@example.com,\n');
    const ended = await staged.run('import', name, ...everyone);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(/ 2 {2}opted out, as the name of the file says\n/);
    // The file of skipped rows has another name, and no column that says why.
    staged.write('renamed.csv', staged.read(`${name}.opted-out.csv`));
    expect(await staged.run('import', 'renamed.csv', ...everyone)).toMatchObject({ code: 0 });
    expect(sentBy(staged)).toEqual([]);
  });

  test('but not in a file of subscribers of Mailchimp', async () => {
    await using staged = await stage();
    const name = 'subscribed_email_audience_export_0a1b2c.csv';
    staged.write(name, 'Email Address,TAGS\na@example.com,\n');
    expect(await staged.run('import', name, ...everyone)).toMatchObject({ code: 0 });
    expect(sentBy(staged)).toEqual(['a@example.com']);
  });

  test('with a warning and a count by reason, unless --include-opted-out sends them', async () => {
    await using staged = await stage();
    const rows = 'a@example.com,true,false\nb@example.com,,\nc@example.com,true,\nd@example.com,,true\n';
    staged.write('people.csv', `email,unsubscribed,spam\n${rows}`);
    const dry = await staged.run('import', 'people.csv', '--dry-run');
    expect(dry).toMatchObject(endedWith(0, '1 can be imported, 0 cannot'));
    expect(dry.stderr).toContain('unsubscribed, spam: ignored, but used to find people who opted out');
    expect(dry.stderr).toMatch(
      /Warning: people who opted out will be skipped \(3 rows\).*--include-opted-out/,
    );
    expect(dry.stderr).not.toContain('{"email":"a@example.com"}');
    const ended = await staged.run('import', 'people.csv', ...everyone);
    expect(ended.stderr).toMatch(
      /3 skipped because the person opted out; see people\.csv\.opted-out\.csv\n +2 {2}opted out, as column "unsubscribed" says\n +1 {2}opted out, as column "spam" says\n/,
    );
    expect(sentBy(staged)).toEqual(['b@example.com']);
    const copied = await staged.run('import', 'people.csv.opted-out.csv', ...everyone);
    expect(copied.code).toBe(0);
    expect(sentBy(staged)).toEqual(['b@example.com']);
    const included = await staged.run('import', 'people.csv', ...everyone, '--include-opted-out', '--json');
    expect(included.stderr).toMatch(
      /Warning: people who opted out will be sent, and can be mailed again \(3 rows\)/,
    );
    expect(JSON.parse(included.stdout)).toMatchObject({ sent: 4, optedOut: 0 });
    expect(sentBy(staged).sort()).toEqual(['a', 'b', 'c', 'd'].map(name => `${name}@example.com`));
  });

  test('when it resumes without --include-opted-out an import that began with it', async () => {
    await using staged = await stage();
    staged.write('people.csv', 'email,unsubscribed\na@example.com,true\nb@example.com,false\n');
    staged.sandbox.fail(identify, { status: 401, times: 1 });
    const include = [...everyone, '--include-opted-out', '--concurrency', '1'];
    expect(await staged.run('import', 'people.csv', ...include)).toMatchObject({ code: 2 });
    expect(await staged.run('import', 'people.csv', ...everyone)).toMatchObject({ code: 0 });
    expect(staged.sandbox.state.contacts.all).toMatchObject([{ email: 'b@example.com' }]);
  });
});

test('does not import what export writes of someone who unsubscribed', async () => {
  await using full = await stage();
  await using empty = await stage();
  full.sandbox.state.contacts.add({ email: 'gone@example.com', unsubscribed: true });
  full.sandbox.state.contacts.add({ email: 'here@example.com' });
  const file = empty.path('contacts.csv');
  expect(await full.run('export', '--out', file)).toMatchObject({ code: 0 });
  expect(await empty.run('import', file, ...everyone)).toMatchObject({ code: 0 });
  expect(empty.sandbox.state.contacts.all).toMatchObject([{ email: 'here@example.com' }]);
});

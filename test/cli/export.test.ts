import { lstatSync, readdirSync, symlinkSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { useNoRetryDelay } from '../client/support.ts';
import { emptyContact } from '../support/specified-records.ts';
import { endedWith, importText, stage } from './run-cli.ts';

/** Returns the first column of a file, without its header. */
const emailsIn = (csv: string): string[] =>
  csv
    .trimEnd()
    .split('\n')
    .slice(1)
    .map(line => line.replace(/,.*/, ''));

const few = { ambiguities: { contactPageCap: 10, overCap: 'cap' } } as const;

describe('export waits out failures of the service', () => {
  useNoRetryDelay();
  const seed = { contacts: 35 };

  test('and says that it waits', async () => {
    await using staged = await stage({ seed, ...few });
    staged.sandbox.fail('contacts.list', { status: 503, retryAfter: 3, times: 1 });
    const { code, stderr } = await staged.run('export');
    expect(code).toBe(0);
    expect(stderr).toContain('export: Waiting 3 s before a retry (503).\n');
  });

  test('up to ten times a page', async () => {
    await using staged = await stage({ seed, ...few });
    const failing = [18, 27].map(offset =>
      staged.sandbox.fail('contacts.list', {
        status: 503,
        times: 10,
        when: ({ query }) => Number(query.offset) === offset,
      }),
    );
    const { code, stdout } = await staged.run('export');
    expect([code, ...failing.map(({ hits }) => hits)]).toEqual([0, 10, 10]);
    expect(emailsIn(stdout)).toHaveLength(35);
  });
});

describe('export', () => {
  test('writes every contact to standard output as CSV, without progress', async () => {
    await using staged = await stage({ seed: { contacts: 35 }, ...few });
    const { code, stdout, stderr } = await staged.run('export');
    expect(code).toBe(0);
    const rows: Record<string, string>[] = parse(stdout, { columns: true });
    expect(rows.map(({ email, company }) => ({ email, company }))).toEqual(
      staged.sandbox.state.contacts.all.map(({ email, company }) => ({ email, company })),
    );
    expect(stderr).toMatch(/^.* Reading contacts from .*\.\n.* Exported 35 contacts\.\n$/);
  });

  test('prints log lines on standard error, so that they are not among the contacts', async () => {
    await using staged = await stage({ seed: { contacts: 1 } });
    const { stdout, stderr } = await staged.runWith({ EMAIL_MARKETING_LOG: 'debug' }, 'export');
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(stderr).toMatch(/^email-marketing-client export: GET \/contact: GET, attempt 1$/m);
  });

  test('writes contacts as JSON lines to a file whose name ends in .jsonl', async () => {
    await using staged = await stage({ seed: { contacts: 3 } });
    const ended = await staged.run('export', '--out', 'out.jsonl', '--json');
    expect(JSON.parse(ended.stdout)).toEqual({ contacts: 3, file: 'out.jsonl' });
    const lines = staged.read('out.jsonl').trim().split('\n');
    expect(lines.map(line => JSON.parse(line).email)).toEqual(
      [1, 2, 3].map(number => `person${number}@example.com`),
    );
  });

  test('leaves only the file behind, and nothing after an error', async () => {
    await using staged = await stage({ seed: { contacts: 250 } });
    const args = ['export', '--out', 'out.csv'];
    const late = ({ query }: { query: Readonly<Record<string, unknown>> }) => Number(query.offset) >= 150;
    const refusal = staged.sandbox.fail('contacts.list', { status: 401, when: late });
    expect(await staged.run(...args)).toMatchObject({ code: 2 });
    expect(readdirSync(staged.path('.'))).toEqual([]);
    refusal.cancel();
    expect(await staged.run(...args)).toMatchObject(endedWith(0, /export: Exported 250 contacts to out/));
    expect(readdirSync(staged.path('.'))).toEqual(['out.csv']);
    expect(new Set(emailsIn(staged.read('out.csv'))).size).toBe(250);
  });

  test('does not replace an existing file without --overwrite', async () => {
    await using staged = await stage({ seed: { contacts: 3 } });
    staged.write('out.csv', 'mine');
    expect(await staged.run('export', '--out', 'out.csv')).toMatchObject(endedWith(2, '--overwrite'));
    expect(staged.read('out.csv')).toBe('mine');
    expect(await staged.run('export', '--out', 'out.csv', '--overwrite')).toMatchObject({ code: 0 });
    expect(staged.read('out.csv')).toMatch(/^email,/);
  });

  test.each([
    [['--out', 'none/out.csv'], 'export: none does not exist. Check the name and the folder.\n'],
    [['--out', '.'], '. is not a regular file. Use another name.\n'],
    [
      ['--out', 'a.JSONL', '--delimiter', ';'],
      '--out a.JSONL: --excel, --delimiter and --all-columns are for CSV.\n',
    ],
    [['--out', 'a.XLSX'], '--out a.XLSX: export writes CSV (.csv, for Excel with --excel) or JSON lines'],
    [['--out', 'out.csv', '--delimiter', ';;'], '--delimiter takes one character'],
    [['--json'], '--json needs --out'],
  ])('refuses %j in one line, and writes no file', async (args, message) => {
    await using staged = await stage();
    const ended = await staged.run('export', ...args);
    expect(ended.code).toBe(2);
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
    expect(ended.stderr).toContain(message);
    expect(ended.stdout.includes('"error"')).toBe(args.includes('--json'));
    expect(readdirSync(staged.path('.'))).toEqual([]);
  });

  // On Windows, only administrators can create symbolic links.
  test.skipIf(process.platform === 'win32')('replaces only a regular file', async () => {
    await using staged = await stage({ seed: { contacts: 3 } });
    staged.write('mine', 'mine');
    symlinkSync(staged.path('mine'), staged.path('link.csv'));
    symlinkSync(staged.path('none'), staged.path('dangling.csv'));
    for (const out of ['link.csv', 'dangling.csv', '/dev/null']) {
      const message = `${out} is not a regular file. Use another name.`;
      expect(await staged.run('export', '--out', out, '--overwrite')).toMatchObject(endedWith(2, message));
    }
    expect(lstatSync(staged.path('link.csv')).isSymbolicLink()).toBe(true);
    expect(staged.read('mine')).toBe('mine');
    expect(staged.sandbox.requests.count()).toBe(0);
  });
});

describe('export for spreadsheets', () => {
  test('writes a quote before cells that a spreadsheet would run, which import removes', async () => {
    await using staged = await stage();
    const { state } = staged.sandbox;
    const ada = { email: 'ada@example.com', firstName: '=1+1', lastName: ' "B\r\n\u00a0', company: 'a;@x' };
    state.contacts.add(ada);
    const { stdout } = await staged.run('export');
    expect(parse(stdout, { columns: true })).toMatchObject([{ firstName: "'=1+1", company: "a;'@x" }]);
    expect((await importText(stdout)).bodies).toEqual([ada]);
  });

  test.each([
    ['absent', undefined],
    ['null', null],
    ['0', 0],
    ['a text', 'false'],
  ])('writes no in mailable if a flag in the response is %s', async (_, flag) => {
    for (const name of ['unsubscribed', 'bounced', 'spam', 'blocked', 'dropped']) {
      await using staged = await stage();
      const contact = { ...emptyContact, id: 'contact_6FTlZRplI6n5xQpEdKGSZT', email: 'a@x.test' };
      const body = [contact, { ...contact, id: 'contact_mak14SWw4oC8b2PEA0fNch', [name]: flag }];
      staged.sandbox.fail('contacts.list', { status: 200, body, times: 1 });
      const rows = parse((await staged.run('export')).stdout, { columns: true });
      expect(rows).toMatchObject([{ mailable: 'yes' }, { mailable: 'no' }]);
    }
  });

  test('writes a byte order mark with --excel', async () => {
    await using staged = await stage();
    expect((await staged.run('export', '--excel')).stdout).toMatch(/^\ufeffemail,firstName,.*\n$/);
    expect((await staged.run('export')).stdout).toMatch(/^email,firstName,.*\n$/);
  });

  test('writes the character of --delimiter between cells, and quotes what a reader would split', async () => {
    await using staged = await stage();
    staged.sandbox.state.contacts.add({ email: 'ada@example.com', firstName: 'Ada; "L"', lastName: 'B\rC' });
    const { stdout } = await staged.run('export', '--delimiter', ';');
    expect(stdout).toMatch(/^email;firstName;lastName;.*\nada@example\.com;"Ada; ""L""";"B\rC";/);
  });

  test('has a column for every documented field with --all-columns', async () => {
    await using staged = await stage({ seed: { contacts: 1 } });
    const headerOf = async (...args: string[]) => {
      const { stdout } = await staged.run('export', ...args);
      return stdout.split('\n')[0]?.split(',') ?? [];
    };
    const header = await headerOf('--all-columns');
    const tracking = ['trackData', 'pageSource', 'lastTrackedIp'];
    expect(await headerOf()).toEqual(header.filter(name => !tracking.includes(name)));
    const { tags: _, customFields: _ids, ...fields } = emptyContact;
    expect(header.sort()).toEqual([...Object.keys(fields), 'tagIds', 'customFieldIds', 'mailable'].sort());
  });

  test('has the column mailable and the ids of tags and custom fields, and can be imported unchanged', async () => {
    await using staged = await stage();
    const { state } = staged.sandbox;
    const tags = ['vip', 'new'].map(name => state.tags.add({ name }).id);
    const customFields = { [state.customFields.add({ name: 'plan' }).id]: 'gold' };
    state.contacts.add({ email: 'yes@example.com', tags, customFields });
    for (const flag of ['unsubscribed', 'bounced', 'spam', 'blocked', 'dropped'])
      state.contacts.add({ email: `${flag}@example.com`, [flag]: true });
    const { stdout } = await staged.run('export');
    const rows: Record<string, string>[] = parse(stdout, { columns: true });
    expect(rows.filter(({ mailable }) => mailable === 'yes')).toMatchObject([
      { email: 'yes@example.com', tagIds: tags.join(';'), customFieldIds: JSON.stringify(customFields) },
    ]);
    const { code, bodies } = await importText(stdout);
    // The ids of tags and custom fields create none.
    expect({ code, bodies }).toEqual({ code: 0, bodies: [{ email: 'yes@example.com' }] });
  });
});

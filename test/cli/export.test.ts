import { scryptSync } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, symlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { emptyContact } from '../support/specified-records.ts';
import { surroundings } from '../support/surroundings.ts';
import { endedWith, importAll, importRows, mailable, stage } from './run-cli.ts';

/** The first line for people of an export, before the first response. */
const first = ({ env }: { readonly env: { readonly EMAIL_MARKETING_BASE_URL: string } }) =>
  `email-marketing-client export: Reading contacts from ${new URL(env.EMAIL_MARKETING_BASE_URL).host}.\n`;

/** Writes a file for `--names`, and returns the option. */
function namesIn({ write }: Pick<Awaited<ReturnType<typeof stage>>, 'write'>, names: object): string[] {
  write('given.json', JSON.stringify(names));
  return ['--names', 'given.json'];
}

/** Returns the first column of a file, without its header. */
const emailsIn = (csv: string): string[] =>
  csv
    .trimEnd()
    .split('\n')
    .slice(1)
    .map(line => line.replace(/,.*/, ''));

const few = { ambiguities: { contactPageCap: 10, overCap: 'cap' } } as const;

describe('export', () => {
  test('writes every contact to standard output as CSV, without progress', async () => {
    await using staged = await stage({ seed: { contacts: 35 }, ...few });
    const { code, stdout, stderr } = await staged.run('export');
    expect(code).toBe(0);
    const rows: Record<string, string>[] = parse(stdout, { columns: true });
    expect(rows.map(({ email, company }) => ({ email, company }))).toEqual(
      staged.sandbox.state.contacts.all.map(({ email, company }) => ({ email, company })),
    );
    expect(stderr).toBe(`${first(staged)}email-marketing-client export: Exported 35 contacts.\n`);
  });

  test('prints a line with the first request, also without a terminal', async () => {
    await using staged = await stage();
    const held = staged.sandbox.hold('contacts.list');
    const own = surroundings({ env: staged.env });
    const ended = main(['export'], own);
    await held.arrived;
    expect(own.stderr.text).toBe(first(staged));
    held.release();
    expect(await ended).toBe(0);
  });

  test('warns if the service ignores the search, whose parameter the environment can name', async () => {
    await using staged = await stage({
      seed: { contacts: 12 },
      ambiguities: { contactSearchParameter: 'q' },
    });
    const args = ['export', '--search', 'person12'];
    const warning =
      'the service ignored --search and sent other contacts; set EMAIL_MARKETING_CONTACT_SEARCH_';
    expect(await staged.run(...args)).toMatchObject(endedWith(0, warning));
    const terminal = surroundings({ env: staged.env, isTTY: true });
    expect(await main(args, terminal)).toBe(0);
    expect(terminal.stderr.text).toContain('\r\u001b[Kemail-marketing-client export: Warning: ');
    expect(terminal.stderr.text).toContain('\rExported 12, 12000/s\u001b[K\n');
    const named = { EMAIL_MARKETING_CONTACT_SEARCH_PARAMETER: 'q' };
    const { stdout, stderr } = await staged.runWith(named, ...args);
    expect([emailsIn(stdout), stderr]).toEqual([
      ['person12@example.com'],
      `${first(staged)}email-marketing-client export: Exported 1 contact.\n`,
    ]);
  });

  test('prints log lines on standard error, so that they are not among the contacts', async () => {
    await using staged = await stage({ seed: { contacts: 1 } });
    const { stdout, stderr } = await staged.runWith({ EMAIL_MARKETING_LOG: 'debug' }, 'export');
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(stderr).toMatch(/^email-marketing-client export: contacts\.list: GET, attempt 1 of 3$/m);
  });

  test('writes the contacts of a search as JSON lines to a file whose name ends in .jsonl', async () => {
    await using staged = await stage({ seed: { contacts: 35 } });
    const ended = await staged.run('export', '--out', 'out.jsonl', '--search', 'person3', '--json');
    expect(JSON.parse(ended.stdout)).toEqual({
      contacts: 7,
      file: 'out.jsonl',
      unnamedTags: [],
      unnamedCustomFields: [],
    });
    const lines = staged.read('out.jsonl').trim().split('\n');
    expect(lines.map(line => JSON.parse(line).email)).toEqual(
      [3, 30, 31, 32, 33, 34, 35].map(number => `person${number}@example.com`),
    );
  });

  test('writes the names of tags and custom fields that it knows, and lists the ids of the others', async () => {
    await using staged = await stage();
    const { state } = staged.sandbox;
    const [vip, other] = [state.tags.add({ name: 'vip' }), state.tags.add({ name: 'other' })];
    const plan = state.customFields.add({ name: 'plan', type: 'string' });
    const secret = state.customFields.add({ name: 'secret', type: 'string' });
    state.contacts.add({
      email: 'ada@example.com',
      tags: [vip.id, other.id],
      customFields: { [plan.id]: 'gold', [secret.id]: 'x' },
    });
    const names = namesIn(staged, { tags: { [vip.id]: 'vip' }, customFields: { [plan.id]: 'plan' } });
    const { stdout, stderr } = await staged.run('export', ...names);
    expect(parse(stdout, { columns: true })).toMatchObject([
      {
        tags: 'vip',
        unnamedTags: other.id,
        'customFields.plan': 'gold',
        unnamedCustomFields: JSON.stringify({ [secret.id]: 'x' }),
      },
    ]);
    expect(stderr).toContain(`{"tags":{"${other.id}":"NAME"},"customFields":{"${secret.id}":"NAME"}}`);
    expect(await staged.run('export', '--out', 'out.jsonl', ...names)).toMatchObject({ code: 0 });
    expect(JSON.parse(staged.read('out.jsonl'))).toMatchObject({
      tags: ['vip'],
      customFields: { plan: 'gold' },
    });
  });

  test('reads names from a file, with a byte order mark too', async () => {
    await using staged = await stage();
    const { id } = staged.sandbox.state.tags.add({ name: 'vip' });
    staged.sandbox.state.contacts.add({ email: 'ada@example.com', tags: [id] });
    staged.write('names.json', `\ufeff{"tags":{"${id}":"vip"},"customFields":null}`);
    const { stdout } = await staged.run('export', '--names', 'names.json');
    expect(parse(stdout, { columns: true })).toMatchObject([{ tags: 'vip' }]);
  });

  test('leaves only the file behind, and after an error before the first page no checkpoint', async () => {
    await using staged = await stage({ seed: { contacts: 250 } });
    const args = ['export', '--out', 'out.csv'];
    expect(await staged.runWith({ EMAIL_MARKETING_API_KEY: 'wrong' }, ...args)).toMatchObject({ code: 2 });
    expect(readdirSync(staged.path('.'))).toEqual(['out.csv.part']);
    expect(await staged.run(...args)).toMatchObject(endedWith(0, /export: Exported 250 contacts to out/));
    expect(readdirSync(staged.path('.'))).toEqual(['out.csv']);
    expect(staged.read('out.csv').split('\n')).toHaveLength(252);
  });

  test('resumes after the pages of an earlier run, and says after how many contacts', async () => {
    await using staged = await stage({ seed: { contacts: 250 } });
    const args = ['export', '--out', 'out.csv'];
    const late = ({ query }: { query: Readonly<Record<string, unknown>> }) => Number(query.offset) >= 150;
    const refusal = staged.sandbox.fail('contacts.list', { status: 401, when: late });
    const stopped = await staged.run(...args);
    expect(stopped).toMatchObject(endedWith(2, 'export: Run the same command again to resume.'));
    expect(readdirSync(staged.path('.')).sort()).toEqual(['out.csv.checkpoint', 'out.csv.part']);
    refusal.cancel();
    // A run that ends before its first page leaves what there was.
    staged.sandbox.fail('contacts.list', { status: 401, times: 1 });
    expect(await staged.run(...args)).toMatchObject(
      endedWith(2, 'export: Run the same command again to resume.'),
    );
    const resumed = await staged.run(...args);
    expect(resumed).toMatchObject(endedWith(0, /export: Resuming after \d+ contacts\.$/m));
    expect(readdirSync(staged.path('.'))).toEqual(['out.csv']);
    expect(new Set(emailsIn(staged.read('out.csv'))).size).toBe(250);
  });

  test('has no checkpoint when the file gets its name, so that a run that is killed there stops no other', async () => {
    let seconds = 0;
    // Each page takes a second.
    await using staged = await stage({ seed: { contacts: 250 } }, () => ++seconds * 1000);
    const fs = process.getBuiltinModule('node:fs/promises');
    const { rename } = fs;
    const renamed: (readonly [to: string, hasCheckpoint: boolean])[] = [];
    vi.spyOn(fs, 'rename').mockImplementation((from, to) => {
      renamed.push([String(to), existsSync(staged.path('out.csv.checkpoint'))]);
      return rename(from, to);
    });
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await staged.run('export', '--out', 'out.csv')).toMatchObject({ code: 0 });
    expect(renamed.map(([to]) => to)).toContain('out.csv.checkpoint');
    expect(renamed.at(-1)).toEqual(['out.csv', false]);
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
    [['--names', 'twice.json'], 'twice.json: two custom fields are named x'],
    [['--names', 'none.json'], 'none.json does not exist'],
    [['--names', 'names.csv'], 'names.csv is not JSON'],
    [['--out', 'none/out.csv'], '--out none/out.csv: the folder none does not exist'],
    [['--out', '.'], '--out . is a folder'],
    [['--out', ''], '--out is empty: add a file name'],
    [['--out', 'a.JSONL', '--delimiter', ';'], '--out a.JSONL: --excel and --delimiter are for CSV'],
    [['--out', 'a.ndjson', '--excel'], '--out a.ndjson: --excel and --delimiter are for CSV'],
    [['--out', 'a.XLSX'], '--out a.XLSX: export writes CSV (.csv, for Excel with --excel) or JSON lines'],
    [['--out', 'a.json'], '--out a.json: export writes CSV (.csv, for Excel with --excel) or JSON lines'],
    [['--out', 'out.csv', '--delimiter', ';;'], '--delimiter takes one character'],
    [
      ['--names', 'names.json'],
      'names.json must be {"tags": {"ID": "NAME"}, "customFields": {"ID": "NAME"}}',
    ],
    [['--names', 'list.json'], 'list.json must be {"tags": {"ID": "NAME"}, "customFields": {"ID": "NAME"}}'],
    [['--names', 'tag.json'], 'tag.json must be {"tags": {"ID": "NAME"}, "customFields": {"ID": "NAME"}}'],
    [['--json'], '--json needs --out'],
  ])('refuses %j in one line, and writes no file', async (args, message) => {
    await using staged = await stage();
    const files = {
      'list.json': '[]',
      'names.csv': 'id,name',
      'names.json': '{"tags":[1]}',
      'tag.json': '{"tag":{"a":"vip"}}',
      'twice.json': '{"customFields":{"a":"x","b":"x"}}',
    };
    for (const [name, text] of Object.entries(files)) staged.write(name, text);
    const ended = await staged.run('export', ...args);
    expect(ended.code).toBe(2);
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
    expect(ended.stderr).toContain(message);
    expect(ended.stdout.includes('"error"')).toBe(args.includes('--json'));
    expect(readdirSync(staged.path('.')).sort()).toEqual(Object.keys(files));
  });

  test.skipIf(process.platform === 'win32')('replaces only a regular file', async () => {
    await using staged = await stage({ seed: { contacts: 3 } });
    staged.write('mine', 'mine');
    symlinkSync(staged.path('mine'), staged.path('link.csv'));
    symlinkSync(staged.path('none'), staged.path('dangling.csv'));
    for (const out of ['link.csv', 'dangling.csv', '/dev/null']) {
      const message = `--out ${out} is not a regular file: use another name, or - for standard output`;
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
    const tag = state.tags.add({ name: '=1+1' });
    const plan = state.customFields.add({ name: '=plan', type: 'string' });
    state.contacts.add({
      email: 'ada@example.com',
      firstName: '=1+1',
      tags: [tag.id],
      customFields: { [plan.id]: '@x' },
    });
    const names = namesIn(staged, { tags: { [tag.id]: '=1+1' }, customFields: { [plan.id]: '=plan' } });
    const { stdout } = await staged.run('export', ...names);
    expect(parse(stdout, { columns: true })).toMatchObject([
      { firstName: "'=1+1", tags: "'=1+1", 'customFields.=plan': "'@x" },
    ]);
    expect((await importAll(stdout)).bodies).toEqual([
      { email: 'ada@example.com', firstName: '=1+1', tags: ['=1+1'], customFields: { '=plan': '@x' } },
    ]);
  });

  test('writes a byte order mark with --excel', async () => {
    await using staged = await stage();
    expect((await staged.run('export', '--excel')).stdout).toMatch(/^\ufeffemail,firstName,.*\n$/);
    expect((await staged.run('export')).stdout).toMatch(/^email,firstName,.*\n$/);
  });

  test('writes the character of --delimiter between cells, and quotes what a reader would take apart', async () => {
    await using staged = await stage();
    staged.sandbox.state.contacts.add({ email: 'ada@example.com', firstName: 'Ada; "L"', lastName: 'B\rC' });
    const { stdout } = await staged.run('export', '--delimiter', ';');
    expect(stdout).toMatch(/^email;firstName;lastName;.*\nada@example\.com;"Ada; ""L""";"B\rC";/);
  });

  test('has a column for every documented field', async () => {
    await using staged = await stage({ seed: { contacts: 1 } });
    const { stdout } = await staged.run('export');
    const header = stdout.split('\n')[0]?.split(',') ?? [];
    const { customFields: _, ...fields } = emptyContact;
    expect(header.sort()).toEqual(
      [...Object.keys(fields), 'unnamedTags', 'unnamedCustomFields', 'mailable'].sort(),
    );
  });

  test('has a column that says who may be mailed, with which its import needs one answer', async () => {
    await using staged = await stage();
    const { state } = staged.sandbox;
    const [tag, field] = [state.tags.add({ name: 'vip' }), state.customFields.add({ name: 'plan' })];
    state.contacts.add({ email: 'yes@example.com', tags: [tag.id], customFields: { [field.id]: 'gold' } });
    for (const flag of ['unsubscribed', 'bounced', 'spam', 'blocked', 'dropped'])
      state.contacts.add({ email: `${flag}@example.com`, [flag]: true });
    const { stdout } = await staged.run('export');
    const rows: Record<string, string>[] = parse(stdout, { columns: true });
    expect(rows.filter(({ mailable }) => mailable === 'yes')).toMatchObject([{ email: 'yes@example.com' }]);
    const { code, bodies } = await importRows(stdout, ...mailable('mailable=yes'));
    // Tags and custom fields without a name create none.
    expect({ code, bodies }).toEqual({ code: 0, bodies: [{ email: 'yes@example.com' }] });
  });
});

test('a checkpoint as version 1.0 writes it is resumed', async () => {
  const contacts = ['p0', 'p1', 'p2'].map(name => ({ email: `${name}@example.com` }));
  await using staged = await stage({ seed: { contacts } });
  const { host } = new URL(staged.env.EMAIL_MARKETING_BASE_URL);
  const settings = scryptSync('["sandbox-key",null,[],[],""]', host, 16).toString('hex');
  const checkpoint = '1.gi28t6bjip9.2.91f29gi5s4d9t355tgxbwp';
  staged.write(
    'people.jsonl.checkpoint',
    `{"done":2,"checkpoint":"${checkpoint}","bytes":16,"settings":"${settings}"}`,
  );
  // The part may hold more than the checkpoint knows of.
  staged.write('people.jsonl.part', '{"p":0}\n{"p":1}\n{"p":2');
  const ended = await staged.run('export', '--out', 'people.jsonl');
  expect(ended).toMatchObject(endedWith(0, 'Exported 3 contacts to people.jsonl'));
  expect(staged.read('people.jsonl')).toMatch(/^\{"p":0\}\n\{"p":1\}\n\{"id":.*"p2@example\.com".*\}\n$/);
});

test('a page that did not fit on the disk is written by the next run, and no half of it stays', async () => {
  await using staged = await stage({ seed: { contacts: 250 } });
  await using handle = await open(staged.path('any'), 'w');
  const prototype = Object.getPrototypeOf(handle);
  const { appendFile } = prototype;
  vi.spyOn(prototype, 'appendFile').mockImplementation(async function (this: unknown, text: unknown) {
    const isLate = String(text).includes('person150@');
    await appendFile.call(this, isLate ? String(text).slice(0, 1000) : text);
    if (isLate) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const args = ['export', '--out', 'out.csv'];
  expect(await staged.run(...args)).toMatchObject(endedWith(2, 'the disk is full'));
  vi.restoreAllMocks();
  expect(await staged.run(...args)).toMatchObject(endedWith(0, /Resuming after \d+ contacts\.$/m));
  const all = staged.sandbox.state.contacts.all.map(({ email }) => email);
  expect(emailsIn(staged.read('out.csv'))).toEqual(all);
});

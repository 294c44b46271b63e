import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { stage } from './run-cli.ts';

const few = { contactPageCap: 10, overCap: 'cap' } as const;

describe('export', () => {
  test('writes every contact to standard output as CSV, without progress', async () => {
    await using staged = await stage({ seed: { contacts: 35 }, ...few });
    const { code, stdout, stderr } = await staged.run('export');
    expect(code).toBe(0);
    const rows: Record<string, string>[] = parse(stdout, { columns: true });
    expect(rows.map(({ email, company }) => ({ email, company }))).toEqual(
      staged.sandbox.state.contacts.all.map(({ email, company }) => ({ email, company })),
    );
    expect(stderr).toBe('Exported 35 contacts.\n');
  });

  test('writes the contacts of a search to JSON lines, by the name of the file', async () => {
    await using staged = await stage({ seed: { contacts: 35 } });
    const ended = await staged.run('export', '--out', 'out.jsonl', '--search', 'person3', '--json');
    expect(JSON.parse(ended.stdout)).toEqual({
      ...{ contacts: 7, file: 'out.jsonl', unnamedTags: [], unnamedCustomFields: [] },
    });
    const lines = staged.read('out.jsonl').trim().split('\n');
    expect(lines.map(line => JSON.parse(line).email)).toEqual(
      [3, 30, 31, 32, 33, 34, 35].map(number => `person${number}@example.com`),
    );
  });

  test('writes tags and custom fields by name where they are known, apart from the others, and lists the ids', async () => {
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
    const names = ['--tag', `${vip.id}=vip`, '--field', `${plan.id}=plan`];
    const { stdout, stderr } = await staged.run('export', ...names);
    expect(parse(stdout, { columns: true })).toMatchObject([
      {
        ...{ tags: 'vip', unnamedTags: other.id, 'customFields.plan': 'gold' },
        unnamedCustomFields: JSON.stringify({ [secret.id]: 'x' }),
      },
    ]);
    expect(stderr).toContain(`--tag ${other.id}=NAME`);
    expect(stderr).toContain(`--field ${secret.id}=NAME`);
    const lines = await staged.run('export', '--format', 'jsonl', ...names);
    expect(JSON.parse(lines.stdout)).toMatchObject({ tags: ['vip'], customFields: { plan: 'gold' } });
  });

  test('leads to an import that creates no tag and no custom field without a name', async () => {
    await using staged = await stage();
    const { state } = staged.sandbox;
    const { id } = state.tags.add({ name: 'vip' });
    const field = state.customFields.add({ name: 'plan', type: 'string' });
    state.contacts.add({ email: 'ada@example.com', tags: [id], customFields: { [field.id]: 'gold' } });
    expect(await staged.run('export', '--out', 'out.csv')).toMatchObject({ code: 0 });
    const imported = await staged.run('import', 'out.csv', '--yes');
    expect(imported.stderr).toContain(
      'unnamedTags: ignored, since these tags have no name; export with --tag ID=NAME',
    );
    expect(state.tags.all).toHaveLength(1);
    expect(state.customFields.all).toHaveLength(1);
  });

  test('leaves a file that exists as it is, unless --overwrite', async () => {
    await using staged = await stage({ seed: { contacts: 3 } });
    staged.write('out.csv', 'mine');
    expect(await staged.run('export', '--out', 'out.csv')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--overwrite'),
    });
    expect(staged.read('out.csv')).toBe('mine');
    expect(await staged.run('export', '--out', 'out.csv', '--overwrite')).toMatchObject({ code: 0 });
    expect(staged.read('out.csv')).toMatch(/^email,/);
  });

  test.each([
    [['--tag', 'vip'], '--tag takes ID=NAME'],
    [['--field', 'a=x', '--field', 'b=x'], 'two custom fields are named x'],
    [['--names', 'none.json'], 'none.json cannot be read'],
    [['--names', 'names.json'], 'tags must be an object of names by id'],
    [['--json'], '--json needs --out'],
    [['--format', 'xml'], 'csv, jsonl'],
    [['--key', 'secret-1'], 'set EMAIL_MARKETING_API_KEY'],
  ])('refuses %j in one line', async (args, message) => {
    await using staged = await stage();
    staged.write('names.json', '{"tags":[1]}');
    const ended = await staged.run('export', ...args);
    expect(ended.code).toBe(2);
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
    expect(ended.stderr).toContain(message);
    expect(ended.stderr).not.toContain('secret-1');
  });

  test('reports a wrong key with exit code 2', async () => {
    await using staged = await stage();
    expect(await staged.runWith({ EMAIL_MARKETING_API_KEY: 'wrong' }, 'export')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('401'),
    });
  });
});

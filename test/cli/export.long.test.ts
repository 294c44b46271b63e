import { appendFileSync, existsSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, test, vi } from 'vitest';
import { lacksSignals, until } from '../support/staged-programs.ts';
import { stage } from './run-cli.ts';
import { hasNoTerminal, runOnTerminal } from './terminal.ts';

// Each test starts processes, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 });

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

  test.each(lacksSignals ? (['SIGKILL'] as const) : (['SIGKILL', 'SIGINT'] as const))(
    'resumes after %s half-way, with every contact once',
    async signal => {
      await using staged = await stage({ seed: { contacts: 300 }, ...few });
      const { sandbox, read, path } = staged;
      const slow = sandbox.latency('GET /contact', 30);
      const { child, ended } = staged.start('export', '--out', 'out.csv');
      await until(
        () => existsSync(path('out.csv.checkpoint')) && sandbox.requests.count('GET /contact') > 12,
      );
      child.kill(signal);
      expect((await ended).code).toBe(signal === 'SIGINT' ? 130 : null);
      expect(existsSync(path('out.csv'))).toBe(false);
      slow.cancel();
      appendFileSync(path('out.csv.part'), '"half a li');
      const before = sandbox.requests.count('GET /contact');
      expect(await staged.run('export', '--out', 'out.csv')).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(/Resuming after \d+ contacts/),
      });
      const rows: { id: string }[] = parse(read('out.csv'), { columns: true });
      expect(rows.map(({ id }) => id)).toEqual(sandbox.state.contacts.all.map(({ id }) => id));
      const offsets = sandbox.requests.to('GET /contact').slice(before);
      expect(offsets.map(({ query }) => Number(query.offset))).not.toContain(0);
      expect(existsSync(path('out.csv.checkpoint'))).toBe(false);
    },
  );

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

describe.skipIf(hasNoTerminal)('progress', () => {
  test('shows a bar with rate and remaining time on a terminal, in colour unless NO_COLOR', async () => {
    await using staged = await stage({ seed: { contacts: 1500 }, ...few });
    staged.sandbox.latency('GET /contact', 15);
    const args = 'export --out terminal.csv --overwrite';
    const colored = await runOnTerminal(staged, args, { NO_COLOR: '' });
    expect(colored.text).toMatch(/Exported .*█.* \d+% \| \d+ of 1500 \| \d+\/s \| \d+ s left/);
    expect(colored.text).toContain('\u001b[36m█');
    const plain = await runOnTerminal(staged, args, { NO_COLOR: '1' });
    expect(plain.text).toMatch(/Exported █.* 100% \| 1500 of 1500 \| \d+\/s \| 0 s left/);
    expect(plain.text).not.toContain('\u001b[36m');
  });

  test('needs a yes on a terminal before an import, and sends nothing after a no or Ctrl-C', async () => {
    await using staged = await stage();
    staged.write('people.csv', 'email\nada@example.com\n');
    const no = await runOnTerminal(staged, 'import people.csv', {}, 'n\n');
    expect(no).toMatchObject({ code: 2, text: expect.stringContaining('Send 1 rows? [y/N]') });
    expect(staged.sandbox.requests.count()).toBe(0);
    const interrupted = await runOnTerminal(staged, 'import people.csv', {}, '\u0003');
    expect(interrupted.code).toBe(130);
    expect(staged.sandbox.requests.count()).toBe(0);
    expect(await runOnTerminal(staged, 'import people.csv', {}, 'y\n')).toMatchObject({ code: 0 });
    expect(staged.sandbox.requests.count()).toBe(1);
  });
});

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { stage, until } from './run-script.ts';

const script = 'export-contacts.mjs';
const few = { contactPageCap: 10, overCap: 'cap' } as const;

describe('export-contacts', () => {
  it('writes every contact to CSV', async () => {
    await using staged = await stage({ seed: { contacts: 35 }, ...few });
    const { sandbox, run, path } = staged;
    expect(await run(script, 'out.csv')).toMatchObject({ code: 0 });
    const rows: Record<string, string>[] = parse(readFileSync(path('out.csv')), { columns: true });
    expect(rows.map(({ email, company }) => ({ email, company }))).toEqual(
      sandbox.state.contacts.all.map(({ email, company }) => ({ email, company })),
    );
    expect(rows[0]).toMatchObject({ unsubscribed: 'false', customFields: '{}' });
  });

  it('writes those that a search means to JSON lines', async () => {
    await using staged = await stage({ seed: { contacts: 35 } });
    const { run, path } = staged;
    expect(await run(script, 'out.jsonl', '--search', 'person3')).toMatchObject({ code: 0 });
    const lines = readFileSync(path('out.jsonl'), 'utf8').trim().split('\n');
    expect(lines.map(line => JSON.parse(line).email)).toEqual(
      [3, 30, 31, 32, 33, 34, 35].map(number => `person${number}@example.com`),
    );
  });

  it.each(['SIGKILL', 'SIGINT'] as const)(
    'goes on after %s half-way, with every contact once',
    async signal => {
      await using staged = await stage({ seed: { contacts: 300 }, ...few });
      const { sandbox, start, run, path } = staged;
      const slow = sandbox.latency('GET /contact', 10);
      const { child, ended } = start(script, 'out.csv');
      await until(
        () => existsSync(path('out.csv.part')) && readFileSync(path('out.csv.part')).length > 25_000,
      );
      child.kill(signal);
      expect((await ended).code).toBe(signal === 'SIGINT' ? 130 : null);
      expect(existsSync(path('out.csv'))).toBe(false);
      slow.cancel();
      // What a crash in the middle of a write leaves behind.
      appendFileSync(path('out.csv.part'), '"half a li');
      const asked = sandbox.requests.count('GET /contact');
      const second = await run(script, 'out.csv');
      expect(second).toMatchObject({ code: 0 });
      expect(second.stderr).toMatch(/going on after \d+ contacts/);
      const rows: { id: string }[] = parse(readFileSync(path('out.csv')), { columns: true });
      expect(rows.map(({ id }) => id)).toEqual(sandbox.state.contacts.all.map(({ id }) => id));
      const pages = sandbox.requests
        .to('GET /contact')
        .slice(asked)
        .filter(({ query }) => query.limit !== '1');
      expect(pages.map(({ query }) => Number(query.offset))).not.toContain(0);
      expect(existsSync(path('out.csv.checkpoint'))).toBe(false);
    },
  );

  it('leaves a file that exists alone', async () => {
    await using staged = await stage({ seed: { contacts: 3 } });
    const { run, path } = staged;
    appendFileSync(path('out.csv'), 'mine');
    expect(await run(script, 'out.csv')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--overwrite'),
    });
    expect(readFileSync(path('out.csv'), 'utf8')).toBe('mine');
    expect(await run(script, 'out.csv', '--overwrite')).toMatchObject({ code: 0 });
  });

  it('can be tried without a service', async () => {
    await using staged = await stage({});
    const { run, path } = staged;
    expect(await run(script, 'out.csv', '--sandbox', '--sandbox-contacts', '120')).toMatchObject({ code: 0 });
    expect(readFileSync(path('out.csv'), 'utf8').trim().split('\n')).toHaveLength(121);
  });
});

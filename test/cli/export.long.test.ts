import { appendFileSync, existsSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { expect, test, vi } from 'vitest';
import { lacksSignals, until } from '../support/staged-programs.ts';
import { endedWith, stageBuilt as stage } from './run-cli.ts';

// Each test starts processes, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 });

test.each(lacksSignals ? (['SIGKILL'] as const) : (['SIGKILL', 'SIGINT'] as const))(
  'an export is resumed after %s with every contact once',
  async signal => {
    await using staged = await stage({
      seed: { contacts: 300 },
      ambiguities: { contactPageCap: 10, overCap: 'cap' },
    });
    const { sandbox, read, path } = staged;
    const slow = sandbox.latency('GET /contact', 100);
    const { child, ended } = staged.start('export', '--out', 'out.csv');
    await until(() => existsSync(path('out.csv.checkpoint')));
    child.kill(signal);
    expect((await ended).code).toBe(signal === 'SIGINT' ? 130 : null);
    expect(existsSync(path('out.csv'))).toBe(false);
    slow.cancel();
    appendFileSync(path('out.csv.part'), '"half a li');
    const before = sandbox.requests.count('GET /contact');
    expect(await staged.run('export', '--out', 'out.csv')).toMatchObject(
      endedWith(0, /Resuming after \d+ contacts/),
    );
    const rows: { id: string }[] = parse(read('out.csv'), { columns: true });
    expect(rows.map(({ id }) => id)).toEqual(sandbox.state.contacts.all.map(({ id }) => id));
    const offsets = sandbox.requests.to('GET /contact').slice(before);
    expect(offsets.map(({ query }) => Number(query.offset))).not.toContain(0);
    expect(existsSync(path('out.csv.checkpoint'))).toBe(false);
  },
);

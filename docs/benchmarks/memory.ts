// How much memory the pagination of a million contacts and a bulk of a million rows take, beside the same by bare `fetch`:
// `npm run bench -- memory`, or `npm run bench -- memory 100000` for so many; `--job pagination` or `--job bulk` for one of the two.
// A million take some minutes each way.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startServer } from './measure.ts';
import type { MemoryTask, MemoryUse } from './memory-worker.ts';

const { values, positionals } = parseArgs({ options: { job: { type: 'string' } }, allowPositionals: true });
const count = Number(positionals[0] ?? 1_000_000);
const jobs = (['pagination', 'bulk'] as const).filter(job => job === (values.job ?? job));
const server = await startServer();
await server.hold(count);

/** Runs a job in a process of its own. */
async function measure(task: Omit<MemoryTask, 'url' | 'count'>): Promise<MemoryUse> {
  const worker = fork(join(import.meta.dirname, 'memory-worker.ts'), {
    execArgv: ['--expose-gc'],
  });
  worker.send({ ...task, url: server.url, count } satisfies MemoryTask);
  const [use] = await once(worker, 'message');
  worker.disconnect();
  return use as MemoryUse;
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

for (const job of jobs)
  for (const concurrency of [1, 16]) {
    const bare = await measure({ job, concurrency, bare: true });
    const ours = await measure({ job, concurrency, bare: false });
    console.log(
      `${job} of ${count}, ${concurrency} at once: heap grows by ${megabytes(ours.growth)} (bare fetch ${megabytes(bare.growth)}, ` +
        `wanted below 5 MB); peak ${megabytes(ours.peak)} (bare fetch ${megabytes(bare.peak)}), ` +
        `${(ours.peak / bare.peak).toFixed(2)} times it (wanted at most 1.2)`,
    );
  }
server.close();

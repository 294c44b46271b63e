// Runs the jobs of one row of the benchmarks in its own process. Started by measure.ts.
import { importRows } from './contacts.ts';
import { type Jobs, rows } from './rows.ts';

/** What the worker is asked to do once: `count` calls, contacts or rows, `concurrency` at once. */
export interface Task {
  readonly job: 'post' | 'page' | 'pagination' | 'bulk';
  readonly count: number;
  readonly concurrency: number;
}

/** What it took: processor and wall milliseconds of the whole task, and megabytes over the level before it. */
export interface Cost {
  readonly cpu: number;
  readonly wall: number;
  readonly memory: number;
}

/** Calls `call` `count` times, `concurrency` at once. */
async function pool(
  count: number,
  concurrency: number,
  call: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await call(next++);
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
}

async function perform(jobs: Jobs, { job, count, concurrency }: Task): Promise<void> {
  if (job === 'post') return pool(count, concurrency, () => jobs.post());
  if (job === 'page') {
    return pool(count, concurrency, async () => {
      const length = (await jobs.page?.())?.length;
      if (length !== 100) throw new Error(`a page of ${length} contacts`);
    });
  }
  let seen = 0;
  if (job === 'pagination') {
    const contacts = jobs.pagination?.() ?? [];
    // Some clients return a promise that is an async iterable, too.
    if (Symbol.asyncIterator in contacts || Symbol.iterator in contacts)
      for await (const _ of contacts) seen++;
    else seen = await contacts;
  } else {
    const input = importRows(count);
    if (!jobs.bulk)
      return pool(count, concurrency, index => jobs.identify(input[index] as (typeof input)[0]));
    for await (const result of jobs.bulk(input)) if ((result as { ok: boolean }).ok) seen++;
  }
  if (seen !== count) throw new Error(`${seen} of ${count} came`);
}

async function measure(jobs: Jobs, task: Task): Promise<Cost> {
  const before = process.memoryUsage().rss;
  const start = performance.now();
  const cpu = process.cpuUsage();
  await perform(jobs, task);
  const { user, system } = process.cpuUsage(cpu);
  const wall = performance.now() - start;
  return {
    cpu: (user + system) / 1e3,
    wall,
    memory: process.resourceUsage().maxRSS / 1024 - before / 2 ** 20,
  };
}

const [name = '', url = ''] = process.argv.slice(2);
const jobs = await rows.find(row => row.name === name)?.make(url);
if (!jobs) throw new Error(`no row is named ${name}`);
process.on('message', async (task: Task) => process.send?.(await measure(jobs, task)));
process.on('disconnect', () => process.exit());
process.send?.({ page: 'page' in jobs, pagination: 'pagination' in jobs });

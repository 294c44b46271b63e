// Runs one job in a process of its own and reports the memory that it took. Started by memory.ts.
import { bulk, EmailMarketingClient } from 'email-marketing-client';

/** What to do, and how. */
export interface MemoryTask {
  readonly url: string;
  readonly job: 'pagination' | 'bulk';
  /** By bare `fetch` instead of this library. */
  readonly bare: boolean;
  readonly concurrency: number;
  readonly count: number;
}

/** What a job took, in bytes. */
export interface MemoryUse {
  /** The heap in use after a collection at the end, less that after the first tenth. */
  readonly growth: number;
  /** The most memory that the process held. */
  readonly peak: number;
}

/** Steps through a job and yields how many records are done. */
type Steps = (task: MemoryTask) => AsyncGenerator<number>;

const pageSize = 100;

const readPage = async (url: string, offset: number): Promise<unknown[]> =>
  (await fetch(`${url}/api/v1/rest/contact?offset=${offset}&limit=${pageSize}`)).json() as Promise<unknown[]>;

async function* barePagination({ url, concurrency }: MemoryTask) {
  const ahead: Promise<unknown[]>[] = [];
  for (let next = 0, done = 0; ; ) {
    for (; ahead.length < concurrency; next += pageSize) ahead.push(readPage(url, next));
    const records = (await ahead.shift()) ?? [];
    done += records.length;
    yield done;
    if (records.length < pageSize) break;
  }
  await Promise.all(ahead);
}

async function* ownPagination({ url, concurrency }: MemoryTask) {
  const client = new EmailMarketingClient({ baseUrl: url, apiKey: 'key' });
  let done = 0;
  for await (const page of client.contacts.all({}, { concurrency }).pages()) {
    done += page.length;
    yield done;
  }
}

function* people(count: number) {
  for (let number = 0; number < count; number++)
    yield { email: `person${number}@customers.example`, firstName: 'Ada' };
}

async function identify(url: string, person: object): Promise<unknown> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(person),
  };
  return (await fetch(`${url}/api/v1/contact/identify?team_id=team`, init)).json();
}

async function* bareBulk({ url, concurrency, count }: MemoryTask) {
  const ahead: Promise<unknown>[] = [];
  let done = 0;
  for (const person of people(count)) {
    ahead.push(identify(url, person));
    if (ahead.length < concurrency) continue;
    await ahead.shift();
    yield ++done;
  }
  await Promise.all(ahead);
}

async function* ownBulk({ url, concurrency, count }: MemoryTask) {
  const client = new EmailMarketingClient({ baseUrl: url, apiKey: 'key', teamId: 'team' });
  const results = bulk(people(count), (person, { signal }) => client.legacy.identify(person, { signal }), {
    concurrency,
  });
  for await (const { index } of results) yield index + 1;
}

const ways: Readonly<Record<string, Steps>> = { barePagination, ownPagination, bareBulk, ownBulk };

function heapInUse(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

process.once('message', async (task: MemoryTask) => {
  const steps = ways[
    `${task.bare ? 'bare' : 'own'}${task.job === 'pagination' ? 'Pagination' : 'Bulk'}`
  ] as Steps;
  let early = 0;
  for await (const done of steps(task)) if (early === 0 && done >= task.count / 10) early = heapInUse();
  const growth = heapInUse() - early;
  process.send?.({ growth, peak: process.resourceUsage().maxRSS * 1024 } satisfies MemoryUse);
});

/**
 * Imports 20 000 rows through BullMQ on its own Redis, with four workers of which two are killed half-way.
 * Usage: `npm run test:all -- redis`, or with another rate limit: `node test/redis/bullmq-import.ts 2000`.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Queue } from 'bullmq';
import type { Sandbox } from '../../src/testing/index.ts';
import { redisServer, skipsWithout } from '../support/programs.ts';
import { startRedis } from '../support/redis.ts';
import { stageFolder } from '../support/staged-programs.ts';

const rowCount = 20_000;
const requestsPerSecond = Number(process.argv[2] ?? 400);
const workerCount = 4;
const killed = 2;
/** Number of connections that are closed after the service has acted. */
const cutConnections = 40;
const identify = 'POST /contact/identify';
const script = join(import.meta.dirname, '../../examples/bullmq-import.mjs');

/** Every fourth row increments a field, which must not happen twice; every thousandth has no valid address. */
const isCounted = (index: number): boolean => index % 4 === 1;
const isWrong = (index: number): boolean => index % 1000 === 0;
const emailOf = (index: number): string => (isWrong(index) ? `nobody${index}` : `p${index}@example.com`);

if (!skipsWithout(redisServer)) await run();

/** What the checks share: `start` runs the example. */
interface Staged {
  readonly folder: string;
  readonly sandbox: Sandbox;
  readonly queue: Queue;
  start(...args: string[]): ChildProcess;
}

async function run(): Promise<void> {
  const redis = await startRedis();
  const staged = await stageFolder({ maxLoggedRequests: 1_000_000 });
  const own = { REDIS_URL: redis.url, REQUESTS_PER_SECOND: `${requestsPerSecond}` };
  const env = { ...process.env, ...staged.env, ...own };
  const children: ChildProcess[] = [];
  const start = (...args: string[]): ChildProcess => {
    const child = spawn(process.execPath, [script, ...args], { env, stdio: ['ignore', 'inherit', 'ignore'] });
    children.push(child);
    return child;
  };
  const queue = new Queue('import-contacts', { connection: { url: redis.url } });
  const shared: Staged = { folder: staged.folder, sandbox: staged.sandbox, queue, start };
  try {
    await once(start('add', written(join(staged.folder, 'people.csv'))), 'exit');
    assert.equal(await queue.getWaitingCount(), rowCount);
    await importWithKills(shared);
    check(staged.sandbox, await failedJobs(queue));
    await checkOtherFiles(shared);
    await checkRetries(shared);
    await checkPause(shared);
    await checkLoginPage(shared);
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await queue.close();
    await redis[Symbol.asyncDispose]();
    await staged[Symbol.asyncDispose]();
  }
}

/** Lets a worker send what `add` adds to the queue. Returns the number of requests. */
async function work({ queue, sandbox, start }: Staged, add: () => Promise<unknown>): Promise<number> {
  const before = sandbox.requests.count(identify);
  await add();
  const worker = start('work');
  while (!(await isOver(queue))) await setTimeout(50);
  worker.kill('SIGTERM');
  await once(worker, 'exit');
  return sandbox.requests.count(identify) - before;
}

/**
 * Adds another file of the same name, all of whose rows are sent, and both files again, of which no row is; then one with a
 * column that the example does not send: it could say who must not be mailed.
 */
async function checkOtherFiles(staged: Staged): Promise<void> {
  const { folder, queue, start } = staged;
  const failed = await queue.getFailedCount();
  const other = join(mkdtempSync(join(folder, 'june-')), 'people.csv');
  const rows = Array.from({ length: 20 }, (_, at) => `q${at}@example.com,Q${at},${at % 2 ? '++1' : ''}`);
  writeFileSync(other, `email,firstName,points\n${rows.join('\n')}\n`);
  for (const [file, sent] of [
    [other, rows.length],
    [other, 0],
    [join(folder, 'people.csv'), 0],
  ] as const)
    assert.equal(await work(staged, () => once(start('add', file), 'exit')), sent, file);
  assert.equal(await queue.getFailedCount(), failed);
  const unknown = join(folder, 'opted-out.csv');
  writeFileSync(unknown, 'email,unsubscribed\nada@example.com,yes\n');
  const [code] = await once(start('add', unknown), 'exit');
  assert.equal(code, 1);
  assert.ok(await isOver(queue), 'no row is in the queue');
  console.log('each file was sent once, and one with an unknown column was refused');
}

/** Lets rows fail for good, in an outage and because of a row's own mistake: `retry` sends them again, and no other. */
async function checkRetries(staged: Staged): Promise<void> {
  const { queue, sandbox, start } = staged;
  for (const [failure, options, points] of [
    // Each attempt of a row is three of the client's.
    [{ status: 503, times: 6 }, { attempts: 1 }, {}],
    // Waiting does not correct a row. The service has not acted, so that a row that counts can be sent again.
    [{ status: 400, times: 2 }, { attempts: 100, backoff: { type: 'custom' } }, { points: '++1' }],
  ] as const) {
    const failed = await queue.getFailedCount();
    const outage = sandbox.fail(identify, failure);
    await work(staged, async () => {
      for (const email of [1, 2].map(number => `${failure.status}-${number}@example.com`))
        await queue.add('identify', { email, ...points }, { ...options, jobId: email });
    });
    assert.deepEqual([outage.hits, await queue.getFailedCount()], [failure.times, failed + 2]);
    const sent = await work(staged, () => once(start('retry'), 'exit'));
    assert.deepEqual([sent, await queue.getFailedCount()], [2, failed], 'only the two rows were sent again');
  }
  console.log('rows that failed in an outage, or were refused, were sent by retry, and no other');
}

/** Lets the key be wrong: the queue pauses, no row is given up, and after `resume` each is sent. */
async function checkPause({ queue, sandbox, start }: Staged): Promise<void> {
  const failed = await queue.getFailedCount();
  const wrongKey = sandbox.fail(identify, { status: 401 });
  const emails = [1, 2, 3].map(number => `401-${number}@example.com`);
  const worker = start('work');
  for (const [at, email] of emails.entries())
    await queue.add('identify', { email, points: at ? '++1' : '' }, { attempts: 1, jobId: email });
  while (!(await queue.isPaused()) || (await queue.getActiveCount()) > 0) await setTimeout(50);
  assert.equal(await queue.getFailedCount(), failed, 'no row was given up');
  wrongKey.cancel();
  const before = sandbox.requests.count(identify);
  await once(start('resume'), 'exit');
  while (sandbox.requests.count(identify) < before + emails.length) await setTimeout(50);
  while (!(await isOver(queue))) await setTimeout(50);
  worker.kill('SIGTERM');
  await once(worker, 'exit');
  assert.deepEqual(
    [sandbox.requests.count(identify), await queue.getFailedCount()],
    [before + emails.length, failed],
  );
  console.log('a wrong key paused the queue, and after resume each row was sent once');
}

/** Lets a login page stand before the service: the queue pauses at the first row, and keeps it, because it can be sent twice. */
async function checkLoginPage({ queue, sandbox, start }: Staged): Promise<void> {
  const failed = await queue.getFailedCount();
  const before = sandbox.requests.count(identify);
  const loginPage = sandbox.fail(identify, { status: 302, headers: { location: 'https://login.test/' } });
  for (let row = 0; row < 100; row++)
    await queue.add('identify', { email: `302-${row}@example.com` }, { attempts: 1, jobId: `302-${row}` });
  const worker = start('work');
  while (!(await isOver(queue)) && !(await queue.isPaused())) await setTimeout(50);
  while ((await queue.getActiveCount()) > 0) await setTimeout(50);
  const sent = sandbox.requests.count(identify) - before;
  assert.ok(sent < 50, `${sent} of 100 rows were sent before the queue paused`);
  assert.equal(await queue.getFailedCount(), failed, 'no row was given up');
  loginPage.cancel();
  await once(start('resume'), 'exit');
  while (!(await isOver(queue))) await setTimeout(50);
  worker.kill('SIGTERM');
  await once(worker, 'exit');
  assert.deepEqual(
    [sandbox.requests.count(identify) - before, await queue.getFailedCount()],
    [sent + 100, failed],
  );
  console.log('a login page paused the queue, and after resume every row was sent');
}

/** Returns `true` if no row waits or is being sent. */
async function isOver(queue: Queue): Promise<boolean> {
  const left = await queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized');
  return Object.values(left).every(count => count === 0);
}

/** Writes the rows to a file, and returns its path. */
function written(file: string): string {
  const rows = Array.from(
    { length: rowCount },
    (_, index) => `${emailOf(index)},P${index},${isCounted(index) ? '++1' : ''}`,
  );
  writeFileSync(file, `email,firstName,points\n${rows.join('\n')}\n`);
  return file;
}

async function importWithKills({ sandbox, queue, start }: Staged): Promise<void> {
  const workers = Array.from({ length: workerCount }, () => start('work'));
  const count = (): number => sandbox.requests.count(identify);
  while (count() < rowCount / 4) await setTimeout(50);
  sandbox.drop(identify, { times: cutConnections });
  while (count() < rowCount / 2) await setTimeout(20);
  for (const worker of workers.slice(0, killed)) worker.kill('SIGKILL');
  console.log(`killed ${killed} of ${workerCount} workers after ${count()} requests`);
  while (!(await isOver(queue))) await setTimeout(250);
  for (const worker of workers.slice(killed)) {
    worker.kill('SIGTERM');
    await once(worker, 'exit');
  }
}

/** Returns the reasons of failed rows, by address. */
async function failedJobs(queue: Queue): Promise<ReadonlyMap<string, string>> {
  const jobs = await queue.getFailed(0, -1);
  return new Map(jobs.map(job => [job.data.email, job.failedReason]));
}

function check(sandbox: Sandbox, failed: ReadonlyMap<string, string>): void {
  const requests = sandbox.requests.to(identify);
  checkRate(requests.map(({ time }) => Date.parse(time)));
  const times = new Map<string, number>();
  for (const { body } of requests) {
    const { email } = body as { email: string };
    times.set(email, (times.get(email) ?? 0) + 1);
  }
  let [unknown, neverSent] = [0, 0];
  for (let index = 0; index < rowCount; index += 1) {
    const email = emailOf(index);
    const [sent, reason] = [times.get(email) ?? 0, failed.get(email)];
    if (isWrong(index)) assert.match(reason ?? '', /^not-sent: .*email/, email);
    else if (!isCounted(index))
      assert.ok(sent >= 1 && reason === undefined, `${email}: ${sent} times, ${reason}`);
    else {
      assert.ok(sent === 1 || (sent === 0 && reason !== undefined), `${email} was sent ${sent} times`);
      if (reason !== undefined) assert.match(reason, /^unknown: /);
      if (reason !== undefined) unknown += 1;
      if (sent === 0) neverSent += 1;
    }
  }
  assert.ok(unknown > 0, 'the closed connections leave rows with an unknown outcome');
  assert.equal(failed.size, rowCount / 1000 + unknown);
  console.log(
    `${rowCount} rows: ${failed.size} failed with their reasons, ${unknown} of them unknown (${neverSent} not sent)`,
  );
}

/** Checks that all workers together observe the rate limit. */
function checkRate(times: readonly number[]): void {
  const seconds = (Math.max(...times) - Math.min(...times)) / 1000;
  console.log(`${times.length} requests in ${seconds.toFixed(1)} s`);
  assert.ok(times.length <= requestsPerSecond * (seconds + 2), 'all workers together observe the limit');
}

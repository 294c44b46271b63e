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

async function run(): Promise<void> {
  const redis = await startRedis();
  const staged = await stageFolder({ maxRequests: 1_000_000 });
  const { sandbox, folder } = staged;
  const own = { REDIS_URL: redis.url, REQUESTS_PER_SECOND: `${requestsPerSecond}` };
  const env = { ...process.env, ...staged.env, ...own };
  const children: ChildProcess[] = [];
  const start = (...args: string[]): ChildProcess => {
    const child = spawn(process.execPath, [script, ...args], { env, stdio: ['ignore', 'inherit', 'ignore'] });
    children.push(child);
    return child;
  };
  const queue = new Queue('import-contacts', { connection: { url: redis.url } });
  try {
    const file = written(join(folder, 'people.csv'));
    await once(start('add', file), 'exit');
    assert.equal(await queue.getWaitingCount(), rowCount);
    await importWithKills(sandbox, queue, () => start('work'));
    check(sandbox, await failedJobs(queue));
    await checkOtherFiles(folder, queue, sandbox, start);
    await checkRetry(queue, sandbox, start);
    await checkWrongKey(queue, sandbox, start);
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await queue.close();
    await redis[Symbol.asyncDispose]();
    await staged[Symbol.asyncDispose]();
  }
}

/** Adds another file of the same name, all of whose rows are sent, and both files again, of which no row is. */
async function checkOtherFiles(
  folder: string,
  queue: Queue,
  sandbox: Sandbox,
  start: (...args: string[]) => ChildProcess,
): Promise<void> {
  const other = join(mkdtempSync(join(folder, 'june-')), 'people.csv');
  const rows = Array.from(
    { length: 20 },
    (_, index) => `q${index}@example.com,Q${index},${index % 2 ? '++1' : ''}`,
  );
  writeFileSync(other, `email,firstName,points\n${rows.join('\n')}\n`);
  const before = sandbox.requests.count(identify);
  const failed = await queue.getFailedCount();
  const worker = start('work');
  for (const file of [other, other, join(folder, 'people.csv')]) {
    await once(start('add', file), 'exit');
    while (!(await isOver(queue))) await setTimeout(50);
    assert.equal(sandbox.requests.count(identify) - before, rows.length, file);
    assert.equal(await queue.getFailedCount(), failed, file);
  }
  worker.kill('SIGTERM');
  await once(worker, 'exit');
  console.log(
    `another file of the same name: ${rows.length} rows sent, and none of either file a second time`,
  );
  await checkColumns(folder, queue, start);
}

/** Lets rows fail for good while the service is away: `retry` sends them again. */
async function checkRetry(
  queue: Queue,
  sandbox: Sandbox,
  start: (...args: string[]) => ChildProcess,
): Promise<void> {
  const failedBefore = await queue.getFailedCount();
  const [before, emails] = [sandbox.requests.count(identify), ['r1@example.com', 'r2@example.com']];
  // Each attempt of a row is three of the client's.
  const outage = sandbox.fail(identify, { status: 503, times: 6 });
  for (const email of emails) await queue.add('identify', { email }, { jobId: email, attempts: 1 });
  const worker = start('work');
  while ((await queue.getFailedCount()) < failedBefore + 2) await setTimeout(50);
  assert.equal(outage.hits, 6);
  await once(start('retry'), 'exit');
  while (!(await isOver(queue))) await setTimeout(50);
  assert.equal(await queue.getFailedCount(), failedBefore);
  assert.equal(sandbox.requests.count(identify) - before, 8, 'only the two rows were sent again');
  worker.kill('SIGTERM');
  await once(worker, 'exit');
  console.log('rows that failed in an outage were sent by retry, and no other');
}

/** Lets two rows fail because of the key, which waiting does not mend: `retry` sends both again, the one that counts too. */
async function checkWrongKey(
  queue: Queue,
  sandbox: Sandbox,
  start: (...args: string[]) => ChildProcess,
): Promise<void> {
  const [failedBefore, before] = [await queue.getFailedCount(), sandbox.requests.count(identify)];
  sandbox.fail(identify, { status: 401, times: 2 });
  const opts = { attempts: 100, backoff: { type: 'custom' } };
  for (const row of [{ email: 'k1@example.com' }, { email: 'k2@example.com', points: '++1' }])
    await queue.add('identify', row, { ...opts, jobId: row.email });
  const worker = start('work');
  while (!(await isOver(queue))) await setTimeout(50);
  assert.equal(await queue.getFailedCount(), failedBefore + 2, 'a wrong key is not retried');
  await once(start('retry'), 'exit');
  while (!(await isOver(queue))) await setTimeout(50);
  assert.equal(await queue.getFailedCount(), failedBefore);
  assert.equal(sandbox.requests.count(identify) - before, 4, 'only the two rows were sent again');
  worker.kill('SIGTERM');
  await once(worker, 'exit');
  console.log('rows that failed because of the key were given up at once, and sent by retry');
}

/** Adds a file with a column that the example does not send: it could say who must not be mailed. */
async function checkColumns(
  folder: string,
  queue: Queue,
  start: (...args: string[]) => ChildProcess,
): Promise<void> {
  const file = join(folder, 'opted-out.csv');
  writeFileSync(file, 'email,unsubscribed\nada@example.com,yes\n');
  const [code] = await once(start('add', file), 'exit');
  assert.equal(code, 1);
  assert.ok(await isOver(queue), 'no row is in the queue');
  console.log('a file with an unknown column was refused');
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

async function importWithKills(
  sandbox: Sandbox,
  queue: Queue,
  startWorker: () => ChildProcess,
): Promise<void> {
  const workers = Array.from({ length: workerCount }, startWorker);
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

/** Checks that all requests are within the rate limit, and those of each second within two windows of the limiter. */
function checkRate(times: readonly number[]): void {
  const sorted = times.toSorted((one, other) => one - other);
  const seconds = ((sorted.at(-1) ?? 0) - (sorted[0] ?? 0)) / 1000;
  const perSecond = new Map<number, number>();
  for (const time of sorted) {
    const second = Math.floor(time / 1000);
    perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
  }
  const [busiest, average] = [Math.max(...perSecond.values()), Math.round(sorted.length / seconds)];
  console.log(
    `${sorted.length} requests in ${seconds.toFixed(1)} s: ${average} per second, ${busiest} in the busiest`,
  );
  assert.ok(sorted.length <= requestsPerSecond * (seconds + 2), 'all workers together observe the limit');
  assert.ok(busiest <= 2 * requestsPerSecond, 'no second has more than two windows of the limiter');
}

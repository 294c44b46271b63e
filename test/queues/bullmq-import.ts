/**
 * Imports 20 000 rows through BullMQ on its own Redis, with four workers, two of which are killed halfway, and then 200 rows
 * in each of several troubles of the service.
 * Usage: `npm run test:all -- bullmq`, or with another rate limit and fewer rows:
 * `ROWS=1000 node --conditions=repository test/queues/bullmq-import.ts 2000`.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Queue } from 'bullmq';
import type { Sandbox } from '../../src/testing/index.ts';
import { freePort } from '../support/listen.ts';
import { pathOf, redisServer, skipsWithout } from '../support/programs.ts';
import { stageFolder } from '../support/staged-programs.ts';
import { html, troubles } from './troubles.ts';

const rowCount = Number(process.env.ROWS ?? 20_000);
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
  const staged = await stageFolder({
    maxLoggedRequests: 1_000_000,
    seed: { customFields: [{ name: 'points', type: 'number' }] },
  });
  const own = { REDIS_URL: redis.url, REQUESTS_PER_SECOND: `${requestsPerSecond}`, FIRST_WAIT_MS: '100' };
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
    await checkTroubles(shared);
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
 * column that the example does not send: it could say who opted out.
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

/** Lets rows that the service refuses fail for good: `retry` sends only them again. */
async function checkRetries(staged: Staged): Promise<void> {
  const { queue, sandbox, start } = staged;
  const refused = sandbox.fail(identify, { status: 400, when: isOf('refused') });
  await work(staged, () => addRows(queue, 'refused', 8));
  assert.equal(refused.hits, 8);
  refused.cancel();
  await work(staged, () => once(start('retry'), 'exit'));
  assert.deepEqual(sentOnce(sandbox, 'refused', 8), []);
  console.log('rows that were refused were sent again by retry');
}

/**
 * Imports rows while all calls fail, in one way after the other, and ten rows fail by themselves all the time. In each trouble
 * a worker is killed, and some responses are lost after it. Each row that could be sent is sent, and none counts twice.
 */
async function checkTroubles({ queue, sandbox, start }: Staged): Promise<void> {
  const disliked = sandbox.fail(identify, { ...html(403), when: isOf('disliked') });
  await addRows(queue, 'disliked', 10);
  for (const [name, fault] of troubles) {
    const trouble = sandbox.fail('*', fault);
    const killed = start('work');
    await addRows(queue, name, 200);
    while (trouble.hits < 20) await setTimeout(20);
    killed.kill('SIGKILL');
    const worker = start('work');
    await setTimeout(3000);
    trouble.cancel();
    const lost = sandbox.drop(identify, { acted: true, times: 3, after: 20 });
    while (!(await isOver(queue))) await setTimeout(50);
    worker.kill('SIGTERM');
    await once(worker, 'exit');
    lost.cancel();
    const forPerson = await reviewed(queue, name);
    for (const email of sentOnce(sandbox, name, 200))
      assert.ok(forPerson.includes(email), `${email} is lost`);
    assert.ok(forPerson.every(isRowThatCounts), 'no row is given up that can be sent twice');
    assert.ok(forPerson.length < 40, 'rows that count wait for the service');
    console.log(`${name}: ${forPerson.length} of 50 rows that count are for a person`);
  }
  assert.equal((await reviewed(queue, 'disliked')).length, 10);
  disliked.cancel();
}

/** Returns a function that selects the requests for rows of a name. */
function isOf(name: string) {
  return ({ body }: { readonly body?: unknown }) => String(Object(body).email).startsWith(`${name}-`);
}

function isRowThatCounts(email: string): boolean {
  return Number(/-(\d+)@/.exec(email)?.[1]) % 4 === 0;
}

/** Returns the addresses of failed rows. */
async function reviewed(queue: Queue, name: string): Promise<readonly string[]> {
  const failed = await failedJobs(queue);
  return [...failed.keys()].filter(email => email.startsWith(`${name}-`)).sort();
}

/** Returns the addresses that the service did not accept. Fails if a row that counts was accepted twice. */
function sentOnce(sandbox: Sandbox, name: string, count: number): readonly string[] {
  const missing: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const email = `${name}-${at}@example.com`;
    const contact = sandbox.state.contacts.all.find(each => each.email === email);
    if (!contact) missing.push(email);
    else if (isRowThatCounts(email))
      assert.deepEqual(Object.values(contact.customFields).map(Number), [1], email);
  }
  return missing.sort();
}

/** Adds rows, of which every fourth counts. */
async function addRows(queue: Queue, name: string, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, at) => ({
    name: 'identify',
    data: { email: `${name}-${at}@example.com`, ...(at % 4 === 0 && { points: '++1' }) },
    opts: { jobId: `${name}-${at}` },
  }));
  await queue.addBulk(rows);
}

/** Returns `true` if no row is waiting or being sent. */
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
    if (isWrong(index)) assert.match(reason ?? '', /^legacy.identify: email/, email);
    else if (!isCounted(index))
      assert.ok(sent >= 1 && reason === undefined, `${email}: ${sent} times, ${reason}`);
    else {
      assert.ok(sent === 1 || (sent === 0 && reason !== undefined), `${email} was sent ${sent} times`);
      if (reason !== undefined) assert.match(reason, /^It may have taken effect: /);
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

/** Starts a Redis with its own port and folder, which persists nothing, and waits until it accepts connections. */
async function startRedis() {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  const settings = { port: `${port}`, bind: '127.0.0.1', save: '', appendonly: 'no', dir: folder };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const server = spawn(pathOf(redisServer), args, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const chunk of server.stdout) if (`${chunk}`.includes('Ready to accept connections')) break;
  return {
    url: `redis://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      if (server.exitCode === null && server.kill('SIGKILL')) await once(server, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}

/**
 * Imports contacts on many machines: a queue (BullMQ on Redis) holds the rows, workers send them, and one limiter in
 * Redis limits all of them to what the service allows. Needs Node 22.18 or newer, which reads TypeScript.
 *
 *   npm install bullmq ioredis rate-limiter-flexible csv-parse email-marketing-client
 *   REDIS_URL=redis://… node bullmq-import.mjs add people.csv     # once
 *   REDIS_URL=redis://… node bullmq-import.mjs work               # on as many machines as you like
 *   REDIS_URL=redis://… node bullmq-import.mjs retry              # once the cause is fixed: resends failed rows that can be resent
 *
 * Redis must keep everything: turn on `appendonly`, and set `maxmemory-policy` to `noeviction`. docs/bulk.md explains why.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { DelayedError, Queue, UnrecoverableError, Worker } from 'bullmq';
import { parse } from 'csv-parse';
import { EmailMarketingClient } from 'email-marketing-client';
import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { QueueRules } from './queue-rules.ts';
import { sharedLimiter } from './shared-limiter.ts';

const queueName = 'import-contacts';
const requestsPerSecond = Number(process.env.REQUESTS_PER_SECOND ?? 20);
/** First wait after a failure. It doubles, up to five minutes; a row is retried for about eight hours. */
const firstWaitMs = Number(process.env.FIRST_WAIT_MS ?? 1000);
const rowsInOneAdd = 1000;
const rowsInFlight = 16;
/** Time after which a worker that reports nothing counts as stopped: its rows go to another worker. */
const stalledAfterMs = 10_000;
/** Time for which imported rows are remembered: longer than any import takes. */
const rememberedSeconds = 30 * 24 * 3600;

const connection = new Redis(process.env.REDIS_URL, { maxRetriesPerRequest: null });

/**
 * Fills the queue. The id of a job consists of the file's hash and the row's index: adding the same file again sends nothing
 * again, and another file with the same name is another import.
 */
async function add(file) {
  const queue = new Queue(queueName, { connection });
  const opts = { removeOnComplete: { age: rememberedSeconds } };
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const content = hash.digest('hex').slice(0, 32);
  const rows = createReadStream(file).pipe(parse({ columns: checkColumns, bom: true, trim: true }));
  let jobs = [];
  let index = 0;
  for await (const data of rows) {
    jobs.push({ name: 'identify', data, opts: { ...opts, jobId: `${content}-${index++}` } });
    if (jobs.length < rowsInOneAdd) continue;
    await queue.addBulk(jobs);
    jobs = [];
  }
  await queue.addBulk(jobs);
  const failed = await queue.getFailedCount();
  await queue.close();
  console.log(`${index} rows were added. Workers skip those that were sent before.`);
  if (failed > 0) console.log(`${failed} rows have failed. To resend them, run retry.`);
}

/** Columns that are sent. Any other column, such as `unsubscribed`, could mean that a person opted out. */
const knownColumns = ['email', 'firstName', 'lastName', 'points'];

function checkColumns(columns) {
  const unknown = columns.filter(column => !knownColumns.includes(column));
  if (unknown.length === 0 && columns.includes('email')) return columns;
  const named = unknown.length > 0 ? `unknown columns: ${unknown.join(', ')}` : 'no column email';
  throw new Error(`${named}. Remove these columns from the file, and the people who opted out.`);
}

/** Puts failed rows back into the queue, except those that may have acted. */
async function retry() {
  const queue = new Queue(queueName, { connection });
  const failed = await queue.getFailed();
  const again = failed.filter(job => !job.failedReason.startsWith(mayHaveActed));
  for (const job of again) {
    await job.updateProgress({});
    await job.retry('failed');
  }
  await queue.close();
  console.log(`${again.length} rows are in the queue again, ${failed.length - again.length} remain failed`);
}

/** Start of the reason for a row that is never sent again: a person has to check whether it was counted. */
const mayHaveActed = 'It may have taken effect: ';

/** Sends rows until SIGTERM. Rows for a person, and those that failed for good, remain in the failed jobs, with the reason. */
function work() {
  const limiter = new RateLimiterRedis({ storeClient: connection, points: requestsPerSecond, duration: 1 });
  const client = new EmailMarketingClient({ throttle: sharedLimiter(limiter, 'email-marketing') });
  const rules = new QueueRules(() => client.senders.list(), firstWaitMs);
  const worker = new Worker(queueName, (job, token) => importRow(client, rules, job, token), {
    connection,
    concurrency: rowsInFlight,
    lockDuration: stalledAfterMs,
    stalledInterval: stalledAfterMs / 2,
    maxStalledCount: 1000, // A row is not to blame for a worker that stopped.
  });
  worker.on('failed', (job, error) => console.error(`${job?.id}: ${error.message}`));
  process.once('SIGTERM', async () => {
    await worker.close();
    await connection.quit();
  });
}

/** Sends one row. A row with an increment is marked first, so that no other worker sends it again. */
async function importRow(client, rules, job, token) {
  const { email, firstName, lastName, points } = job.data;
  const customFields = points ? { points } : undefined;
  const canRepeat = !/^(\+\+|--)/.test(points ?? '');
  const mark = `${queueName}:row:${job.id}`;
  const call = async () => {
    if (!canRepeat && (await connection.set(mark, 'sent', 'EX', rememberedSeconds, 'NX')) === null)
      throw new Error('a worker stopped while it sent this row');
    await client.legacy.identify({ email, firstName, lastName, customFields });
  };
  const next = await rules.run(call, canRepeat, job.progress);
  if (next.action === 'done') return;
  const { error } = next;
  const didNotAct = error.outcome === 'not-sent' || error.outcome === 'refused';
  if (!canRepeat && didNotAct) await connection.del(mark);
  if (next.action === 'again') {
    // Unlike an error, this counts no attempt: `next.counts` limits them.
    await job.updateProgress(next.counts);
    await job.moveToDelayed(Date.now() + next.waitMs, token);
    throw new DelayedError();
  }
  const isFinal = error.outcome === 'done' || !(canRepeat || didNotAct);
  throw new UnrecoverableError(`${isFinal ? mayHaveActed : ''}${error.message}`);
}

const [command, file] = process.argv.slice(2);
if (command === 'work') work();
else if (command === 'retry') {
  await retry();
  await connection.quit();
} else if (command === 'add' && file) {
  await add(file);
  await connection.quit();
} else console.error('usage: bullmq-import.mjs add <file.csv> | work | retry');

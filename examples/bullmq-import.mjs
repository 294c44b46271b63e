/**
 * Imports contacts on many machines: a queue (BullMQ on Redis) holds the rows, workers send them, and one limiter in
 * Redis limits all of them to what the service allows. Needs Node 22.18 or newer, which reads shared-limiter.ts.
 *
 *   npm install bullmq ioredis rate-limiter-flexible csv-parse email-marketing-client
 *   REDIS_URL=redis://… node bullmq-import.mjs add people.csv     # once
 *   REDIS_URL=redis://… node bullmq-import.mjs work               # on as many machines as you like
 *   REDIS_URL=redis://… node bullmq-import.mjs resume             # once the key or the account is fixed, which paused the queue
 *   REDIS_URL=redis://… node bullmq-import.mjs retry              # once the cause is removed: sends rows again that did not act
 *
 * Redis must forget nothing: turn on `appendonly`, and set `maxmemory-policy` to `noeviction`. docs/bulk.md explains the choices.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Queue, UnrecoverableError, Worker } from 'bullmq';
import { parse } from 'csv-parse';
import { EmailMarketingClient, queueAction } from 'email-marketing-client';
import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { sharedLimiter } from './shared-limiter.ts';

const queueName = 'import-contacts';
const requestsPerSecond = Number(process.env.REQUESTS_PER_SECOND ?? 20);
const rowsInOneAdd = 1000;
const rowsInFlight = 16;
/** Attempts of a row, and the longest wait between two: together about eight hours, longer than most outages. */
const attempts = 100;
const longestWaitMs = 5 * 60_000;
/** Time after which a worker that reports nothing counts as stopped: its rows go to another worker. */
const stalledAfterMs = 10_000;
/** Time for which the mark of a row is kept: longer than any import takes. */
const markSeconds = 30 * 24 * 3600;

const connection = new Redis(process.env.REDIS_URL, { maxRetriesPerRequest: null });

/**
 * Fills the queue. The id of a job is the content of the file, by its hash, and the row's place in it: adding the same file
 * again sends nothing again, and another file of the same name is another import.
 */
async function add(file) {
  const queue = new Queue(queueName, { connection });
  const opts = { attempts, backoff: { type: 'custom' }, removeOnComplete: true };
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
  if (failed > 0) console.log(`${failed} rows failed before and stay as they are: see retry.`);
}

/** Columns that are sent. Another one, such as `unsubscribed`, could say that somebody must not be mailed. */
const knownColumns = ['email', 'firstName', 'lastName', 'points'];

function checkColumns(columns) {
  const unknown = columns.filter(column => !knownColumns.includes(column));
  if (unknown.length === 0 && columns.includes('email')) return columns;
  const named = unknown.length > 0 ? `unknown columns: ${unknown.join(', ')}` : 'no column email';
  throw new Error(`${named}. Remove what may be left out from the file, and who must not be mailed.`);
}

/** Lets a queue go on that paused because every row would have failed alike. */
async function resume() {
  const queue = new Queue(queueName, { connection });
  await queue.resume();
  await queue.close();
}

/** Puts failed rows back into the queue, except those that may have acted. */
async function retry() {
  const queue = new Queue(queueName, { connection });
  const failed = await queue.getFailed();
  const again = failed.filter(job => !isFinal.test(job.failedReason));
  for (const job of again) await job.retry('failed', { resetAttemptsMade: true });
  await queue.close();
  console.log(`${again.length} rows are in the queue again, ${failed.length - again.length} stay failed`);
}

/** Reasons of rows that were given up begin with the outcome. Those that may have acted are never sent again. */
const isFinal = /^(?:unknown|done): /;

/** Wait after a failed attempt: it doubles, and is spread so that rows do not come back all at once. */
const waitMs = attemptsMade => Math.min(1000 * 2 ** attemptsMade, longestWaitMs) * (0.5 + Math.random() / 2);

/** Sends rows until SIGTERM. Rows that were given up stay under the failed jobs, with the reason. */
function work() {
  const limiter = new RateLimiterRedis({ storeClient: connection, points: requestsPerSecond, duration: 1 });
  const client = new EmailMarketingClient({ throttle: sharedLimiter(limiter, 'email-marketing') });
  const queue = new Queue(queueName, { connection });
  const worker = new Worker(queueName, job => importRow(client, queue, job), {
    connection,
    concurrency: rowsInFlight,
    lockDuration: stalledAfterMs,
    stalledInterval: stalledAfterMs / 2,
    settings: { backoffStrategy: waitMs },
  });
  worker.on('failed', (job, error) => console.error(`${job?.id}: ${error.message}`));
  process.once('SIGTERM', async () => {
    await worker.close();
    await queue.close();
    await connection.quit();
  });
}

/**
 * Sends one row, and marks it as done. A row that must not be sent twice is marked before, too, and then not sent again by
 * another worker.
 */
async function importRow(client, queue, job) {
  const { email, firstName, lastName, points } = job.data;
  const customFields = points ? { points } : undefined;
  const idempotent = !/^(\+\+|--)/.test(points ?? '');
  const mark = `${queueName}:row:${job.id}`;
  if ((await connection.get(mark)) === 'done') return;
  if (!idempotent && (await connection.set(mark, 'sending', 'EX', markSeconds, 'NX')) === null)
    throw new UnrecoverableError('unknown: a worker stopped while it sent this row');
  try {
    await client.legacy.identify({ email, firstName, lastName, customFields });
  } catch (error) {
    const didNotAct = ['not-sent', 'refused'].includes(error.outcome);
    if (!idempotent && didNotAct) await connection.del(mark);
    const action = queueAction(error);
    if (action === 'retry') throw error;
    if (error.scope === 'account') {
      console.error(`The queue is paused: ${error.message}`);
      await queue.pause();
    }
    if (action === 'pause') throw Worker.RateLimitError(); // puts the row back, without counting the attempt
    throw new UnrecoverableError(`${error.outcome ?? 'unknown'}: ${error.message}`);
  }
  await connection.set(mark, 'done', 'EX', markSeconds);
}

const [command, file] = process.argv.slice(2);
if (command === 'work') work();
else if (command === 'retry' || command === 'resume') {
  await (command === 'retry' ? retry() : resume());
  await connection.quit();
} else if (command === 'add' && file) {
  await add(file);
  await connection.quit();
} else console.error('usage: bullmq-import.mjs add <file.csv> | work | resume | retry');

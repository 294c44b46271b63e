/**
 * The import of import-contacts.mjs spread over many machines: a queue (BullMQ on Redis) holds the rows, workers make
 * the calls, and one limiter in Redis holds all of them together to what the service allows.
 *
 *   npm install bullmq ioredis rate-limiter-flexible csv-parse email-marketing-client
 *   REDIS_URL=redis://… node bullmq-import.mjs add people.csv     # once
 *   REDIS_URL=redis://… node bullmq-import.mjs work               # on as many machines as you like
 *
 * docs/scaling.md explains the choices.
 */
import { createReadStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, UnrecoverableError, Worker } from 'bullmq';
import { parse } from 'csv-parse';
import { EmailMarketingClient } from 'email-marketing-client';
import { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

const queueName = 'import-contacts';
const requestsPerSecond = 20;
const rowsInOneAdd = 1000;

const connection = new Redis(process.env.REDIS_URL, { maxRetriesPerRequest: null });

/** One limiter for all machines: waits for a turn, and passes on any other error of Redis. */
const limiter = new RateLimiterRedis({ storeClient: connection, points: requestsPerSecond, duration: 1 });
const throttle = {
  async acquire(signal) {
    for (;;)
      try {
        await limiter.consume('email-marketing');
        return;
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        // A little more than told, each worker its own, so that they do not all come back at once.
        await sleep(refused.msBeforeNext + Math.random() * 100, undefined, { signal });
      }
  },
};

/** Fills the queue. A row's place is its job's id, so that adding the same file again adds nothing. */
async function add(file) {
  const queue = new Queue(queueName, { connection });
  const options = {
    attempts: 5,
    backoff: { type: 'exponential', delay: 1000, jitter: 0.5 },
    removeOnFail: false,
  };
  let jobs = [];
  let index = 0;
  for await (const row of createReadStream(file).pipe(parse({ columns: true, bom: true }))) {
    jobs.push({
      name: 'identify',
      data: row,
      opts: { ...options, jobId: `${file.replaceAll(':', '-')}-${index++}` },
    });
    if (jobs.length === rowsInOneAdd) {
      await queue.addBulk(jobs);
      jobs = [];
    }
  }
  await queue.addBulk(jobs);
  await queue.close();
  console.log(`${index} rows are in the queue`);
}

/** Makes the calls. A call that can never succeed is not tried again; its row stays under the failed jobs. */
function work() {
  const client = new EmailMarketingClient({ throttle });
  const identify = async job => {
    try {
      const { email, firstName, lastName } = job.data;
      const { status } = await client.legacy.identify({ email, firstName, lastName });
      return status;
    } catch (error) {
      const hopeless = ['InvalidRequestError', 'BadRequestError'].includes(error.name);
      throw hopeless ? new UnrecoverableError(error.message) : error;
    }
  };
  const worker = new Worker(queueName, identify, { connection, concurrency: 16 });
  worker.on('failed', (job, error) => console.error(`row ${job?.id}: ${error.message}`));
  process.once('SIGTERM', async () => {
    await worker.close();
    await connection.quit();
  });
}

const [command, file] = process.argv.slice(2);
if (command === 'work') work();
else if (command === 'add' && file) {
  await add(file);
  await connection.quit();
} else console.error('usage: bullmq-import.mjs add <file.csv> | work');

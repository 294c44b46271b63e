/**
 * A queue of sign-ups, tag changes and events in PostgreSQL, with pg-boss 12. The jobs of one person run in order.
 *
 *   const boss = await new PgBoss(process.env.DATABASE_URL).start();
 *   await createQueues(boss);
 *   await addJob(boss, { operation: 'legacy.identify', input: { email: 'ada@example.com' } });
 *   await work(boss, new EmailMarketingClient()); // in as many processes as you like
 *
 * Jobs for a person to look at, and those that failed for good, are in the queue `email-marketing-review`.
 */
import type {
  EmailMarketingClient,
  IdentifyParams,
  RecordEventParams,
  TrackParams,
} from 'email-marketing-client';
import type { JobWithMetadata, PgBoss, SendOptions } from 'pg-boss';
import { type Counts, QueueRules } from './queue-rules.ts';

/** A call to make. */
export type Job =
  | { readonly operation: 'legacy.identify'; readonly input: IdentifyParams }
  | { readonly operation: 'legacy.track'; readonly input: TrackParams }
  | { readonly operation: 'events.record'; readonly input: RecordEventParams };

export const queueName = 'email-marketing';
export const reviewName = 'email-marketing-review';

export async function createQueues(boss: PgBoss): Promise<void> {
  await boss.createQueue(reviewName, { retentionSeconds: 365 * 24 * 3600 });
  await boss.createQueue(queueName, {
    // One job per person at a time, oldest first. A job that waits to be retried delays only this person's jobs.
    policy: 'key_strict_fifo',
    // `QueueRules` counts and limits the attempts.
    retryLimit: 1_000_000,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 300,
    // If a process stops, its jobs run again; a job that waits while the queue is paused does not expire.
    heartbeatSeconds: 10,
    expireInSeconds: 3600,
    // Waiting jobs are kept this long.
    retentionSeconds: 90 * 24 * 3600,
  });
}

/** Adds a job. To add it in the transaction that changes your own data, pass its `db`. */
export function addJob(boss: PgBoss, job: Job, options: Pick<SendOptions, 'db'> = {}) {
  const person = job.operation === 'events.record' ? job.input.identifier : job.input.email;
  return boss.send(queueName, job, { ...options, singletonKey: person.toLowerCase() });
}

/** Makes the calls until `boss.stop()`. */
export function work(boss: PgBoss, client: EmailMarketingClient): Promise<string> {
  const rules = new QueueRules(() => client.senders.list());
  const options = { localConcurrency: 8, pollingIntervalSeconds: 0.5, includeMetadata: true } as const;
  return boss.work(queueName, options, async ([job]: JobWithMetadata<Job>[]) => {
    if (!job) return;
    const counts = (job.output as { counts?: Counts } | null)?.counts;
    // A process that stopped left no counts. It may have made the call.
    const wasCut = job.retryCount > 0 && !counts;
    const canRepeat = isIdempotent(job.data);
    if (wasCut && !canRepeat) {
      await review(boss, job.data, 'person', new Error('A process stopped while it ran this job.'));
      return;
    }
    const next = await rules.run(() => call(client, job.data), canRepeat, counts);
    // The error is kept with the job, and so are the counts.
    if (next.action === 'again') throw Object.assign(new Error(next.error.message), { counts: next.counts });
    if (next.action !== 'done') await review(boss, job.data, next.action, next.error);
  });
}

const review = (boss: PgBoss, job: Job, action: 'person' | 'drop', error: Error) =>
  boss.send(reviewName, { job, action, error: error.message });

function call({ legacy, events }: EmailMarketingClient, { operation, input }: Job): Promise<unknown> {
  switch (operation) {
    case 'legacy.identify':
      return legacy.identify(input);
    case 'legacy.track':
      return legacy.track(input);
    case 'events.record':
      return events.record(input);
  }
}

/** Whether a second call would change nothing. */
function isIdempotent({ operation, input }: Job): boolean {
  if (operation === 'legacy.track') return true;
  if (operation === 'events.record' || input.newEmail) return false;
  return !Object.values(input.customFields ?? {}).some(value => /^(\+\+|--)/.test(String(value)));
}

/**
 * What a queue of calls does in addition to `queueAction`: it slows down while every call fails, limits retries, and lets events
 * wait until the service responds again. `bullmq-import.mjs` and `pg-boss.ts` use it; docs/bulk.md explains the rules.
 */
import { setTimeout } from 'node:timers/promises';
import { queueAction } from 'email-marketing-client';

/** What the queue keeps with a job between its attempts. */
export interface Counts {
  /** Failed attempts, except those made while every call failed. */
  readonly retries?: number;
  /** How often the job paused the queue although other jobs had succeeded since it first did. */
  readonly pausesAlone?: number;
  /** Time at which the job first paused the queue. */
  readonly pausedAt?: number;
}

/** What the queue does with the job: it is done, runs again after `waitMs`, is for a person to look at, or failed for good. */
export type Next =
  | { readonly action: 'done' }
  | { readonly action: 'again'; readonly waitMs: number; readonly counts: Counts; readonly error: Error }
  | { readonly action: 'person' | 'drop'; readonly error: Error };

/** Retries before a person looks at a job: with the default waits, it is retried for about eight hours. */
const maxRetries = 100;
/** Pauses, while other jobs succeed, before a person looks at a job: a firewall may block it. */
const maxPausesAlone = 10;
/** A `track` gets "not found" until the person's sign-up arrives. */
const maxNotFound = 10;

/** The rules in one process. */
export class QueueRules {
  /** More than 0 while every call fails: jobs then run one at a time. Grows with each failure. */
  #pauses = 0;
  #lastTurn: Promise<unknown> = Promise.resolve();
  #succeededAt = 0;
  /** `true` if a call has failed since the last success of a repeatable call. */
  #isDoubtful = false;
  readonly #read: () => Promise<unknown>;
  readonly #firstWaitMs: number;

  /** `read` changes nothing, so it can be made at any time: `() => client.senders.list()`. */
  constructor(read: () => Promise<unknown>, firstWaitMs = 1000) {
    this.#read = read;
    this.#firstWaitMs = firstWaitMs;
  }

  /**
   * Makes the call of a job, and returns what the queue does next. `canRepeat` is `false` if a second call would change
   * something, as for an event. `counts` are those that the queue keeps with the job.
   */
  run(call: () => Promise<unknown>, canRepeat: boolean, counts: Counts = {}): Promise<Next> {
    if (this.#pauses === 0) return this.#attempt(call, canRepeat, counts);
    // One job at a time, each after a longer wait, until one succeeds.
    const turn = this.#lastTurn.then(async () => {
      const pauses = this.#pauses;
      if (pauses > 0) await setTimeout(Math.min(this.#waitAfter(pauses - 1), 60_000));
      const next = await this.#attempt(call, canRepeat, counts);
      if (this.#pauses > 0) this.#pauses = pauses + 1;
      return next;
    });
    this.#lastTurn = turn;
    return turn;
  }

  async #attempt(call: () => Promise<unknown>, canRepeat: boolean, counts: Counts): Promise<Next> {
    try {
      // In an outage, an event would be lost or counted twice, so first make a call that may safely fail.
      if (!canRepeat && this.#isDoubtful) await this.#read();
    } catch (error) {
      if (queueAction(error) === 'pause') return this.#pause(error as Error, counts);
      // The attempt does not count, because the event was not sent.
      return { action: 'again', waitMs: this.#waitAfter(5), counts, error: error as Error };
    }
    try {
      await call();
    } catch (error) {
      return this.#failed(error as Error, counts);
    }
    if (canRepeat) this.#isDoubtful = false;
    this.#pauses = 0;
    this.#succeededAt = Date.now();
    return { action: 'done' };
  }

  #failed(error: Error & { readonly retryAfterMs?: number }, counts: Counts): Next {
    this.#isDoubtful = true;
    const action = queueAction(error);
    if (action === 'pause') return this.#pause(error, counts);
    if (action === 'review') return { action: 'person', error };
    const isNotFound = error.name === 'NotFoundError';
    if (action === 'drop' && !isNotFound) return { action, error };
    const { retries = 0 } = counts;
    if (retries >= (isNotFound ? maxNotFound : maxRetries)) return { action: 'person', error };
    const waitMs = Math.max(this.#waitAfter(retries), error.retryAfterMs ?? 0);
    return { action: 'again', waitMs, counts: { ...counts, retries: retries + 1 }, error };
  }

  /** Either every call fails, or only this one: then it does not slow down others, and a person looks at it. */
  #pause(error: Error, { pausesAlone = 0, pausedAt = Date.now(), ...counts }: Counts): Next {
    this.#isDoubtful = true;
    const isSuspect = this.#succeededAt > pausedAt;
    if (!isSuspect) this.#pauses ||= 1;
    const alone = isSuspect ? pausesAlone + 1 : pausesAlone;
    if (alone >= maxPausesAlone) return { action: 'person', error };
    const waitMs = this.#waitAfter(Math.min(alone, 5));
    return { action: 'again', waitMs, counts: { ...counts, pausesAlone: alone, pausedAt }, error };
  }

  /** Doubles with each failure up to five minutes, and is random so that jobs do not come back all at once. */
  #waitAfter(failures: number): number {
    return Math.min(this.#firstWaitMs * 2 ** failures, 300_000) * (0.5 + Math.random() / 2);
  }
}

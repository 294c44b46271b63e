import type { Outcome } from '../errors.ts';
import { isObject } from '../http/json.ts';
import { callFunction } from './functions.ts';
import { earlierAttempt, refusal } from './refusal.ts';
import type { Reply } from './reply.ts';
import type { DedupeStore } from './result-memory.ts';

/** Settings of {@link CallOnce}; times in milliseconds. */
export interface DedupeSettings {
  readonly store: DedupeStore;
  readonly ttl: number;
  readonly callbackTimeout: number;
}

/** One attempt of a page to make a call. */
export interface Attempt {
  readonly id: string;
  readonly operation: string;
  readonly fingerprint: string;
  readonly idempotent: boolean;
  /** `true` if an earlier attempt ended with an unknown outcome. */
  readonly retry: boolean;
}

/** Value in the store: without a reply the call is running, or its reply is too large to remember. */
interface Entry {
  readonly fingerprint: string;
  readonly reply?: Reply | 'too-large';
}

/** Longest result, in characters of JSON, that is remembered for a repeated call id. */
const maxRememberedLength = 100_000;

/** Milliseconds between two looks for the result of a call that another server performs. */
const pollInterval = 100;

/**
 * Longest wait, in milliseconds, for the result of a call that another server performs: less than the 30 s for which a
 * page waits by default, so that it gets the response.
 */
const maxPolling = 25_000;

/** Performs each call id once, and replies to its other attempts with the result of the first. */
export class CallOnce {
  readonly #running = new Map<string, { readonly fingerprint: string; readonly reply: Promise<Reply> }>();

  readonly #settings: DedupeSettings;

  constructor(settings: DedupeSettings) {
    this.#settings = settings;
  }

  /** Returns the reply to an attempt. `perform` is called unless another attempt performs the call; it never rejects. */
  reply(attempt: Attempt, perform: () => Promise<Reply>): Promise<Reply> {
    const { id, fingerprint } = attempt;
    const running = this.#running.get(id);
    if (running) {
      if (running.fingerprint !== fingerprint) throw otherCall(attempt);
      return running.reply;
    }
    const reply = this.#first(attempt, perform).finally(() => this.#running.delete(id));
    this.#running.set(id, { fingerprint, reply });
    return reply;
  }

  async #first(attempt: Attempt, perform: () => Promise<Reply>): Promise<Reply> {
    const remembered = await this.#claim(attempt);
    if (remembered) return remembered;
    const reply = await perform();
    const { fingerprint } = attempt;
    const kept = reply.body.length > maxRememberedLength ? 'too-large' : reply;
    await this.#set(attempt, { fingerprint, reply: kept }, false, reply.status === 200 ? 'done' : 'unknown');
    return reply;
  }

  /** Claims the id, so that no other server performs it; returns the reply where one already has. */
  async #claim(attempt: Attempt): Promise<Reply | undefined> {
    const { operation, fingerprint, idempotent, retry } = attempt;
    for (let waited = 0; waited < maxPolling; waited += pollInterval) {
      const entry = await this.#get(attempt);
      if (!entry) {
        if (retry && !idempotent) throw notRemembered(operation);
        if (await this.#set(attempt, { fingerprint }, true, 'not-sent')) return undefined;
        continue;
      }
      if (entry.fingerprint !== fingerprint) throw otherCall(attempt);
      if (entry.reply === 'too-large') {
        if (idempotent) return undefined;
        throw earlierAttempt(
          operation,
          'done',
          'an earlier attempt succeeded; its result is too large to keep.',
        );
      }
      if (entry.reply) return entry.reply;
      await new Promise(resolve => setTimeout(resolve, pollInterval));
    }
    throw earlierAttempt(operation, 'unknown', 'an earlier attempt has not ended.');
  }

  #get({ id }: Attempt): Promise<Entry | undefined> {
    const { store, callbackTimeout: timeout } = this.#settings;
    const run = async () => parseEntry(await store.get(id));
    return callFunction({ name: 'dedupe.store.get', timeout, outcome: 'not-sent', run });
  }

  /** Returns `false` where the id is taken. */
  async #set({ id }: Attempt, entry: Entry, ifAbsent: boolean, outcome: Outcome): Promise<boolean> {
    const { store, ttl, callbackTimeout: timeout } = this.#settings;
    const run = () => store.set(id, JSON.stringify(entry), { ttl, ifAbsent });
    const stored = await callFunction({ name: 'dedupe.store.set', timeout, outcome, run });
    return stored !== false && stored !== null;
  }
}

function parseEntry(value: string | null | undefined): Entry | undefined {
  if (value === null || value === undefined) return undefined;
  const entry: unknown = JSON.parse(value);
  if (isObject(entry) && typeof entry.fingerprint === 'string') return entry as unknown as Entry;
  throw new TypeError('dedupe.store.get must return what dedupe.store.set stored.');
}

/** Creates the failure of a retry whose first attempt may have acted, though nothing is known of it here. */
export const notRemembered = (operation: string) =>
  earlierAttempt(operation, 'unknown', 'the result of an earlier attempt is not known; it may have acted.');

const otherCall = ({ operation }: Attempt) =>
  refusal(409, `${operation}: this call id belongs to another call.`, 'unknown');

import type { DedupeOptions, DedupeStore } from './options.ts';
import { callFunction, earlierAttempt, type Reply, rejection } from './reply.ts';

/** One attempt of a web page to make a call that is not idempotent. */
export interface Attempt {
  readonly id: string;
  readonly operation: string;
  /** Hash of operation, input and visitor: all that must be the same when the id comes again. */
  readonly fingerprint: string;
  readonly visitor: string | undefined;
  /** `true` if an earlier attempt ended with an unknown outcome. */
  readonly retry: boolean;
}

/** Value in the store. Without a reply the call is running, or the server that ran it has stopped. */
interface Entry {
  readonly fingerprint: string;
  readonly reply?: Reply;
}

/** Performs each call id once, and replies to its other attempts with the result of the first. */
export class CallOnce {
  readonly #running = new Map<string, { readonly fingerprint: string; readonly reply: Promise<Reply> }>();

  readonly #store: DedupeStore;
  readonly #ttl: number;

  constructor({ ttl = 600_000, max = 10_000, store = new ResultMemory(max) }: DedupeOptions) {
    this.#store = store;
    this.#ttl = ttl;
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
    const { id, operation, fingerprint, visitor, retry } = attempt;
    const set = (entry: Entry, ifAbsent: boolean) =>
      this.#store.set(id, JSON.stringify(entry), { ttl: this.#ttl, ifAbsent, visitor });
    const entry = await callFunction('not-sent', async () => parseEntry(await this.#store.get(id)));
    if (entry && entry.fingerprint !== fingerprint) throw otherCall(attempt);
    if (entry?.reply) return entry.reply;
    if (entry) throw notEnded(operation);
    if (retry) throw notRemembered(operation);
    const claimed = await callFunction('not-sent', () => set({ fingerprint }, true));
    if (claimed === false || claimed === null) throw notEnded(operation);
    const reply = await perform();
    await callFunction(reply.status === 200 ? 'done' : 'unknown', () => set({ fingerprint, reply }, false));
    return reply;
  }
}

const parseEntry = (value: string | null | undefined): Partial<Entry> | undefined =>
  value === null || value === undefined ? undefined : Object(JSON.parse(value));

/** Creates the failure of a retry whose first attempt may have acted, but whose result is not stored. */
export const notRemembered = (operation: string): Error =>
  earlierAttempt(operation, 'the result of an earlier attempt is not known; it may have acted.');

const notEnded = (operation: string) => earlierAttempt(operation, 'an earlier attempt has not ended.');

const otherCall = ({ operation }: Attempt) =>
  rejection(409, `${operation}: this call id belongs to another call.`, 'unknown');

/** Characters of a value that count as one result: a longer one takes the room of several. */
const charactersPerResult = 1_000;

/** Part of the memory that the results of one visitor may take. */
const visitorShare = 1 / 10;

interface RememberedValue {
  readonly value: string;
  readonly expires: number;
  readonly visitor: string | undefined;
}

/** Store of one process. Forgets the oldest value first if there are more results than `max`. */
class ResultMemory implements DedupeStore {
  /** Oldest first. */
  readonly #values = new Map<string, RememberedValue>();
  /** Number of results of each visitor, and under `undefined` of all. */
  readonly #counts = new Map<string | undefined, number>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get(id: string): string | undefined {
    const remembered = this.#values.get(id);
    return remembered && remembered.expires > Date.now() ? remembered.value : undefined;
  }

  /** Replaces the value of an id, even `ifAbsent`: only one handler uses the store, and knows which calls run. */
  set(id: string, value: string, { ttl, visitor }: Parameters<DedupeStore['set']>[2]): void {
    this.#delete(id);
    const remembered = { value, expires: Date.now() + ttl, visitor };
    this.#values.set(id, remembered);
    this.#count(remembered, 1);
    for (const [oldest, { visitor: owner }] of this.#values) {
      if (this.#isOver(undefined) || (owner === visitor && this.#isOver(visitor))) this.#delete(oldest);
      else if (!this.#isOver(visitor)) break;
    }
  }

  #delete(id: string): void {
    const remembered = this.#values.get(id);
    if (remembered) this.#count(remembered, -1);
    this.#values.delete(id);
  }

  #count({ value, visitor }: RememberedValue, sign: 1 | -1): void {
    for (const owner of new Set([undefined, visitor])) {
      const before = this.#counts.get(owner) ?? 0;
      const count = before + sign * Math.ceil(value.length / charactersPerResult);
      if (count > 0) this.#counts.set(owner, count);
      else this.#counts.delete(owner);
    }
  }

  #isOver(owner: string | undefined): boolean {
    const share = owner === undefined ? 1 : visitorShare;
    return (this.#counts.get(owner) ?? 0) > Math.ceil(this.#max * share);
  }
}

import { TimeLimitExceeded, withTimeout } from '../../core/timers.ts';
import type { Outcome } from '../../errors.ts';
import type { CallStore } from './options.ts';
import { callFunction, earlierAttempt, type Reply, rejection } from './reply.ts';

/** One attempt of a web page to make a call that is not idempotent. */
export interface Attempt {
  readonly id: string;
  readonly operation: string;
  /**
   * Hash of the operation, the input as the page sent it, and the input that `authorize` allowed: all must be the same when
   * the id comes again. So no visitor gets the result of a call that was made for another.
   */
  readonly fingerprint: string;
  /** `true` if an earlier attempt ended with an unknown outcome. */
  readonly retry: boolean;
}

/** Value in the store. Without a reply the call is still running, or its server stopped before it ended. */
interface Entry {
  readonly fingerprint: string;
  readonly reply?: Reply;
}

/** Performs each call id once, and replies to its other attempts with the result of the first. */
export class CallOnce {
  readonly #running = new Map<string, { readonly fingerprint: string; readonly reply: Promise<Reply> }>();

  readonly #store: CallStore;

  constructor(store: CallStore = new ResultMemory()) {
    this.#store = store;
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
    const { id, operation, fingerprint, retry } = attempt;
    const set = (entry: Entry, ifAbsent: boolean) => this.#store.set(id, JSON.stringify(entry), { ifAbsent });
    const entry = await callStore('unknown', async () => parseEntry(await this.#store.get(id)));
    if (entry && entry.fingerprint !== fingerprint) throw otherCall(attempt);
    if (entry?.reply) return entry.reply;
    if (entry) throw notEnded(operation);
    if (retry) throw notRemembered(operation);
    const claimed = await callStore('unknown', async () => set({ fingerprint }, true));
    if (claimed === false || claimed === null) throw notEnded(operation);
    const reply = await perform();
    const outcome = reply.status === 200 ? 'done' : 'unknown';
    await callStore(outcome, async () => set({ fingerprint, reply }, false));
    return reply;
  }
}

/** Milliseconds for one step of the store. Clients of Redis wait for a lost server without a limit of their own. */
const storeTimeoutMs = 5_000;

const callStore = <T>(outcome: Outcome, run: () => Promise<T>): Promise<T> =>
  callFunction(outcome, () =>
    withTimeout(storeTimeoutMs, undefined, run).catch(error => {
      if (error instanceof TimeLimitExceeded)
        throw new Error(`The store did not respond within ${storeTimeoutMs} ms.`);
      throw error;
    }),
  );

const parseEntry = (value: string | null | undefined): Partial<Entry> | undefined =>
  value === null || value === undefined ? undefined : Object(JSON.parse(value));

/** Creates the failure of a retry whose first attempt may have acted, but whose result is not stored. */
export const notRemembered = (operation: string): Error =>
  earlierAttempt(operation, 'the result of an earlier attempt is not known; it may have acted.');

const notEnded = (operation: string) => earlierAttempt(operation, 'an earlier attempt has not ended.');

const otherCall = ({ operation }: Attempt) =>
  rejection(409, `${operation}: this call id belongs to another call.`, 'unknown');

/** Bytes of memory that the results of one process may take: of more than ten thousand calls. */
const memoryBytes = 10_000_000;

/** Bytes of an id and of its place in the memory, in round figures. */
const bytesPerId = 200;

/** Store of one process. Forgets the oldest values first if it has no room. */
class ResultMemory implements CallStore {
  /** Oldest first. */
  readonly #values = new Map<string, string>();
  #bytes = 0;

  get(id: string): string | undefined {
    return this.#values.get(id);
  }

  /** Replaces the value of an id, even `ifAbsent`: only one handler uses the store, and knows which calls run. */
  set(id: string, value: string): void {
    this.#delete(id);
    this.#values.set(id, value);
    this.#bytes += sizeOf(value);
    for (const oldest of this.#values.keys()) {
      if (this.#bytes <= memoryBytes) break;
      this.#delete(oldest);
    }
  }

  #delete(id: string): void {
    const value = this.#values.get(id);
    if (value !== undefined) this.#bytes -= sizeOf(value);
    this.#values.delete(id);
  }
}

/** Returns the bytes that a value takes at most: two for each character. */
const sizeOf = (value: string) => bytesPerId + 2 * value.length;

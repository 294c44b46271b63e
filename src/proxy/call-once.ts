import { callIdHeader } from '../browser/protocol.ts';
import { parseJson } from '../core/json.ts';
import type { Outcome } from '../error-details.ts';
import type { CallStore } from './handler-options.ts';
import { callFunction, earlierAttempt, type Reply, rejection, within } from './reply.ts';

/** One request of a web page for a call that is not a read. */
export interface IdentifiedRequest {
  readonly id: string;
  readonly operation: string;
  /** Hash of the operation and the allowed input, so that visitors cannot get results of other calls. */
  readonly fingerprint: string;
  /** `true` if an earlier attempt of a call that is not idempotent ended with an unknown outcome. */
  readonly retry: boolean;
}

/** Entry of an id. Without a reply, the call is still running, or its server stopped before the end. */
interface Entry {
  readonly fingerprint: string;
  readonly reply?: Reply;
}

/** Returns the outcome of a request that is rejected. */
export type OutcomeOfRejection = () => Promise<Outcome>;

/** Suffix of the key that records that a request with this id has arrived. */
const noteSuffix = '-arrived';

/**
 * Prefix of stored values, so that clients of stores do not parse them as JSON. Change it with the format of entries or
 * fingerprints.
 */
const entryPrefix = 'v2:';

/** Performs each call id once, and replies to its other attempts with the result of the first. */
export class CallOnce {
  readonly #running = new Map<string, { readonly fingerprint: string; readonly reply: Promise<Reply> }>();

  readonly #store: CallStore;

  /** Ids of requests that arrived. Separate from results, because rejected requests can fill it. */
  readonly #notes: CallStore;

  constructor(store?: CallStore) {
    this.#store = store ?? new MemoryStore();
    this.#notes = store ?? new MemoryStore();
  }

  /**
   * Returns the reply to an attempt. `run`, which never rejects, is called unless another attempt performs the call.
   */
  reply(attempt: IdentifiedRequest, run: () => Promise<Reply>): Promise<Reply> {
    const { id, operation, fingerprint } = attempt;
    const running = this.#running.get(id);
    if (running) {
      if (running.fingerprint !== fingerprint) throw otherCall(operation);
      const tooLate = () => notEnded(operation);
      return within(runningTimeoutMs, () => running.reply, tooLate);
    }
    const reply = this.#first(attempt, run).finally(() => this.#running.delete(id));
    this.#running.set(id, { fingerprint, reply });
    return reply;
  }

  /**
   * Notes that a request arrived, before it is authorized. If it is then rejected, its outcome is `not-sent` only if no
   * other request with this id has arrived, because the other may have been allowed.
   */
  async note(id: string): Promise<OutcomeOfRejection> {
    const key = id + noteSuffix;
    const write = (value: string, ifAbsent: boolean) =>
      callStore('unknown', async () => Boolean(await this.#notes.set(key, value, { ifAbsent })));
    // A failing store does not stop idempotent calls.
    const isFirst = await write('first', true).catch(() => false);
    if (!isFirst) await write('another', false).catch(() => {});
    return async () => {
      const read = () => Promise.all([callStore('unknown', async () => this.#notes.get(key)), this.#get(id)]);
      const [note, reply] = await read().catch(() => []);
      return isFirst && note === 'first' && reply === undefined ? 'not-sent' : 'unknown';
    };
  }

  async #first(attempt: IdentifiedRequest, run: () => Promise<Reply>): Promise<Reply> {
    const { id, operation, fingerprint, retry } = attempt;
    const value = await this.#get(id);
    if (value !== undefined) return replyOf(value, attempt);
    if (retry) throw notRemembered(operation);
    if (!(await this.#set('unknown', id, { fingerprint }))) throw notEnded(operation);
    const reply = await run();
    const outcome = reply.status === 200 ? 'done' : 'unknown';
    await this.#set(outcome, id, { fingerprint, reply });
    return reply;
  }

  #get(id: string): Promise<string | undefined> {
    return callStore('unknown', async () => (await this.#store.get(id)) ?? undefined);
  }

  /** Stores the entry of an id. Returns `false` if the entry has no reply and the id already has an entry. */
  #set(outcome: Outcome, id: string, entry: Entry): Promise<boolean> {
    const ifAbsent = entry.reply === undefined;
    const value = entryPrefix + JSON.stringify(entry);
    return callStore(outcome, async () => Boolean(await this.#store.set(id, value, { ifAbsent })));
  }
}

/**
 * Maximum wait for a running attempt, in milliseconds: less than a page's time limit, because Workers can silently end
 * the attempt.
 */
const runningTimeoutMs = 25_000;

/** Time limit for one access to the store, in milliseconds. Redis clients wait for a lost server without a limit. */
const storeTimeoutMs = 5_000;

const callStore = <T>(outcome: Outcome, run: () => Promise<T>): Promise<T> =>
  callFunction(outcome, () => within(storeTimeoutMs, run, storeHangs));

const storeHangs = () => new Error(`The store did not respond within ${storeTimeoutMs} ms.`);

/** Returns the stored reply. If another version of the handler stored the value, the outcome of its call is unknown. */
function replyOf(value: string, { operation, fingerprint }: IdentifiedRequest): Reply {
  const entry = value.startsWith(entryPrefix) ? parseJson(value.slice(entryPrefix.length)) : undefined;
  if (entry === undefined) throw notRemembered(operation);
  const { reply, ...stored } = entry as Entry;
  if (stored.fingerprint !== fingerprint) throw otherCall(operation);
  if (!reply) throw notEnded(operation);
  return reply;
}

/** Creates the failure of a call that an earlier attempt may have performed, but whose result is not stored. */
const notRemembered = (operation: string) =>
  earlierAttempt(operation, 'an earlier attempt may have taken effect; its result is unknown.');

/** Creates the failure of a call without an id, which could be performed twice. */
export const withoutId = (operation: string): Error =>
  rejection(
    400,
    `${operation}: the header ${callIdHeader} is missing, so the call could take effect twice. Let proxies pass it on, or send 32 new hexadecimal digits with each call.`,
  );

const notEnded = (operation: string) => earlierAttempt(operation, 'an earlier attempt has not ended.');

const otherCall = (operation: string) =>
  rejection(409, `${operation}: this call id belongs to another call.`, 'unknown');

/** Maximum memory for the results of one process, in bytes: enough for more than ten thousand calls. */
const memoryBytes = 10_000_000;

/** Approximate memory for an id and its entry, in bytes. */
const bytesPerId = 200;

/** Store in the memory of one process. It drops the oldest values if it is full. */
class MemoryStore implements CallStore {
  /** Oldest first. */
  readonly #values = new Map<string, string>();
  #bytes = 0;

  get(id: string): string | undefined {
    return this.#values.get(id);
  }

  set(id: string, value: string, { ifAbsent }: { readonly ifAbsent: boolean }): boolean {
    if (ifAbsent && this.#values.has(id)) return false;
    this.#delete(id);
    this.#values.set(id, value);
    this.#bytes += sizeOf(value);
    for (const oldest of this.#values.keys()) {
      if (this.#bytes <= memoryBytes) break;
      this.#delete(oldest);
    }
    return true;
  }

  #delete(id: string): void {
    const value = this.#values.get(id);
    if (value !== undefined) this.#bytes -= sizeOf(value);
    this.#values.delete(id);
  }
}

/** Returns the maximum memory for a value, in bytes: two for each character. */
const sizeOf = (value: string) => bytesPerId + 2 * value.length;

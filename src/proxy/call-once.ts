import { callIdHeader } from '../browser/protocol.ts';
import { parseJson } from '../core/json.ts';
import type { Outcome } from '../error-details.ts';
import type { CallStore } from './handler-options.ts';
import { callFunction, earlierAttempt, type Reply, rejection, within } from './reply.ts';

/** One request of a web page for a call that is not a read. */
export interface IdentifiedRequest {
  readonly id: string;
  readonly operation: string;
  /** Hash of the operation and of the input that was allowed, so that no visitor gets the result of another's call. */
  readonly fingerprint: string;
  /** `true` if an earlier attempt of a call that is not idempotent ended with an unknown outcome. */
  readonly retry: boolean;
}

/** What is known of an id. Without a reply the call is still running, or its server stopped before it ended. */
interface Entry {
  readonly fingerprint: string;
  readonly reply?: Reply;
}

/** Returns the outcome of a request that is rejected. */
export type OutcomeOfRejection = () => Promise<Outcome>;

/** Follows an id in the key of the note that a request with this id has arrived. */
const noteSuffix = '-arrived';

/** Begins a value in the store, which no client takes for JSON. Changes with the form of entries and fingerprints. */
const entryPrefix = 'v2:';

/** Performs each call id once, and replies to its other attempts with the result of the first. */
export class CallOnce {
  readonly #running = new Map<string, { readonly fingerprint: string; readonly reply: Promise<Reply> }>();

  readonly #store: CallStore;

  /** Ids of requests that arrived. Visitors who are rejected fill it, so it holds no results. */
  readonly #notes: CallStore;

  constructor(store?: CallStore) {
    this.#store = store ?? new MemoryStore();
    this.#notes = store ?? new MemoryStore();
  }

  /** Returns the reply to an attempt. `run` is called unless another attempt performs the call; it never rejects. */
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
   * Notes that a request arrived, before it is authorized. If it is then rejected, its outcome is `not-sent` only if no other
   * request with this id has arrived, because that one may be allowed.
   */
  async note(id: string): Promise<OutcomeOfRejection> {
    const key = id + noteSuffix;
    const write = (value: string, ifAbsent: boolean) =>
      callStore('unknown', async () => Boolean(await this.#notes.set(key, value, { ifAbsent })));
    // A store that fails does not stop a call that can be repeated.
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

  /** Stores the entry of an id. Returns `false` if it has no reply and the id has an entry. */
  #set(outcome: Outcome, id: string, entry: Entry): Promise<boolean> {
    const ifAbsent = entry.reply === undefined;
    const value = entryPrefix + JSON.stringify(entry);
    return callStore(outcome, async () => Boolean(await this.#store.set(id, value, { ifAbsent })));
  }
}

/** Longest wait in milliseconds for an attempt that runs, below that of a page: Workers can end that attempt unseen. */
const runningTimeoutMs = 25_000;

/** Milliseconds for one step of the store. Clients of Redis wait for a lost server without a limit of their own. */
const storeTimeoutMs = 5_000;

const callStore = <T>(outcome: Outcome, run: () => Promise<T>): Promise<T> =>
  callFunction(outcome, () => within(storeTimeoutMs, run, storeHangs));

const storeHangs = () => new Error(`The store did not respond within ${storeTimeoutMs} ms.`);

/** Returns the reply that the store holds. A value of another version of the handler does not tell what its call has done. */
function replyOf(value: string, { operation, fingerprint }: IdentifiedRequest): Reply {
  const entry = value.startsWith(entryPrefix) ? parseJson(value.slice(entryPrefix.length)) : undefined;
  if (entry === undefined) throw notRemembered(operation);
  const { reply, ...stored } = entry as Entry;
  if (stored.fingerprint !== fingerprint) throw otherCall(operation);
  if (!reply) throw notEnded(operation);
  return reply;
}

/** Creates the failure of a call whose earlier attempt may have acted, but whose result is not stored. */
const notRemembered = (operation: string) =>
  earlierAttempt(operation, 'an earlier attempt may have taken effect; its result is not known.');

/** Creates the failure of a call without an id: nobody could tell if it arrives twice. */
export const withoutId = (operation: string): Error =>
  rejection(
    400,
    `${operation}: the header ${callIdHeader} is missing, so that the call could take effect twice: let it pass whatever is in between, or send 32 new hexadecimal digits with each call.`,
  );

const notEnded = (operation: string) => earlierAttempt(operation, 'an earlier attempt has not ended.');

const otherCall = (operation: string) =>
  rejection(409, `${operation}: this call id belongs to another call.`, 'unknown');

/** Bytes of memory that the results of one process may take: of more than ten thousand calls. */
const memoryBytes = 10_000_000;

/** Bytes of an id and of its place in the memory, in round figures. */
const bytesPerId = 200;

/** Store of one process. Forgets the oldest values first if it has no room. */
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

/** Returns the bytes that a value takes at most: two for each character. */
const sizeOf = (value: string) => bytesPerId + 2 * value.length;

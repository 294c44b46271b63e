import { isObject } from '../http/json.ts';
import type { DedupeStore, ProxySettings } from './options.ts';
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

  readonly #settings: ProxySettings['dedupe'];

  constructor(settings: ProxySettings['dedupe']) {
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
    const { id, operation, fingerprint, visitor, retry } = attempt;
    const { store, ttl } = this.#settings;
    const set = (entry: Entry, ifAbsent: boolean) =>
      store.set(id, JSON.stringify(entry), { ttl, ifAbsent, visitor });
    const entry = await callFunction('not-sent', async () => parseEntry(await store.get(id)));
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

function parseEntry(value: string | null | undefined): Entry | undefined {
  if (value === null || value === undefined) return undefined;
  const entry: unknown = JSON.parse(value);
  if (isObject(entry) && typeof entry.fingerprint === 'string' && isReply(entry.reply))
    return entry as unknown as Entry;
  throw new TypeError('dedupe.store.get must return what dedupe.store.set stored.');
}

/** Accepts the statuses of replies: no response can have most others. */
function isReply(reply: unknown): boolean {
  if (reply === undefined) return true;
  if (!isObject(reply) || typeof reply.body !== 'string') return false;
  const status = Number.isInteger(reply.status) ? Number(reply.status) : 0;
  return status === 200 || (status >= 400 && status < 600);
}

/** Creates the failure of a retry whose first attempt may have acted, though nothing is known of it here. */
export const notRemembered = (operation: string): Error =>
  earlierAttempt(operation, 'the result of an earlier attempt is not known; it may have acted.');

const notEnded = (operation: string) => earlierAttempt(operation, 'an earlier attempt has not ended.');

const otherCall = ({ operation }: Attempt) =>
  rejection(409, `${operation}: this call id belongs to another call.`, 'unknown');

interface RememberedValue {
  readonly value: string;
  readonly expires: number;
  readonly visitor: string | undefined;
}

/** Part of the memory that the results of one visitor may take. */
const visitorShare = 1 / 10;

/** Store of one process: forgets the oldest value first, by time, number and size. */
export class ResultMemory implements DedupeStore {
  /** In the order of their expiry, as all live equally long. */
  readonly #values = new Map<string, RememberedValue>();

  readonly #max: number;
  readonly #maxLength: number;

  constructor(max: number, maxLength: number) {
    this.#max = max;
    this.#maxLength = maxLength;
  }

  get(id: string): string | undefined {
    this.#forgetExpired();
    return this.#values.get(id)?.value;
  }

  set(id: string, value: string, { ttl, ifAbsent, visitor }: Parameters<DedupeStore['set']>[2]): boolean {
    this.#forgetExpired();
    if (ifAbsent && this.#values.has(id)) return false;
    this.#values.delete(id);
    this.#values.set(id, { value, expires: Date.now() + ttl, visitor });
    const all = [...this.#values].reverse();
    if (visitor !== undefined) {
      const own = all.filter(([, remembered]) => remembered.visitor === visitor);
      this.#keep(own, Math.ceil(this.#max * visitorShare), this.#maxLength * visitorShare);
    }
    this.#keep(all, this.#max, this.#maxLength);
    return true;
  }

  /** Keeps the newest values, as many as the limits allow. */
  #keep(newestFirst: [string, RememberedValue][], max: number, maxLength: number): void {
    let length = 0;
    for (const [index, [id, { value }]] of newestFirst.entries()) {
      length += value.length;
      if (index >= max || length > maxLength) this.#values.delete(id);
    }
  }

  #forgetExpired(): void {
    const now = Date.now();
    for (const [id, { expires }] of this.#values) {
      if (expires > now) break;
      this.#values.delete(id);
    }
  }
}

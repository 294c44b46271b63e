import type { Journal, RecordedRequest } from './journal.ts';
import type { ReadRequest } from './service/service.ts';

/** Limits of a journal. */
export interface JournalLimits {
  /** Number of requests kept. */
  readonly journalLimit: number;
  /** Bytes of requests and responses kept, about. */
  readonly journalBytes: number;
}

/** A request that is being recorded. */
export type OpenEntry = { -readonly [Key in keyof RecordedRequest]: RecordedRequest[Key] };

/** Share by which the number of requests may exceed its limit before the oldest go, so that they go many at a time. */
const slack = 1.1;
/** Bytes that an entry takes besides its texts, about. */
const entryBytes = 500;

/** Keeps a journal within its limits; the oldest requests go first. */
export class JournalWriter {
  readonly #journal: Journal;
  readonly #limits: JournalLimits;
  readonly #sizes = new WeakMap<RecordedRequest, number>();
  readonly #sources = new WeakMap<RecordedRequest, ReadRequest>();
  readonly #listeners = new Set<(entry: RecordedRequest) => void>();
  #bytes = 0;
  #count = 0;
  #revision = 0;
  #clears = 0;

  constructor(journal: Journal, limits: JournalLimits) {
    this.#journal = journal;
    this.#limits = limits;
  }

  /** Number of the next request. */
  get nextNumber(): number {
    return this.#count + 1;
  }

  /** Grows whenever records may have changed. */
  get revision(): number {
    return this.#revision;
  }

  /** Number of times that the journal was cleared. */
  get clears(): number {
    return this.#clears;
  }

  /** Notes that records may have changed. */
  touch(): void {
    this.#revision += 1;
  }

  /** Returns a request as it came, to send it again. */
  source(entry: RecordedRequest): ReadRequest | undefined {
    return this.#sources.get(entry);
  }

  /** Records a request. */
  open(entry: OpenEntry, source: ReadRequest): void {
    this.#count += 1;
    this.#sources.set(entry, source);
    if (this.#journal.length === 0) this.#bytes = 0;
    this.#journal.push(entry);
    this.#addBytes(entry, sizeOf(source) + entryBytes);
    this.#trim();
    this.#notify(entry);
  }

  /** Records that a request has ended. */
  close(entry: OpenEntry): void {
    if (entry.method !== 'GET') this.touch();
    this.#addBytes(entry, entry.response?.text.length ?? 0);
    this.#trim();
    this.#notify(entry);
  }

  /** Calls a listener with each request when it comes and when it ends; returns a function that stops it. */
  listen(listener: (entry: RecordedRequest) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Removes every request; numbers go on. */
  clear(): void {
    this.#journal.length = 0;
    this.#bytes = 0;
    this.#clears += 1;
    this.touch();
  }

  /** Removes every request; numbers start again at 1. */
  reset(): void {
    this.clear();
    this.#count = 0;
  }

  #addBytes(entry: RecordedRequest, bytes: number): void {
    this.#sizes.set(entry, (this.#sizes.get(entry) ?? 0) + bytes);
    this.#bytes += bytes;
  }

  #trim(): void {
    const { journalLimit, journalBytes } = this.#limits;
    const journal = this.#journal;
    let surplus = journal.length > journalLimit * slack + 1 ? journal.length - journalLimit : 0;
    let bytes = this.#bytes;
    for (let index = 0; index < journal.length - 1 && (index < surplus || bytes > journalBytes); index++) {
      bytes -= this.#sizes.get(journal[index] as RecordedRequest) ?? 0;
      surplus = Math.max(surplus, index + 1);
    }
    if (surplus > 0) journal.splice(0, surplus);
    this.#bytes = bytes;
  }

  #notify(entry: RecordedRequest): void {
    for (const listener of this.#listeners) listener(entry);
  }
}

function sizeOf({ url, headers, body = '' }: ReadRequest): number {
  let size = url.href.length + body.length;
  for (const [name, value] of headers) size += name.length + value.length;
  return size;
}

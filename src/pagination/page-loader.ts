/** Loads one page; `callOptions` hold a signal that aborts when the page is no longer wanted. */
export type LoadPage<T> = (
  page: { readonly offset: number; readonly limit: number },
  callOptions: { readonly signal: AbortSignal },
) => Promise<readonly T[]>;

/** Records that one response held. */
export interface Page<T> {
  readonly offset: number;
  readonly records: readonly T[];
  /** Number of the request, from 1. */
  readonly number: number;
}

/** Errors by which a service may reject a `limit` or an `offset`: its status for that is not documented. */
const rejections: readonly unknown[] = ['BadRequestError', 'ApiError', 'ServerError'];

/** Reason of an abort, which nobody sees. The default one is an error with a stack, which costs time. */
const notWanted = 'not wanted';

/** Offset behind the end of every list, which a service that stores it in 32 bits accepts. */
const farOffset = 2_000_000_000;

/** Loads pages, also before they are needed, and learns how many records the service returns at once. */
export class PageLoader<T> {
  readonly #load: LoadPage<T>;
  readonly #sizes: readonly number[];
  /** Pages that are in flight or have not been taken, in the order of their offsets. */
  readonly #queue: { readonly offset: number; readonly page: Promise<Page<T>> }[] = [];
  #controller = new AbortController();
  #requests = 0;
  /** Pages that were read in a row, and as long as the longest one before the last of them. */
  #full = 0;
  #longest: number | undefined;
  /** An empty page has come. */
  #hasEnded = false;
  /** Records per request. */
  limit: number;
  /** Number of records in the longest response. */
  largest = 0;

  /** `sizes` are the page sizes to request, largest first; the next is used when the service rejects one. */
  constructor(load: LoadPage<T>, sizes: readonly [number, ...number[]]) {
    this.#load = load;
    [this.limit] = sizes;
    this.#sizes = sizes;
  }

  /** Distance between pages that overlap by one record. */
  get step(): number {
    return Math.max(1, this.largest - 1);
  }

  /** Cancels what is in flight and drops what has arrived. */
  cancel(reason: unknown = notWanted): void {
    // To abort a signal costs more than to handle a page of records.
    if (this.#queue.length > 0) {
      this.#controller.abort(reason);
      this.#controller = new AbortController();
      this.#queue.length = 0;
    }
    this.#full = 0;
    this.#hasEnded = false;
  }

  /** Loads the pages behind one: at most `most`, and twice as many as full ones were read in a row. */
  prefetch({ offset, records: { length } }: Page<T>, most: number): void {
    // A first page that is shorter than requested shows that the service caps, or that little follows.
    const full = length >= (this.#longest ?? this.limit) ? this.#full + 1 : 0;
    this.#longest = Math.max(2, this.largest);
    this.#seek(offset + Math.max(1, length - 1));
    this.#full = full;
    const count = Math.min(most, Math.max(1, 2 * full));
    while (this.#queue.length < count && !this.#hasEnded)
      this.#start((this.#queue.at(-1)?.offset ?? 0) + this.step);
  }

  /** Resolves to the page at `offset`, or to a prefetched one that starts before it. */
  async take(offset: number): Promise<Page<T>> {
    const page = await this.#seek(offset);
    this.#queue.shift();
    return page;
  }

  /** Resolves to `true` if records come even from far behind the end of the list, so that `offset` has no effect. */
  async ignoresOffset(): Promise<boolean> {
    this.cancel();
    try {
      return (await this.#fetch(farOffset, this.#controller.signal)).records.length > 0;
    } catch (error) {
      if (isRejection(error)) return false;
      throw error;
    }
  }

  /** Returns the first page in the queue. Starts anew at `offset` unless that page starts there or before. */
  #seek(offset: number): Promise<Page<T>> {
    const [first] = this.#queue;
    if (first && first.offset <= offset) return first.page;
    this.cancel();
    return this.#start(offset);
  }

  #start(offset: number): Promise<Page<T>> {
    const page = this.#fetch(offset, this.#controller.signal);
    // It may never be taken.
    page.catch(() => {});
    this.#queue.push({ offset, page });
    return page;
  }

  async #fetch(offset: number, signal: AbortSignal): Promise<Page<T>> {
    const number = ++this.#requests;
    for (;;) {
      const { limit } = this;
      try {
        const records = await this.#load({ offset, limit }, { signal });
        this.largest = Math.max(this.largest, records.length);
        if (records.length === 0 && !signal.aborted) this.#hasEnded = true;
        return { offset, records, number };
      } catch (error) {
        const smaller = this.#sizes.find(size => size < limit);
        if (this.largest > 0 || !smaller || !isRejection(error)) throw error;
        this.limit = smaller;
      }
    }
  }
}

const isRejection = (error: unknown): boolean => rejections.includes((error as Error | undefined)?.name);

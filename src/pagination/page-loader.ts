import { pageNoLongerNeeded } from '../call/call-events.ts';
import { isServiceBody } from '../call/status.ts';
import { ApiError } from '../errors.ts';

/** Loads one page. The signal in `callOptions` aborts when the page is no longer needed. */
export type LoadPage<T> = (
  page: { readonly offset: number; readonly limit: number },
  callOptions: { readonly signal: AbortSignal },
) => Promise<readonly T[]>;

/** What every record has. */
export interface Identified {
  readonly id: string;
}

/** Records of one response, from `offset` up to `end`. */
export interface Page<T> {
  readonly offset: number;
  readonly end: number;
  readonly records: readonly T[];
  /** Number of records in the response, of which `records` can be a part. */
  readonly receivedCount: number;
  /** Error with which the service rejected the offset, if it did; `records` is then empty. */
  readonly rejection?: ApiError | undefined;
}

/** Offset past the end of any list; fits into 32 bits. */
export const farOffset = 2_000_000_000;

/** A page that is loading, or not yet used. Many calls with one signal take longer than calls with a signal each. */
interface QueuedPage<T> {
  readonly offset: number;
  readonly page: Promise<Page<T>>;
  readonly controller: AbortController;
}

/** Loads and prefetches pages, and learns how many records the service returns per request. */
export class PageLoader<T> {
  readonly #load: LoadPage<T>;
  readonly #sizes: readonly number[];
  readonly #prefetched: number;
  /** By offset. */
  readonly #queue: QueuedPage<T>[] = [];
  /** Why the loop was left, if it was. A field, because checking a signal for each record takes a tenth longer. */
  #abandoned: { readonly reason: unknown } | undefined;
  /** Records per request. */
  limit: number;
  /** Number of records in the longest response. */
  longestPage = 0;
  /** Number of consecutive full pages, which are as long as the longest one. */
  #fullPages = 0;
  /** Whether a page was empty. If so, no more pages are prefetched. */
  #wasEmpty = false;
  /** Number of records by which the list may move up before a page. */
  moved = 0;

  /** `sizes` are the page sizes to try, in this order; `prefetched` is the maximum number of pages to prefetch. */
  constructor(load: LoadPage<T>, sizes: readonly [number, ...number[]], prefetched: number) {
    this.#load = load;
    [this.limit] = sizes;
    this.#sizes = sizes;
    this.#prefetched = prefetched;
  }

  /** Number of records that a page has in common with the one before: one, and as many as the list may move up. */
  get #overlap(): number {
    return 1 + Math.round(this.moved);
  }

  /** Distance between pages that overlap. */
  get step(): number {
    return Math.max(1, this.longestPage - this.#overlap);
  }

  /** Returns the offset of the next page: after this one, if it has a single record. */
  offsetAfter({ offset, end }: Page<T>): number {
    return Math.max(offset + 1, end - this.#overlap);
  }

  /**
   * Notes that `moved` more records were deleted than added before a page, so that it starts too late. Deletions come in bursts
   * and affect all pages in flight, so the overlap grows at once and shrinks slowly.
   */
  noteMove(moved: number): void {
    this.moved = Math.max((this.moved * 7) / 8, Math.min(moved, Math.floor(this.longestPage / 2)));
  }

  /** Ends the requests in flight for good. */
  leave(reason: unknown): void {
    this.#abandoned ??= { reason };
    this.cancel(reason);
  }

  /** If the loop was left, throws the reason. */
  throwIfAbandoned(): void {
    if (this.#abandoned) throw this.#abandoned.reason;
  }

  /** Cancels pages that are loading, and drops the others. */
  cancel(reason: unknown = pageNoLongerNeeded): void {
    for (const { controller } of this.#queue.splice(0)) controller.abort(reason);
    this.#fullPages = 0;
    this.#wasEmpty = false;
  }

  /** Prefetches pages after this one: at most twice the number of consecutive full pages. */
  prefetch(page: Page<T>): void {
    if (this.#prefetched === 0) return;
    // If the first page is shorter than requested, the service caps the size, or little follows.
    const isFull = page.receivedCount >= (page.offset === 0 ? this.limit : Math.max(2, this.longestPage));
    const full = isFull ? this.#fullPages + 1 : 0;
    this.#seek(this.offsetAfter(page));
    this.#fullPages = full;
    const count = Math.min(this.#prefetched, Math.max(1, 2 * full));
    while (this.#queue.length < count && !this.#wasEmpty)
      this.#start((this.#queue.at(-1)?.offset ?? 0) + this.step);
  }

  /** Resolves to the page at `offset`, or to a prefetched one that starts before it. */
  async take(offset: number): Promise<Page<T>> {
    this.throwIfAbandoned();
    const page = await this.#seek(Math.max(0, offset));
    this.#queue.shift();
    return page;
  }

  /** Returns the first queued page. If it starts after `offset`, starts over at `offset`. */
  #seek(offset: number): Promise<Page<T>> {
    const [first] = this.#queue;
    if (first && first.offset <= offset) return first.page;
    this.cancel();
    return this.#start(offset);
  }

  #start(offset: number): Promise<Page<T>> {
    const controller = new AbortController();
    const page = this.#fetch(offset, controller.signal);
    // The page may be dropped before it is awaited.
    page.catch(() => {});
    this.#queue.push({ offset, page, controller });
    return page;
  }

  async #fetch(offset: number, signal: AbortSignal): Promise<Page<T>> {
    for (;;) {
      const { limit } = this;
      // Until a page with records arrives, the service may reject this limit.
      const smaller = this.longestPage > 0 ? undefined : this.#sizes.find(size => size < limit);
      let records: readonly T[] = [];
      let rejection: ApiError | undefined;
      try {
        records = await this.#load({ offset, limit }, { signal });
      } catch (error) {
        if (!isRejection(error)) throw error;
        rejection = error;
      }
      this.longestPage = Math.max(this.longestPage, records.length);
      if (records.length > 0 || !smaller) {
        // Other pages show whether the offset is past the last record.
        if (rejection && !saysNothingAt(offset, rejection)) throw rejection;
        this.#wasEmpty ||= records.length === 0;
        const end = offset + records.length;
        return { offset, end, records, receivedCount: records.length, rejection };
      }
      this.limit = smaller;
    }
  }
}

/** Returns `true` if an error can mean a rejected `limit` (rule 4.6), as nearly any error response can. */
const isRejection = (error: unknown): error is ApiError =>
  ApiError.isInstance(error) && ![401, 429].includes(error.response.status);

/** Returns `true` if an error can mean that there is no record at `offset` or after it (rules 4.7 and 4.8). */
const saysNothingAt = (offset: number, { name, response, body }: ApiError): boolean =>
  (offset > 0 && [400, 416, 422].includes(response.status)) ||
  (name === 'NotFoundError' && isServiceBody(body));

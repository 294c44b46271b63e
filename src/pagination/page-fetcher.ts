/** One page to load. */
interface PageRequest {
  readonly offset: number;
  readonly limit: number;
}

/** Loads one page; `callOptions` hold a signal that aborts when the page is no longer wanted. */
export type LoadPage<T> = (
  page: PageRequest,
  callOptions: { readonly signal: AbortSignal },
) => Promise<readonly T[]>;

/** The records that one response held. */
export interface Page<T> {
  readonly offset: number;
  readonly records: readonly T[];
}

/** A page that is in flight, or has arrived and waits to be taken. */
interface Pending<T> {
  readonly offset: number;
  readonly page: Promise<Page<T>>;
  state: 'in flight' | 'full' | 'short';
}

/** Errors by which a service may refuse a `limit` or an `offset`: its status for that is not documented. */
const refusals: readonly unknown[] = ['BadRequestError', 'ApiError', 'ServerError'];

/** Pages in flight or waiting behind a late one, as a multiple of those in flight: enough to outlast one slow response. */
const waitingFactor = 1.5;

/**
 * A place behind the end of every list: no team has two thousand million records, and a service that stores the offset
 * in 32 bits accepts it.
 */
const farOffset = 2_000_000_000;

/** Loads pages, also ahead of their use, and learns how many records the service gives at once. */
export class PageFetcher<T> {
  readonly #load: LoadPage<T>;
  readonly #smallerLimits: readonly number[];
  readonly #queue: Pending<T>[] = [];
  #controller = new AbortController();
  /** Pages to keep in flight. */
  #count = 1;
  /** Most pages in flight or waiting. */
  #most = 1;
  /** Records asked for in one request. */
  limit: number;
  /** Most records that one response held. */
  largest = 0;

  /** `limits` are the page sizes to ask for, largest first; the next is used when the service refuses one. */
  constructor(load: LoadPage<T>, limits: readonly [number, ...number[]]) {
    this.#load = load;
    [this.limit, ...this.#smallerLimits] = limits;
  }

  /** Distance between pages that overlap by one record. */
  get step(): number {
    return Math.max(1, this.largest - 1);
  }

  /** Cancels what is in flight and drops what has arrived. */
  cancel(reason?: unknown): void {
    this.#controller.abort(reason);
    this.#controller = new AbortController();
    this.#queue.length = 0;
    this.#count = 1;
    this.#most = 1;
  }

  /** Loads pages from `offset` on, keeps `count` of them in flight, and has at most `most` in flight or waiting. */
  prefetch(offset: number, count: number, most: number): void {
    this.#seek(offset);
    this.#count = count;
    this.#most = Math.min(Math.floor(count * waitingFactor), most);
    this.#fill();
  }

  /** Returns the page at `offset`, or a prefetched one that starts before it. */
  async take(offset: number): Promise<Page<T>> {
    this.#seek(offset);
    const [first] = this.#queue as [Pending<T>];
    const page = await first.page;
    if (this.#queue[0] === first) this.#queue.shift();
    return page;
  }

  /** Resolves to `true` when records come even from far behind the end of the list, so that `offset` has no effect. */
  async ignoresOffset(): Promise<boolean> {
    this.cancel();
    const { signal } = this.#controller;
    try {
      return (await this.#load({ offset: farOffset, limit: this.limit }, { signal })).length > 0;
    } catch (error) {
      if (isRefusal(error)) return false;
      throw error;
    }
  }

  /** Starts anew at `offset` unless the first page in the queue starts there or before. */
  #seek(offset: number): void {
    if ((this.#queue[0]?.offset ?? 0) > offset) this.cancel();
    if (this.#queue.length === 0) this.#start(offset);
  }

  /** Fills the queue: `count` pages in flight while half as many wait for a late one, and none behind a short page. */
  #fill(): void {
    const queue = this.#queue;
    const having = (state: Pending<T>['state']) => queue.filter(pending => pending.state === state).length;
    if (having('short') > 0) return;
    const waiting = this.#most - queue.length;
    for (let left = Math.min(this.#count - having('in flight'), waiting); left > 0; left--)
      this.#start((queue.at(-1)?.offset ?? 0) + this.step);
  }

  #start(offset: number): void {
    const { signal } = this.#controller;
    const pending: Pending<T> = { offset, page: this.#fetch(offset, signal), state: 'in flight' };
    this.#queue.push(pending);
    const arrived = ({ records }: Page<T>) => {
      pending.state = records.length > this.step ? 'full' : 'short';
      if (!signal.aborted) this.#fill();
    };
    pending.page.then(arrived, () => {});
  }

  async #fetch(offset: number, signal: AbortSignal): Promise<Page<T>> {
    for (;;) {
      const { limit } = this;
      try {
        const records = await this.#load({ offset, limit }, { signal });
        this.largest = Math.max(this.largest, records.length);
        return { offset, records };
      } catch (error) {
        const smaller = this.#smallerLimits.find(size => size < limit);
        if (this.largest > 0 || !smaller || !isRefusal(error)) throw error;
        this.limit = smaller;
      }
    }
  }
}

const isRefusal = (error: unknown): boolean => refusals.includes((error as Error | undefined)?.name);

/** One page to ask for. */
export interface PageRequest {
  readonly offset: number;
  readonly limit: number;
}

/** Loads one page; `callOptions` hold a signal that aborts when the page is no longer wanted. */
export type LoadPage<T> = (
  page: PageRequest,
  callOptions: { readonly signal: AbortSignal },
) => Promise<readonly T[]>;

/** What came from one place in the list. */
export interface Page<T> {
  readonly offset: number;
  readonly records: readonly T[];
  /** How many of the records, from the first, are known to have stood next to each other at one moment. */
  readonly sure: number;
  /** It shows that nothing follows its last record. */
  readonly last: boolean;
}

/** A page that is in flight, or has come and waits for its turn. */
interface Pending<T> {
  readonly offset: number;
  readonly page: Promise<Page<T>>;
  state: 'in flight' | 'full' | 'short';
}

/** Errors by which a service may refuse a `limit`: what it answers then is not documented. */
const refusals: readonly unknown[] = ['BadRequestError', 'ApiError', 'ServerError'];

/** The most requests that are made to a service of one record an answer before its place is checked. */
const mostSingles = 32;

/** Reads pages, also ahead of their turn, and learns from what comes how many records the service gives at once. */
export class PageFetcher<T extends { readonly id: string }> {
  readonly #load: LoadPage<T>;
  readonly #smaller: readonly number[];
  readonly #queue: Pending<T>[] = [];
  #controller = new AbortController();
  /** How many pages to have in flight. */
  #count = 1;
  /** The most records that came in one answer. */
  #size = 0;
  /** With answers of one record: how many to ask for before the place is checked. */
  #singles = 1;
  /** The `limit` that is asked for. */
  limit: number;

  /** `limits` are those to ask for, largest first: the next is asked for when the service refuses one. */
  constructor(load: LoadPage<T>, limits: readonly [number, ...number[]]) {
    this.#load = load;
    [this.limit, ...this.#smaller] = limits;
  }

  /** How far one page brings a walk: the next one starts with the last record of this one. */
  get stride(): number {
    return this.#size === 1 ? this.#singles : Math.max(1, this.#size - 1);
  }

  /** Cancels what is in flight, and forgets what was read ahead. */
  cancel(reason?: unknown): void {
    this.#controller.abort(reason);
    this.#controller = new AbortController();
    this.#queue.length = 0;
    this.#count = 1;
    this.#singles = 1;
  }

  /** Reads at `offset` and beyond, `count` pages at a time, from now on and until told otherwise. */
  ahead(offset: number, count: number): void {
    this.#seek(offset);
    this.#count = count;
    this.#fill();
  }

  /** The page at `offset`, or one read ahead that starts before it. */
  async take(offset: number): Promise<Page<T>> {
    this.#seek(offset);
    const [first] = this.#queue as [Pending<T>];
    const page = await first.page;
    if (this.#queue[0] === first) this.#queue.shift();
    return page;
  }

  /** Makes sure that what is read begins at `offset` or before it. */
  #seek(offset: number): void {
    if ((this.#queue[0]?.offset ?? 0) > offset) this.cancel();
    if (this.#queue.length === 0) this.#start(offset);
  }

  /** Keeps `count` pages in flight, while half as many wait for one that is late; none after one that came short. */
  #fill(): void {
    const queue = this.#queue;
    const count = this.#size === 1 ? 1 : this.#count;
    const having = (state: Pending<T>['state']) => queue.filter(pending => pending.state === state).length;
    if (having('short') > 0) return;
    const room = Math.min(count - having('in flight'), Math.floor(count * 1.5) - queue.length);
    for (let left = room; left > 0; left--) this.#start((queue.at(-1)?.offset ?? 0) + this.stride);
  }

  #start(offset: number): void {
    const pending: Pending<T> = { offset, page: this.#read(offset), state: 'in flight' };
    this.#queue.push(pending);
    const { signal } = this.#controller;
    const arrived = ({ records }: Page<T>) => {
      pending.state = records.length > this.stride ? 'full' : 'short';
      if (!signal.aborted) this.#fill();
    };
    pending.page.then(arrived, () => {});
  }

  async #read(offset: number): Promise<Page<T>> {
    const { signal } = this.#controller;
    if (this.#size === 1) return this.#readSingles(offset, signal);
    const records = await this.#ask(offset, signal);
    const { length } = records;
    return { offset, records, sure: length, last: length < 2 && (this.#size > 1 || offset + length === 0) };
  }

  /**
   * Where an answer holds one record, none shows which record another follows. So some are read, from the last of them
   * backwards, so that a deletion shows one twice rather than not at all; and the one before them first and last, to
   * see whether they moved.
   */
  async #readSingles(offset: number, signal: AbortSignal): Promise<Page<T>> {
    const before = await this.#ask(offset, signal);
    let count = this.#singles;
    let following = await this.#ask(offset + count, signal);
    while (following.length === 0 && count > 1) {
      count >>= 1;
      following = await this.#ask(offset + count, signal);
    }
    for (let at = offset + count - 1; at > offset; at--)
      following = [...(await this.#ask(at, signal)), ...following];
    const first = await this.#ask(offset, signal);
    const still = this.#size === 1 && before[0]?.id === first[0]?.id;
    this.#singles = count < this.#singles ? count : Math.min(count * 2, mostSingles);
    const records = still ? [...first, ...following] : first;
    return { offset, records, sure: first.length, last: still && following.length === 0 };
  }

  async #ask(offset: number, signal: AbortSignal): Promise<readonly T[]> {
    for (;;) {
      const { limit } = this;
      try {
        const records = await this.#load({ offset, limit }, { signal });
        this.#size = Math.max(this.#size, records.length);
        return records;
      } catch (error) {
        const smaller = this.#smaller.find(size => size < limit);
        if (this.#size > 0 || !smaller || !refusals.includes((error as Error | undefined)?.name)) throw error;
        this.limit = smaller;
      }
    }
  }
}

import { addCallSite } from '../call/api-promise.ts';
import { pageNoLongerNeeded } from '../call/send-result.ts';
import { ignoreErrors } from '../core/ignore-errors.ts';
import { unusableRecords } from '../core/issues.ts';
import { onAbort, throwIfAborted } from '../core/timers.ts';
import { EmailMarketingError, type InvalidResponseError } from '../errors.ts';
import { readCheckpoint, writeCheckpoint } from './checkpoint.ts';
import { type LoadPage, type Page, PageLoader } from './page-loader.ts';
import type { PaginatorOptions } from './paginator-options.ts';
import { PositionSearch } from './position-search.ts';
import { YieldedRecords } from './yielded-records.ts';

/** Maximum number of pages to search in each direction; fewer if starting over would repeat no record. */
const maxSearchedPages = 64;
const maxSearchedWhenComplete = 8;

/** Stalled pages before probing past the end, and before giving up. */
const pagesBeforeProbe = 8;
const maxStalledPages = 64;

/** Share of a page by which the search first steps back. It doubles with each further step. */
const shareStepBack = 1 / 8;

/** What a service that ignores `offset` sends. */
const sameRecords = 'the same records whatever the offset';

/** A page, and the last known record in it: what follows is new. */
interface Place<T> extends Page<T> {
  /** Index of that record; -1 for none. */
  readonly index: number;
  /** Its sequence number, from 1; 0 for none. */
  readonly newest: number;
}

/** What all iterations of a paginator have in common. */
export interface IterationSettings<T> {
  /** Name of the operation that loads a page. */
  readonly operation: string;
  /** Identifies the listing and filter in checkpoints, without revealing the filter. */
  readonly source: string;
  /** Page sizes to try, largest first. */
  readonly pageSizes: readonly [number, ...number[]];
  readonly load: LoadPage<T>;
  /** Maximum number of pages to prefetch. */
  readonly prefetched: number;
  readonly options: PaginatorOptions;
  readonly callSite: Error;
}

/** One loop over every record of a listing, from the start or from the `checkpoint` of the options. */
export class Iteration<T extends { readonly id: string }> {
  readonly #settings: IterationSettings<T>;
  readonly #loader: PageLoader<T>;
  /** Why the loop was left. No signal, as to ask one for each record costs a tenth of it. */
  #left: { readonly reason: unknown } | undefined;
  readonly #startedAt = performance.now();
  /** Records already yielded: these are known, all others new. */
  #known = new YieldedRecords();
  /** Position after the last yielded record, as it was when its page was loaded. */
  #offset = 0;
  #records = 0;
  #pages = 0;

  constructor(settings: IterationSettings<T>) {
    this.#settings = settings;
    this.#loader = new PageLoader(settings.load, settings.pageSizes);
    this.#moveToStart();
  }

  get checkpoint(): string {
    return writeCheckpoint(this.#settings.source, this.#offset, this.#known.tail);
  }

  /** Ends the requests in flight, and the loop where it waits for one. */
  leave(reason: unknown = pageNoLongerNeeded): void {
    this.#left ??= { reason };
    this.#loader.cancel(reason);
  }

  async *records(): AsyncGenerator<T, void, undefined> {
    for await (const page of this.#iterate())
      for (let index = page.index + 1; index < page.records.length; index++) {
        const record = this.#newRecord(page, index);
        if (record) yield record;
      }
  }

  async *pages(): AsyncGenerator<T[], void, undefined> {
    for await (const page of this.#iterate()) yield this.#newRecords(page);
  }

  /** Collects records. After an error, the position is where it started. */
  async toArray(max: number): Promise<T[]> {
    const all: T[] = [];
    for await (const page of this.#iterate(true)) {
      for (const record of this.#newRecords(page, max - all.length)) all.push(record);
      if (all.length === max) break;
    }
    return all;
  }

  #moveToStart(): void {
    const { options, source } = this.#settings;
    const [offset, tail] = readCheckpoint(options.checkpoint, source) ?? [0, ''];
    this.#known = new YieldedRecords(tail);
    this.#offset = offset;
  }

  /** Yields each page that has new records, and ends after them. With `losesRecords`, an error moves back to the start. */
  async *#iterate(losesRecords = false): AsyncGenerator<Place<T>, void, undefined> {
    const { options, prefetched, callSite } = this.#settings;
    const { signal, onProgress } = options;
    const removeListener = onAbort(signal, () => this.leave(signal?.reason));
    try {
      for (let page = await this.#next(); page; page = await this.#next(page)) {
        this.#throwIfLeft();
        this.#loader.prefetch(page, prefetched);
        yield page;
        const seconds = Math.max(1, performance.now() - this.#startedAt) / 1000;
        const progress = { records: this.#records, pages: ++this.#pages, perSecond: this.#records / seconds };
        ignoreErrors(() => onProgress?.(progress));
      }
    } catch (error) {
      if (error === pageNoLongerNeeded) return;
      if (losesRecords) this.#moveToStart();
      throwIfAborted(signal);
      if (EmailMarketingError.isInstance(error)) Object.assign(error, { checkpoint: this.checkpoint });
      addCallSite(error, callSite);
      throw error;
    } finally {
      removeListener();
      this.#loader.cancel();
    }
  }

  #throwIfLeft(): void {
    if (this.#left) throw this.#left.reason;
  }

  #newRecords(page: Place<T>, max = Number.POSITIVE_INFINITY): T[] {
    const records: T[] = [];
    for (let index = page.index + 1; index < page.records.length && records.length < max; index++) {
      const record = this.#newRecord(page, index);
      if (record) records.push(record);
    }
    return records;
  }

  /** Returns a record of a page, and counts it as yielded. Returns `undefined` for one that was yielded right before. */
  #newRecord({ offset, records }: Place<T>, index: number): T | undefined {
    this.#throwIfLeft();
    const known = this.#known;
    const record = records[index] as T;
    const id = `${record.id}`;
    // Joins of tables repeat a record side by side.
    if (known.isRecent(id, 1)) return undefined;
    known.add(id);
    this.#offset = offset + index + 1;
    this.#records += 1;
    return record;
  }

  /**
   * Returns the next page with new records, or `undefined` at the end of the list. Pages overlap by one record. If a page
   * contains a known record, continues after it; if nothing matches, steps back, down to the start of the list.
   */
  async #next(last?: Place<T>): Promise<Place<T> | undefined> {
    const loader = this.#loader;
    let known = this.#known;
    // A resumed iteration reads the start of the list first, to learn how many records come per request.
    const firstStepBack = last ? Math.ceil(loader.step * shareStepBack) : Number.POSITIVE_INFINITY;
    const search = new PositionSearch(firstStepBack, this.#offset - 1);
    /** Sequence number of the newest known record that a page has shown. */
    let nearest = 0;
    let stalledPages = 0;
    let beyond: Place<T> | undefined;
    let hasAsked = false;
    // Pages of one record cannot overlap: after the next page, the one before confirms the position.
    let page = await this.#take(loader.longestPage === 1 ? this.#offset : this.#offset - loader.overlap);
    for (;;) {
      // A checkpoint remembers the last records alone: one that came late can stand at the start, before forgotten ones.
      const isDoubtful = page.newest === 0 || (!last && !known.isComplete && page.newest < known.latest);
      if (page.offset === 0 && isDoubtful && known.latest > 0) page = await this.#startOver(page, !last);
      known = this.#known;
      const { offset, records, newest, index } = page;
      const { length } = records;
      if (newest === 0 && offset > 0) {
        // If more were requested and nothing follows, the single record is the whole list.
        if (length === 0 && known.latest === 1 && loader.limit > 1) return undefined;
        beyond = page;
        page = await this.#take(search.back(page, loader.step, this.#reach));
        continue;
      }
      known.isInOrder &&= newest === known.latest;
      if (index + 1 < length || length === 0) {
        loader.noteMove(this.#offset - 1 - offset - index);
        return length > 0 ? page : undefined;
      }
      if (length === 1 && beyond?.offset === offset + 1)
        return beyond.records.length > 0 ? beyond : undefined;
      // A page that contains nothing but the last record is the end, unless the service may have cut it down to that.
      if (length === 1 && loader.longestPage > 1) {
        if (!loader.hasCutPages || hasAsked) return undefined;
        hasAsked = true;
        [page, beyond] = await this.#pageAfter(page);
        continue;
      }
      if (newest <= nearest) await this.#throwIfStuck(++stalledPages);
      nearest = Math.max(nearest, newest);
      const position = offset + index + (length === 1 ? 1 : 0);
      page = await this.#take(search.onwards(position, known.latest - newest, page, loader.step));
    }
  }

  /**
   * Loads what follows a page of one record. If it holds no known record, also returns the page that precedes it: the
   * overlap shows that no record has moved up.
   */
  async #pageAfter(page: Place<T>): Promise<[page: Place<T>, beyond?: Place<T>]> {
    const next = await this.#take(page.offset + 1);
    if (next.newest > 0) return [next];
    return [next.records.length > 0 ? await this.#take(page.offset) : page, next];
  }

  /** Distance between pages that find half of the known records, if the other half was deleted. */
  get #reach(): number {
    return Math.max(this.#loader.step, Math.floor(this.#known.latest / 2));
  }

  async #take(offset: number): Promise<Place<T>> {
    this.#throwIfLeft();
    return this.#place(await this.#loader.take(Math.max(0, offset)));
  }

  #place(page: Page<T>): Place<T> {
    const { latest } = this.#known;
    const { length } = page.records;
    const idAt = (index: number) => `${page.records[index]?.id}`;
    // Usually, a page starts with the last yielded record, and everything after it is new.
    if (
      this.#known.isInOrder &&
      length > 1 &&
      this.#known.isRecent(idAt(0), 1) &&
      !this.#known.isRecent(idAt(length - 1), length)
    )
      return { ...page, index: 0, newest: latest };
    for (let index = length - 1; index >= 0; index--) {
      const newest = this.#known.numberOf(idAt(index));
      if (newest) return { ...page, index, newest };
    }
    return { ...page, index: -1, newest: 0 };
  }

  /**
   * Returns the page to continue from if the first of all does not tell: that one, if what was yielded is remembered, and
   * so not repeated, or is not found elsewhere. Throws if the list has outrun the iteration.
   */
  async #startOver(first: Place<T>, isResumed: boolean): Promise<Place<T>> {
    const known = this.#known;
    if (isResumed || !known.isComplete) {
      const page = await this.#search(known.isComplete ? maxSearchedWhenComplete : maxSearchedPages);
      if (page && !isResumed) throw this.#stuck();
      if (page) return page;
      if (first.newest > 0) return first;
      // Records that are not found were deleted.
      if (!known.isComplete) this.#known = new YieldedRecords();
    }
    this.#known.keep();
    return first;
  }

  /** Searches for a page with a known record, further and further from the position on both sides. */
  async #search(pages: number): Promise<Place<T> | undefined> {
    const loader = this.#loader;
    let page = await this.#take(this.#offset - 1);
    // The list may end before the position.
    while (page.records.length === 0 && page.offset > 0) page = await this.#take(Math.floor(page.offset / 2));
    if (page.newest > 0) return page;
    const { offset } = page;
    const step = this.#reach;
    let hasMore = true;
    for (let away = loader.step; away <= pages * step; away += Math.min(away, step)) {
      for (const at of [offset + away, offset - away]) {
        if (at <= 0 || (at > offset && !hasMore)) continue;
        page = await this.#take(at);
        if (page.newest > 0) return page;
        hasMore &&= page.records.length > 0;
      }
    }
    return undefined;
  }

  /** Throws if, after so many stalled pages, the service ignores `offset`, or the list outruns the loop. */
  async #throwIfStuck(stalled: number): Promise<void> {
    if (stalled % pagesBeforeProbe !== 0) return;
    const isIgnored = await this.#loader.ignoresOffset();
    if (isIgnored || stalled >= maxStalledPages) throw this.#stuck(isIgnored);
  }

  /** Creates the error of a list that outruns the loop, or whose records are the `same` whatever the `offset`. */
  #stuck(same = false): InvalidResponseError {
    const received = same ? sameRecords : 'known ones: the list grows faster than it is read';
    return unusableRecords(this.#settings.operation, 'new records', received);
  }
}

import type { Checkpoint } from '../errors/checkpoint.ts';
import { EmailMarketingError, InvalidResponseError } from '../errors.ts';
import { addCallSite } from '../http/call/api-promise.ts';
import { quietly } from '../http/call/telemetry.ts';
import { invalidRequest } from '../http/issues.ts';
import { checkOptions } from '../http/options/check-options.ts';
import { aCount } from '../http/options/rules.ts';
import { hash, hashesOf, makeCheckpoint, maxHashes, sourceName } from './checkpoint.ts';
import { type LoadPage, type Page, PageLoader } from './page-loader.ts';
import {
  checkFilter,
  checkPaginatorOptions,
  type PaginatorOptions,
  type PaginatorSource,
} from './paginator-options.ts';

/** Records that are remembered: this many at least once so many were yielded, and twice as many at most. */
const remembered = 4096;

/** Pages that a search for the position looks at in each direction. */
const maxSearchedPages = 64;

/** The same if a checkpoint holds all yielded records, so that starting over repeats none. */
const maxSearchedWhenComplete = 8;

/** Pages without a new record, and no nearer to one, after which a request far behind the end tells why. */
const pagesBeforeProbe = 8;

/** The same, after which the list counts as changing faster than it is read. */
const maxStalledPages = 64;

/** A page, and where it lies in the sequence of the records yielded so far. */
interface Place<T> extends Page<T> {
  /** Sequence number of the newest yielded record in it; 0 for none. */
  readonly newest: number;
  /** Index of that record; -1 for none. */
  readonly index: number;
  /** Index of the first new record behind it; the number of records if there is none. */
  readonly start: number;
}

/** What the pages since the last new record have shown. */
interface Stall {
  /** Number of pages that came no nearer to a new record, and what the nearest showed. */
  pages: number;
  newest: number;
  offset: number;
  /** A page held no known record: of those yielded, the later ones may have been deleted. */
  hasOvershot: boolean;
  /** Where request `number` showed the newest known record. */
  seen?: { readonly newest: number; readonly position: number; readonly number: number } | undefined;
  /** Record that came alone on a page, and where the one behind it is expected. */
  alone?: { readonly id: string; readonly drift: number; readonly next: number };
}

/**
 * Iterates over every record of a listing: `for await (const record of paginator)`, by pages, or into an array. Nothing
 * is sent before the iteration starts.
 *
 * Each record that exists throughout is yielded exactly once, whatever the size of the service's pages, and although
 * others are deleted or added meanwhile, also by the loop itself. Leaving the loop cancels the requests in flight.
 * A later loop over the same paginator resumes where the last one stopped; a second one at the same time is rejected.
 *
 * Errors are those of one call, each with a `checkpoint`, and {@link InvalidResponseError} if the service returns the
 * same records whatever the `offset`, or if the list changes faster than it is read.
 */
export class Paginator<T extends { readonly id: string }> implements AsyncIterable<T> {
  /** Name of the operation that loads a page, and of the method that made this paginator. */
  readonly #operation: string;
  readonly #name: string;
  /** Distinguishes a checkpoint of this source from others, without showing the filter. */
  readonly #source: string;
  readonly #options: PaginatorOptions;
  readonly #loader: PageLoader<T>;
  readonly #callSite = new Error();
  /** Sequence numbers of the records yielded last, by the hashes of their ids. */
  #known = new Map<number, number>();
  /** Number of known records that are not forgotten: those yielded before the iteration started over. */
  #kept = 0;
  /** Records were yielded that are not among the known ones, and may still be in the list. */
  #hasForgotten = false;
  /** Position after the last yielded record, as it was when its page was loaded. */
  #offset = 0;
  #latest = 0;
  #isRunning = false;
  #records = 0;
  #pages = 0;
  #startedAt: number | undefined;

  /** @internal */
  constructor(
    { operation, filter = {}, pageSizes, load }: PaginatorSource<T>,
    options: PaginatorOptions = {},
  ) {
    this.#operation = operation;
    this.#name = operation.replace(/\.list$/, '.all');
    checkFilter(this.#name, filter);
    this.#source = sourceName(operation, filter);
    checkPaginatorOptions(this.#name, options, pageSizes[0], this.#source);
    const { pageSize = pageSizes[0], concurrency, checkpoint, onProgress, ...callOptions } = options;
    this.#options = options;
    const loadPage: LoadPage<T> = (page, { signal }) => load(page, { ...callOptions, signal });
    this.#loader = new PageLoader(loadPage, [pageSize, ...pageSizes]);
    if (checkpoint) this.#moveTo(checkpoint);
  }

  /** Position right after the last record yielded; by pages, after the last page. */
  get checkpoint(): Checkpoint {
    return makeCheckpoint(this.#source, this.#offset, [...this.#known.keys()]);
  }

  /** Iterates over every record, from the current position. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const records of this.#iterate()) for (const record of records) yield record;
  }

  /** Iterates over the records in arrays: those of one request, or fewer, and never an empty array. */
  async *pages(): AsyncGenerator<T[], void, undefined> {
    for await (const records of this.#iterate()) yield [...records];
  }

  /**
   * Resolves to the records in one array: at most `max`, by default all of them. When it rejects, it has returned no
   * record, so the position and the error's `checkpoint` are where it started. Use a loop to keep the records that came
   * before an error.
   */
  async toArray(options: { readonly max?: number | undefined } = {}): Promise<T[]> {
    checkOptions(this.#name, options, { max: aCount(0) });
    const { max = Number.POSITIVE_INFINITY } = options;
    const start = this.checkpoint;
    const records: T[] = [];
    if (max === 0) return records;
    const isSecond = this.#isRunning;
    try {
      for await (const record of this) if (records.push(record) >= max) break;
      return records;
    } catch (error) {
      if (isSecond) throw error;
      this.#moveTo(start);
      if (EmailMarketingError.isInstance(error)) error.checkpoint = start;
      throw error;
    }
  }

  #moveTo(checkpoint: Checkpoint): void {
    const hashes = hashesOf(checkpoint);
    this.#known = new Map(hashes.map((known, index) => [known, index + 1]));
    this.#latest = hashes.length;
    this.#offset = checkpoint.offset;
    this.#hasForgotten = hashes.length >= maxHashes;
  }

  /** Yields the new records of each page, as they are drawn. */
  async *#iterate(): AsyncGenerator<Iterable<T>, void, undefined> {
    if (this.#isRunning)
      throw invalidRequest(this.#name, [
        {
          path: 'iteration',
          expected: 'the only one over its paginator at a time: call all() for each',
          received: 'a second one',
        },
      ]);
    this.#isRunning = true;
    this.#startedAt ??= performance.now();
    const { signal } = this.#options;
    const stop = () => this.#loader.cancel(signal?.reason);
    signal?.addEventListener('abort', stop);
    try {
      signal?.throwIfAborted();
      for await (const place of this.#places()) {
        yield this.#yieldNew(place);
        this.#reportProgress();
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (EmailMarketingError.isInstance(error)) error.checkpoint = this.checkpoint;
      addCallSite(error, this.#callSite);
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
      this.#loader.cancel();
      this.#isRunning = false;
    }
  }

  *#yieldNew({ offset, records, start }: Place<T>): Generator<T, void> {
    for (let index = start; index < records.length; index++) {
      this.#options.signal?.throwIfAborted();
      const record = records[index] as T;
      const id = hash(`${record.id}`);
      if (this.#known.has(id)) continue;
      this.#known.set(id, ++this.#latest);
      this.#offset = offset + index + 1;
      this.#records += 1;
      if (this.#known.size >= this.#kept + 2 * remembered) this.#forget();
      yield record;
    }
  }

  /** Forgets half of the known records, the oldest, as a map that loses single entries from its start gets slow. */
  #forget(): void {
    const all = [...this.#known];
    this.#known = new Map([...all.slice(0, this.#kept), ...all.slice(-remembered)]);
    this.#hasForgotten = true;
  }

  /**
   * Yields each page with new records. Pages overlap by one record: a page that holds a known record is followed from
   * there; one that holds none is read again a step further back, down to the start of the list.
   */
  async *#places(): AsyncGenerator<Place<T>, void, undefined> {
    let page = await this.#find();
    // A first page that is shorter than requested shows that the service caps, or that little follows.
    let full = page.records.length < this.#loader.limit ? -1 : 0;
    let stall = this.#newStall(page);
    for (;;) {
      this.#options.signal?.throwIfAborted();
      if (page.offset === 0 && this.#latest > 0 && !this.#isKnown(page)) await this.#startOver();
      const place = this.#place(page);
      const { offset, records } = place;
      let next: number | undefined;
      const isNew = place.start < records.length;
      if (isNew && (place.newest > 0 || offset === 0 || (await this.#follows(place, stall)))) {
        next = offset + Math.max(1, records.length - 1);
        full = records.length > 1 && records.length >= this.#loader.largest ? full + 1 : 0;
        this.#loader.prefetch(next, Math.min(this.#options.concurrency ?? 1, Math.max(1, 2 * full)));
        stall = this.#newStall(place);
        yield place;
      } else {
        next = await this.#lookElsewhere(place, stall);
        if (next === undefined) return;
        this.#loader.cancel();
        full = 0;
      }
      page = await this.#loader.take(next);
    }
  }

  #newStall({ offset, records }: Page<T>): Stall {
    const stall = { pages: 0, newest: 0, offset: Number.POSITIVE_INFINITY, hasOvershot: false };
    const [only] = records;
    if (!only || records.length > 1) return stall;
    return { ...stall, alone: { id: only.id, drift: 0, next: offset + 1 } };
  }

  #place(page: Page<T>): Place<T> {
    const numbers = page.records.map(({ id }) => this.#known.get(hash(`${id}`)) ?? 0);
    const newest = numbers.reduce((most, number) => Math.max(most, number), 0);
    const index = newest === 0 ? -1 : numbers.indexOf(newest);
    const firstNew = numbers.indexOf(0, index + 1);
    return { ...page, newest, index, start: firstNew < 0 ? numbers.length : firstNew };
  }

  #isKnown(page: Page<T>): boolean {
    return this.#place(page).newest > 0;
  }

  /**
   * Loads the page at the position, or else the nearest one on either side that holds a known record, or else the first
   * of all.
   */
  async #find(): Promise<Page<T>> {
    this.#loader.cancel();
    const page = await this.#loader.take(Math.max(0, this.#offset - 1));
    if (page.offset === 0 || this.#isKnown(page)) return page;
    // The first page of all shows how many records the service returns at once.
    const first = await this.#loader.take(0);
    const found = this.#isKnown(first) ? first : await this.#search(page);
    if (!found) this.#hasForgotten = false;
    return found ?? first;
  }

  /** Throws if records that were yielded are still in the list: then those that were forgotten would be repeated. */
  async #startOver(): Promise<void> {
    this.#loader.cancel();
    if (this.#hasForgotten || this.#known.size >= 2 * remembered) {
      const page = await this.#loader.take(Math.max(0, this.#offset - 1));
      if (this.#isKnown(page) || (await this.#search(page))) throw this.#outrun();
      this.#known.clear();
      this.#hasForgotten = false;
    }
    this.#kept = this.#known.size;
  }

  /** Looks further and further away from a page, on either side, for one that holds a known record. */
  async #search({ offset, records }: Page<T>): Promise<Page<T> | undefined> {
    const loader = this.#loader;
    let start = offset;
    let hasMore = records.length > 0;
    // The list ends before the position: the search starts at its end.
    for (let low = 0; records.length === 0 && start - low > loader.step; ) {
      const page = await loader.take(Math.floor((low + start) / 2));
      if (this.#isKnown(page)) return page;
      if (page.records.length > 0) low = page.offset;
      else start = page.offset;
    }
    // Pages further apart than their length find half of the known records, if the other half was deleted.
    const step = Math.max(loader.step, Math.min(512, Math.floor(this.#known.size / 2)));
    const pages = this.#known.size < maxHashes ? maxSearchedWhenComplete : maxSearchedPages;
    for (let away = loader.step; away <= pages * step; away += Math.min(away, step)) {
      const later = hasMore ? await loader.take(start + away) : undefined;
      if (later && this.#isKnown(later)) return later;
      hasMore = later !== undefined && later.records.length > 0;
      const earlier = away < start ? await loader.take(start - away) : undefined;
      if (earlier && this.#isKnown(earlier)) return earlier;
    }
    return undefined;
  }

  /** Returns `true` if a page that holds no known record starts right behind one that came alone, and still does. */
  async #follows({ offset, records }: Page<T>, { alone }: Stall): Promise<boolean> {
    if (!alone || offset < alone.next) return false;
    if (records.length === 0 && this.#loader.largest > 1) return true;
    if (offset !== alone.next) return false;
    const again = await this.#loader.take(offset - 1 + alone.drift);
    return again.records[0]?.id === alone.id;
  }

  /** Returns where to read after a page without a new record; `undefined` at the end of the list. */
  async #lookElsewhere(place: Place<T>, stall: Stall): Promise<number | undefined> {
    const { offset, records, newest, index, number } = place;
    const { length } = records;
    const { seen } = stall;
    this.#loader.cancel();
    if (length === 0 && (offset === 0 || (await this.#follows(place, stall)))) return undefined;
    if (await this.#isEverything(place, stall)) return undefined;
    if (newest === 0) {
      stall.hasOvershot = true;
      if (length > 0) stall.seen = undefined;
      return Math.max(0, offset - this.#loader.step);
    }
    // So many records were yielded after the newest one shown, and stand behind it unless they were deleted.
    const missing = stall.hasOvershot ? 0 : this.#latest - newest;
    const position = offset + index + missing;
    stall.seen = { newest, position, number };
    // The list is expected to move as far again until the next request. Pages after an empty one show how its end moved.
    const requests = number - (seen?.number ?? number);
    const isComparable = seen && (newest === seen.newest || requests > 1);
    const drift = isComparable ? Math.ceil((position - seen.position) / requests) : 0;
    const isAlone = length === 1 && missing === 0;
    // Nothing followed a record that came alone: an empty page behind it shows the end.
    const next = Math.max(offset + 1, position + drift + Number(isAlone || stall.alone !== undefined));
    if (isAlone) stall.alone = { id: records[0]?.id ?? '', drift, next };
    return next;
  }

  /** Returns `true` if the service returns everything at once, whatever the `offset`. Throws if the list outruns the loop. */
  async #isEverything({ offset, records, newest }: Place<T>, stall: Stall): Promise<boolean> {
    const { length } = records;
    const isNearer = newest > stall.newest || (newest === 0 && offset < stall.offset);
    stall.newest = Math.max(stall.newest, newest);
    stall.offset = offset;
    if (!isNearer) stall.pages += 1;
    if (stall.pages >= maxStalledPages) throw this.#outrun();
    const isOversized = length > this.#loader.limit;
    const isTime = !isNearer && stall.pages === pagesBeforeProbe;
    if (!(isOversized || isTime) || !(await this.#loader.ignoresOffset())) return false;
    if (isOversized) return true;
    throw this.#stuck(
      `the same ${length === 1 ? 'record comes' : `${length} records come`} whatever the offset; check for a cache or proxy in between that ignores the query`,
      'other records further on',
    );
  }

  #outrun(): InvalidResponseError {
    return this.#stuck(
      'the list grows faster than it is read; iterate again to continue from the checkpoint, with a larger pageSize or while fewer records are added',
      'a new record',
    );
  }

  #stuck(problem: string, expected: string): InvalidResponseError {
    const operation = this.#operation;
    const issues = [{ path: '', expected, received: 'the same records again' }];
    return new InvalidResponseError(`${operation}: ${problem}`, { operation, outcome: 'done', issues });
  }

  #reportProgress(): void {
    const { onProgress } = this.#options;
    this.#pages += 1;
    if (!onProgress) return;
    const seconds = Math.max(1, performance.now() - (this.#startedAt ?? 0)) / 1000;
    const progress = { records: this.#records, pages: this.#pages, perSecond: this.#records / seconds };
    quietly(() => onProgress(progress));
  }
}

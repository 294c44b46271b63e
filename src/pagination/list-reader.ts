/**
 * Reads a list while it changes. Every record is remembered and only new ones are yielded, so reading one twice does no
 * harm:
 *
 * 1. Each page starts with a record from the page before. If it does not, the reader steps back until one does, at most
 *    to the start of the list.
 * 2. The list has ended when a short page brings nothing new, and nothing follows it, or known records keep coming.
 * 3. Changed records may have moved to the start, so the reader reads the start again until nothing is new, each time up
 *    to a page in its old order. If it saw records move to the end, it first reads the whole list again, once.
 *
 * An example with pages of three: after a, b, c, the next page is requested at c. If a is deleted meanwhile, d, e, f
 * arrive. They do not start with c, so the reader steps back by one record and gets c, d, e.
 *
 * A list moves up if records before a page are deleted, and down if records are added there.
 */
import { unusableListError } from '../core/issues.ts';
import type { InvalidResponseError } from '../errors.ts';
import { findKnown, fromKnown } from './checkpoint-search.ts';
import type { KnownRecords } from './known-records.ts';
import { farOffset, type Identified, type Page, type PageLoader } from './page-loader.ts';

/** Maximum number of times to read the start again. */
const maxPasses = 5;

/** Consecutive pages without a new record before probing far past the end, and before giving up if the list is short. */
const pagesBeforeProbe = 3;
const maxStalledPages = 32;

/** Consecutive short pages without a new record that end a list that moves down; more if the service shortens pages. */
const shortPagesToEnd = 2;
const shortPagesIfCapped = 5;

/** Times that a pass goes back to the start before the list is measured. */
const restartsBeforeProbe = 8;

/** New records, and their page unless the start is being read again. */
type NewRecords<T> = [records: T[], page: Page<T> | undefined];

export class ListReader<T extends Identified> {
  readonly #operation: string;
  readonly #loader: PageLoader<T>;
  readonly #known: KnownRecords;
  readonly #prefetched: number;
  /** Whether more records followed a page that was shorter than requested. */
  #isCapped = false;
  /** Consecutive pages without a new record. */
  #stalled = 0;
  /** Consecutive pages that are shorter than others and contain no new record. */
  #shortPages = 0;
  /** By how many records the latest page showed the list to have moved down. */
  #shift = 0;
  /** End of the page requested last, even if the reader then went back: the list is at least this long. */
  #reached = 0;
  /** Number of rejected offsets, in the whole loop, where another page showed a record. */
  #rejections = 0;
  /** Whether known records were seen again far after the place where they were read. */
  #movesToEnd = false;
  /** Times that a pass went back to the start. */
  #restarts = 0;
  /** Whether the start is being read again. */
  #isRereading = false;
  /** An offset that was past the end of the list. */
  #end = 0;

  /** `operation` is the name of the operation that loads pages; `prefetched` is the maximum number of pages to prefetch. */
  constructor(operation: string, loader: PageLoader<T>, known: KnownRecords, prefetched: number) {
    this.#operation = operation;
    this.#loader = loader;
    this.#known = known;
    this.#prefetched = prefetched;
  }

  /** Yields the new records of each page, from a position to the end and then from the start, until nothing is new. */
  async *read(position: number): AsyncGenerator<NewRecords<T>, void, undefined> {
    const loader = this.#loader;
    const { pages: maxPages, isDone } = yield* this.#pass(await this.#first(position));
    // After a checkpoint, only the latest records are known, so the start would be yielded again.
    if (isDone || !this.#known.isComplete) return;
    this.#isRereading = true;
    // Records that moved to the end can look like a page that was read, so unread ones before them may have been skipped.
    if (this.#movesToEnd) yield* this.#pass(await loader.take(0), 2 * maxPages, true);
    for (let left = maxPasses; left > 0; left--) {
      const { pages, isReordered, isDone } = yield* this.#pass(await loader.take(0), maxPages);
      if (isDone) return;
      // If the start has not changed its order, records were only added.
      if (left === 1 && isReordered && pages > 2) throw this.#stuck();
    }
  }

  /** Returns the page at a position, which starts with a record of the checkpoint, or what was found instead. */
  async #first(position: number): Promise<Page<T>> {
    const page = await this.#loader.take(position - 1);
    if (page.offset === 0 || this.#lastSeen(page.records[0]) > 0) return page;
    return findKnown(page, this.#loader, this.#known);
  }

  /**
   * Yields the new records of a page and of those after it. If the start is read again, the pass ends at a page whose
   * records were read in this order before it, unless it `isWhole`, or after `maxPages`. Returns the number of pages,
   * whether records moved to the start, and whether none can be missing.
   */
  async *#pass(first: Page<T>, maxPages = Number.POSITIVE_INFINITY, isWhole = false) {
    const before = this.#known.newest;
    let pages = 0;
    let lastNewPage = 0;
    let isAsRead = false;
    let isReordered = false;
    let last: Page<T> | undefined;
    this.#restarts = this.#stalled = this.#shortPages = 0;
    for (let page: Page<T> | undefined = first; page; ) {
      // The first pass starts over.
      if (page.offset === 0 && !this.#isRereading) pages = lastNewPage = 0;
      pages += 1;
      const seen: number[] = [];
      const records: T[] = [];
      for (const record of page.records) {
        const lastSeen = this.#known.add(`${record.id}`);
        seen.push(lastSeen);
        if (lastSeen === 0) records.push(record);
      }
      const half = seen.length / 2;
      this.#movesToEnd ||= seen.some(number => number > 0 && number <= this.#known.newest - 3 * seen.length);
      // Records that moved to the start are the first of the list. A first page that is not full is the whole list.
      if (this.#isRereading && page.offset === 0 && page.receivedCount === this.#loader.longestPage)
        isReordered = !isAscending(seen.slice(0, half).filter(number => number > 0 && number <= before));
      isAsRead = this.#isRereading && !isWhole && isAsBefore(seen.slice(half), before);
      this.#observe(page, records, last);
      if (records.length > 0) {
        lastNewPage = pages;
        if (!isAsRead) this.#loader.prefetch(page, this.#loader.offsetAfter(page), this.#prefetched);
        yield [records, this.#isRereading ? undefined : page] as NewRecords<T>;
      }
      last = page;
      page = isAsRead || pages === maxPages ? undefined : await this.#after(page);
    }
    // None can be missing if one page had the whole list and a second showed its end, or if the start is as it was read.
    const isFromStart = this.#isRereading || (first.offset === 0 && this.#shift === 0);
    const isOnePage = isFromStart && pages <= (isAsRead ? 1 : 2) && lastNewPage <= 1;
    return { pages, isReordered, isDone: isOnePage || (this.#isRereading && lastNewPage === 0) };
  }

  /** Notes whether a page can be the last one. */
  #observe(page: Page<T>, newRecords: readonly T[], last: Page<T> | undefined): void {
    const { limit, longestPage } = this.#loader;
    const isEnd = page.receivedCount < longestPage && page.end >= this.#reached;
    this.#isCapped ||= newRecords.at(-1) === page.records.at(-1) && (last?.receivedCount ?? limit) < limit;
    this.#stalled = newRecords.length > 0 ? 0 : this.#stalled + 1;
    this.#shortPages = newRecords.length === 0 && isEnd ? this.#shortPages + 1 : 0;
  }

  /** Returns the next page, or an earlier one that overlaps; `undefined` at the end of the list. */
  async #after(page: Page<T>): Promise<Page<T> | undefined> {
    const loader = this.#loader;
    if (page.receivedCount === 0) return undefined;
    if (this.#shortPages > 0 && (await this.#endsAfter(page))) return undefined;
    await this.#throwIfStuck();
    // If records are added at the start, the next ones have moved further down.
    const ahead = this.#stalled > 0 ? Math.max(0, this.#shift) : 0;
    const next = await loader.take(loader.offsetAfter(page) + ahead);
    this.#reached = next.records.length > 0 ? next.end : 0;
    // If more were requested and nothing follows, the single record is the whole list.
    if (next.records.length === 0 && this.#known.size === 1 && loader.limit > 1) return undefined;
    const found = this.#joins(next, page) ? next : await this.#goBack(page, next);
    this.#shift = (found && shiftBetween(page, found)) ?? 0;
    loader.noteMove(-this.#shift);
    // After a checkpoint, unknown records before the first known one may have been yielded.
    return found && !this.#known.isComplete ? (fromKnown(found, this.#known) ?? found) : found;
  }

  /** Whether a short page without a new record is the end of the list. */
  async #endsAfter({ records, end }: Page<T>): Promise<boolean> {
    if (records.length === 1 && !this.#isCapped) return true;
    const behind = (await this.#loader.takeExactly(end)).records;
    if (behind.length === 0) return true;
    // If the list has moved down, its last records appear again.
    const areKnown = behind.every(record => this.#lastSeen(record) > 0);
    const isCertain = this.#shortPages >= (this.#isCapped ? shortPagesIfCapped : shortPagesToEnd);
    return areKnown && behind.at(-1)?.id === records.at(-1)?.id && isCertain;
  }

  /** Returns a page before `next` that overlaps `page`. Steps back further each time, at most to the start. */
  async #goBack(page: Page<T>, next: Page<T>): Promise<Page<T> | undefined> {
    const { records, end } = page;
    const loader = this.#loader;
    let found = next;
    let back = next.offset === end ? 1 : Math.ceil(Math.max(loader.step / 8, loader.moved));
    while (!this.#joins(found, page)) {
      if (found.offset === 0) return this.#startOver(found, next);
      found = await loader.take(found.offset - back);
      back *= 2;
      if (found.records[end - 1 - found.offset]?.id !== records.at(-1)?.id) continue;
      // A record is at the offset that the service rejected.
      if (next.rejection && next.offset < end && ++this.#rejections > 2) throw next.rejection;
      // Pages of one record cannot overlap: the one before confirms the position.
      if (found.end === end && next.offset === end) return next.records.length > 0 ? next : undefined;
    }
    return found;
  }

  /** Whether a page overlaps the one before, or matches what was read. */
  #joins(page: Page<T>, before: Page<T>): boolean {
    if (shiftBetween(before, page) !== undefined) return true;
    // No overlap, but its records were read in this order before: more records were added than a page has. A page that is
    // not full proves nothing, because its records may have moved to the end.
    const mayBeAsBefore = !this.#isRereading && page.receivedCount === this.#loader.longestPage;
    return mayBeAsBefore && isAsBefore(page.records.map(record => this.#lastSeen(record)));
  }

  #lastSeen(record: T | undefined): number {
    return record ? this.#known.lastSeen(`${record.id}`) : 0;
  }

  /**
   * Returns the start of the list or, after a checkpoint, a known page near this one. From time to time, checks whether the
   * list grows as fast as it is read.
   */
  async #startOver(start: Page<T>, page: Page<T>): Promise<Page<T>> {
    const loader = this.#loader;
    if (!this.#known.isComplete) return findKnown(page, loader, this.#known);
    if (++this.#restarts % restartsBeforeProbe > 0) return start;
    let end = this.#end || loader.longestPage;
    while (end < farOffset && (await loader.take(end)).records.length > 0) end *= 2;
    this.#end ||= end;
    if (end > 2 * this.#end) throw this.#stuck();
    return start;
  }

  /** Throws if pages without a new record show that the service ignores `offset`, or that the list outgrows the loop. */
  async #throwIfStuck(): Promise<void> {
    if (this.#stalled === pagesBeforeProbe && (await this.#loader.takeExactly(farOffset)).records.length > 0)
      throw this.#stuck('the same records at every offset');
    if (this.#stalled > maxStalledPages + (2 * this.#known.size) / this.#loader.step) throw this.#stuck();
  }

  #stuck(received = 'known records: the list grows faster than it is read'): InvalidResponseError {
    return unusableListError(this.#operation, 'new records', received);
  }
}

/**
 * Whether records are as they were read: most are known, and their sightings ascend and are close. Tolerates deletions and a
 * few additions. `sightings` are 0 for unknown records.
 */
function isAsBefore(sightings: readonly number[], newest = Number.POSITIVE_INFINITY): boolean {
  const seen = sightings.filter(number => number > 0);
  const [first = 0] = sightings;
  const last = seen.at(-1) ?? 0;
  const areKnown = first > 0 && 4 * seen.length >= 3 * sightings.length;
  return areKnown && last <= newest && last - first <= 3 * sightings.length && isAscending(seen);
}

const isAscending = (numbers: readonly number[]): boolean =>
  numbers.every((number, index) => number > (numbers[index - 1] ?? 0));

/** Returns the index of a record in a page; -1 if it is not there. */
const indexIn = ({ records }: Page<Identified>, record: Identified | undefined): number =>
  record ? records.findLastIndex(({ id }) => id === record.id) : -1;

/**
 * Returns by how many records the list has moved down between two pages, if they overlap: the second starts with a record of
 * the first, or contains its start, and continues like it. After a record that has moved, other records follow.
 */
function shiftBetween(last: Page<Identified>, page: Page<Identified>): number | undefined {
  const index = indexIn(last, page.records[0]);
  const start = index < 0 ? indexIn(page, last.records[0]) : 0;
  const from = Math.max(0, index);
  const shared = start < 0 ? [] : last.records.slice(from);
  // A set, because pages are huge if the service ignores `limit`. A single shared record is known to be there.
  const ids = new Set((shared.length > 1 ? page.records : shared).map(({ id }) => id));
  // A single shared record is the last of the first page. If another record of that page follows it, it has moved.
  const hasMoved = shared.length === 1 && indexIn(last, page.records[start + 1]) >= 0;
  // A few records of the first can have moved to the end of the list. If its last one is missing, half of it must be there.
  const isSure = ids.has(shared.at(-1)?.id ?? '') || 2 * from <= last.records.length;
  const joins = isSure && !hasMoved && 2 * shared.filter(({ id }) => ids.has(id)).length > shared.length;
  return joins ? page.offset + start - last.offset - from : undefined;
}

/**
 * Reads a list while it changes. Every record is remembered and only new ones are yielded, so reading one twice does no
 * harm:
 *
 * 1. Each page starts with a record from the page before or, if it is full, with any known one. If it does not, the reader
 *    steps back until one does, at most to the start of the list.
 * 2. The list has ended when a short page brings nothing new, and nothing, or again and again only known records, follow it.
 * 3. Changed records may have moved to the start, so the reader reads the start again until nothing is new, at most five
 *    times, and each time until a page is in its old order. If known records were where it did not expect them, it first
 *    reads the whole list again, once.
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

/** Number of pages after which a known record is unexpected. Going back, and additions, repeat only later ones. */
const expectedPages = 3;

/** Consecutive pages without a new record before probing far past the end. */
const pagesBeforeProbe = 3;

/** Consecutive pages without a new record before giving up; more if the list is long. */
const maxStalledPages = 32;

/** Consecutive short pages without a new record that end a list that moves down. */
const shortPagesToEnd = 3;

/** Times that a pass goes back to the start before the list is measured. */
const restartsBeforeMeasuring = 8;

/** New records, and their page unless the start is being read again. */
type NewRecords<T> = [records: T[], page: Page<T> | undefined];

export class ListReader<T extends Identified> {
  readonly #operation: string;
  readonly #loader: PageLoader<T>;
  readonly #known: KnownRecords;
  /** Whether more records followed a page that was shorter than requested. */
  #isCapped = false;
  /** Consecutive pages without a new record. */
  #stalled = 0;
  /** Consecutive short pages without a new record. */
  #shortPages = 0;
  /** By how many records the list had moved down at the latest page; negative if it had moved up. */
  #shift = 0;
  /**
   * Whether short pages were further down than expected, as if records had moved to the end past unread ones. `false` if
   * a full page was, too, or once the end was read again.
   */
  #endMoved: boolean | undefined;
  /** Number of rejected offsets, in all passes, where another page showed a record. */
  #rejections = 0;
  /** Whether unread records may have been skipped, because known ones were where they were not expected. */
  #isUnsure = false;
  /** Times that a pass went back to the start. */
  #restarts = 0;
  /** Whether the start is being read again. */
  #isRereading = false;
  /** An offset that was past the end of the list. */
  #measuredEnd = 0;

  /** `operation` is the name of the operation that loads pages. */
  constructor(operation: string, loader: PageLoader<T>, known: KnownRecords) {
    this.#operation = operation;
    this.#loader = loader;
    this.#known = known;
  }

  /** Yields the new records of each page, from a position to the end and then from the start, until nothing is new. */
  async *read(position: number): AsyncGenerator<NewRecords<T>, void, undefined> {
    const { pages: maxPages, isDone } = yield* this.#pass(await this.#first(position));
    // After a checkpoint, only the latest records are known, so the start would be yielded again.
    if (isDone || !this.#known.isComplete) return;
    this.#isRereading = true;
    if (this.#isUnsure) yield* this.#pass(await this.#loader.take(0), 2 * maxPages, true);
    for (let left = maxPasses; left > 0; left--) {
      const { pages, isReordered, isDone } = yield* this.#pass(await this.#loader.take(0), maxPages);
      if (isDone) return;
      // If records were only added, the start is still in order.
      if (left === 1 && isReordered && pages > 2) throw this.#stuck();
    }
  }

  /** Returns the page at a position if it starts with a known record; otherwise, what a search finds. */
  async #first(position: number): Promise<Page<T>> {
    const page = await this.#loader.take(position - 1);
    if (page.offset === 0 || this.#known.lastSeen(page.records[0]) > 0) return page;
    return findKnown(page, this.#loader, this.#known);
  }

  /**
   * Yields the new records of a page and of those after it. If the start is read again, the pass ends at a page whose
   * records were read in the same order before the pass, unless it `isWhole`, or after `maxPages`. Returns the number of
   * pages since its start, whether records moved there, and whether none can be missing.
   */
  async *#pass(first: Page<T>, maxPages = Number.POSITIVE_INFINITY, isWhole = false) {
    const newestBefore = this.#known.newest;
    let pages = 0;
    let lastNewPage = 0;
    let isAsRead = false;
    let isReordered = false;
    this.#restarts = this.#stalled = this.#shortPages = 0;
    this.#endMoved = undefined;
    for (let page: Page<T> | undefined = first; page; ) {
      // Pages before the first pass started over do not count.
      if (page.offset === 0 && !this.#isRereading) pages = 0;
      pages += 1;
      const seen: number[] = [];
      const records: T[] = [];
      for (const record of page.records) {
        const lastSeen = this.#known.add(record);
        seen.push(lastSeen);
        if (lastSeen === 0) records.push(record);
      }
      const half = seen.length / 2;
      const newestUnexpected = this.#known.newest - expectedPages * this.#loader.longestPage;
      this.#isUnsure ||= seen.some(number => number > 0 && number <= newestUnexpected);
      // Records that moved to the start are the first of the list. A short first page is the whole list.
      const old = seen.slice(0, half).filter(number => number > 0 && number <= newestBefore);
      if (page.offset === 0 && this.#isFull(page)) isReordered = !isAscending(old);
      isAsRead = this.#isRereading && !isWhole && isAsBefore(seen.slice(half), newestBefore);
      this.#observe(page, records);
      if (records.length > 0) {
        lastNewPage = pages;
        if (!isAsRead) this.#loader.prefetch(page);
        yield [records, this.#isRereading ? undefined : page] as NewRecords<T>;
      }
      page = isAsRead || pages === maxPages ? undefined : await this.#after(page);
    }
    // None can be missing if the list is empty, or if its start, read again, had new records on its first page at most.
    const isOnePage = pages <= (isAsRead ? 1 : 2) && lastNewPage <= 1;
    const isStartRead = this.#isRereading && (lastNewPage === 0 || isOnePage);
    return { pages, isReordered, isDone: isStartRead || this.#known.size === 0 };
  }

  /** Whether a page has as many records as the longest one. Others are short. */
  #isFull(page: Page<T>): boolean {
    return page.receivedCount === this.#loader.longestPage;
  }

  /** Notes whether a page can be the last one. If so, what was prefetched is not needed. */
  #observe(page: Page<T>, newRecords: readonly T[]): void {
    this.#stalled = newRecords.length > 0 ? 0 : this.#stalled + 1;
    this.#shortPages = newRecords.length > 0 || this.#isFull(page) ? 0 : this.#shortPages + 1;
    if (this.#shortPages > 0 || this.#stalled === pagesBeforeProbe) this.#loader.cancel();
  }

  /** Returns the page to read after `last`; `undefined` at the end of the list. */
  async #after(last: Page<T>): Promise<Page<T> | undefined> {
    const loader = this.#loader;
    if (last.receivedCount === 0) return undefined;
    if (this.#shortPages > 0 && (await this.#endsAfter(last))) {
      if (!this.#endMoved) return undefined;
      // Unread records may be right before those that moved.
      this.#endMoved = false;
      return loader.take(last.end - loader.step);
    }
    await this.#throwIfStuck();
    // If records are added at the start, the next ones have moved further down.
    const ahead = this.#stalled > 0 ? Math.max(0, this.#shift) : 0;
    const next = await loader.take(loader.offsetAfter(last) + ahead);
    // If more were requested and nothing follows, the single record is the whole list.
    if (next.records.length === 0 && this.#known.size === 1 && loader.limit > 1) return undefined;
    const found = await this.#findNext(last, next);
    if (!found) return undefined;
    this.#shift = shiftBetween(last, found) ?? 0;
    // A record is at the offset that the service rejected.
    const isThere = found.records[last.end - 1 - found.offset]?.id === last.records.at(-1)?.id;
    if (next.rejection && next.offset < last.end && isThere && ++this.#rejections > 2) throw next.rejection;
    this.#isUnsure ||= 2 * this.#shift > loader.longestPage;
    // If a full page is further down, records were added at the start.
    if (this.#shift > 0) this.#endMoved = !this.#isFull(found) && (this.#endMoved ?? true);
    loader.noteMove(-this.#shift);
    const bringsMore = found.records.some(record => this.#known.lastSeen(record) === 0);
    this.#isCapped ||= bringsMore && last.receivedCount < loader.limit;
    // After a checkpoint, unknown records before the first known one may have been yielded.
    return this.#known.isComplete ? found : (fromKnown(found, this.#known) ?? found);
  }

  /** Whether a short page without a new record is the end of the list. */
  async #endsAfter({ records, end }: Page<T>): Promise<boolean> {
    if (records.length === 1 && !this.#isCapped) return true;
    const behind = (await this.#loader.take(end)).records;
    if (behind.length === 0 || this.#shortPages < shortPagesToEnd) return behind.length === 0;
    // If the list has moved down, its last records appear again.
    const areKnown = behind.every(record => this.#known.lastSeen(record) > 0);
    return areKnown && behind.at(-1)?.id === records.at(-1)?.id;
  }

  /** Returns `next` if it follows `last`; otherwise, a page before it. Steps back further each time, at most to the start. */
  async #findNext(last: Page<T>, next: Page<T>): Promise<Page<T> | undefined> {
    const { records, end } = last;
    let found = next;
    let back = next.offset === end ? 1 : Math.ceil(Math.max(this.#loader.step / 8, this.#loader.moved));
    while (!this.#follows(last, found)) {
      if (found.offset === 0) return this.#startOver(found, next);
      found = await this.#loader.take(found.offset - back);
      back *= 2;
      if (found.records[end - 1 - found.offset]?.id !== records.at(-1)?.id) continue;
      // Pages of one record cannot overlap: the one before confirms the position.
      if (found.end === end && next.offset === end) return next.records.length > 0 ? next : undefined;
    }
    return found;
  }

  /** Whether a page overlaps the one before or, less surely, is full and starts with a known record. */
  #follows(last: Page<T>, next: Page<T>): boolean {
    if (shiftBetween(last, next) !== undefined) return true;
    // The list may have moved down by more than a page. A short page can be the end, to which known records moved, and while
    // the list is read again, nearly all are known.
    const mayFollow = this.#isFull(next) && !this.#isRereading;
    const isKnown = mayFollow && this.#known.lastSeen(next.records[0]) > 0;
    // Pages of one record cannot overlap.
    this.#isUnsure ||= isKnown && next.records.length > 1;
    return isKnown;
  }

  /**
   * Returns the start of the list or, after a checkpoint, a known page near this one. From time to time, checks whether the
   * list grows as fast as it is read.
   */
  async #startOver(start: Page<T>, page: Page<T>): Promise<Page<T>> {
    const loader = this.#loader;
    if (!this.#known.isComplete) return findKnown(page, loader, this.#known);
    if (++this.#restarts % restartsBeforeMeasuring > 0) return start;
    let end = this.#measuredEnd || loader.longestPage;
    while (end < farOffset && (await loader.take(end)).records.length > 0) end *= 2;
    this.#measuredEnd ||= end;
    if (end > 2 * this.#measuredEnd) throw this.#stuck();
    return start;
  }

  /** Throws if pages without a new record show that the service ignores `offset`, or that the list outgrows the loop. */
  async #throwIfStuck(): Promise<void> {
    if (this.#stalled === pagesBeforeProbe && (await this.#loader.take(farOffset)).records.length > 0)
      throw this.#stuck('the same records at every offset');
    if (this.#stalled > maxStalledPages + (2 * this.#known.size) / this.#loader.step) throw this.#stuck();
  }

  #stuck(received = 'known records: the list changes faster than it is read'): InvalidResponseError {
    return unusableListError(this.#operation, 'new records', received);
  }
}

/**
 * Whether records are as they were read: most are known, and their sightings ascend and are close. Tolerates deletions and a
 * few additions. `sightings` are 0 for unknown records.
 */
function isAsBefore(sightings: readonly number[], newest: number): boolean {
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
 * the first, or contains its start, and more than half of the records from there on follow in the same order.
 */
function shiftBetween(last: Page<Identified>, page: Page<Identified>): number | undefined {
  const from = indexIn(last, page.records[0]);
  const start = from < 0 ? indexIn(page, last.records[0]) : 0;
  if (start < 0) return undefined;
  const rest = last.records.slice(Math.max(0, from));
  const places = new Map(rest.map(({ id }, place) => [id, place]));
  let latest = -1;
  let inOrder = 0;
  for (const { id } of page.records.slice(start, start + 2 * rest.length)) {
    const place = places.get(id) ?? -1;
    if (place > latest) inOrder += 1;
    latest = Math.max(latest, place);
  }
  // The only shared record is the last one of the first page. If another of that page follows it, it has moved.
  const hasMoved = rest.length === 1 && indexIn(last, page.records[start + 1]) >= 0;
  if (hasMoved || 2 * inOrder <= rest.length) return undefined;
  return page.offset + start - last.offset - Math.max(0, from);
}

/**
 * Reads a list that changes in the meantime:
 *
 * 1. Each page starts with a record of the page before, or the reader goes back to a page that does; it remembers every
 *    record, and yields only those that it has not seen.
 * 2. The list ends where nothing follows its last record.
 * 3. Then the reader reads the start again, because changed records move there, until nothing is new or a page is
 *    unchanged.
 */
import { unusableRecords } from '../core/issues.ts';
import type { InvalidResponseError } from '../errors.ts';
import { findKnown } from './checkpoint-search.ts';
import type { KnownRecords } from './known-records.ts';
import { farOffset, type Page, type PageLoader } from './page-loader.ts';

/** Maximum number of times to read the start that are not shorter than the time before. */
const maxPasses = 5;

/** Pages in a row that end with a known record before probing past the end, and before giving up, in addition to those read. */
const pagesBeforeProbe = 3;
const maxStalledPages = 32;

/** Pages in a row that end with a known record after which the list may end: short ones, or with the same one. */
const maxShortPages = 3;

/** The same for a list whose pages are cut by the service: they are often short. */
const maxShortPagesIfCapped = 5;
const maxStillPages = 8;

/** New records, and their page if it is ahead of the position. */
type NewRecords<T> = [records: T[], page: Page<T> | undefined];

export class ListReader<T extends { readonly id: string }> {
  readonly #operation: string;
  readonly #loader: PageLoader<T>;
  readonly #known: KnownRecords;
  readonly #prefetched: number;
  /** Whether more records came behind a page that was shorter than requested. */
  #isCapped = false;
  /** Pages in a row that end with a known record, and the number of the latest of them that are short. */
  #stalled = 0;
  #short = 0;
  /** Whether the latest page ends with the same record as the one before. */
  #isStill = false;
  /** Whether records came behind the latest page, although the search for an overlapping page ended elsewhere. */
  #isFollowed = false;
  /** Whether known records were seen in another order than before. */
  #isReordered = false;
  /** Times that a pass went back to the start, and how many are reason to look how long the list is. */
  #restarts = 0;
  #restartsBeforeProbe = 8;
  /** An offset that was behind the end of the list. */
  #end = 0;

  /** `operation` is the name of the one that loads a page; `prefetched` is the maximum number of pages to prefetch. */
  constructor(operation: string, loader: PageLoader<T>, known: KnownRecords, prefetched: number) {
    this.#operation = operation;
    this.#loader = loader;
    this.#known = known;
    this.#prefetched = prefetched;
  }

  /** Yields the new records of each page, from a position to the end and then from the start, until nothing is new. */
  async *read(position: number): AsyncGenerator<NewRecords<T>, void, undefined> {
    const first = await this.#first(position);
    const { pages: most, isWhole } = yield* this.#pass(first, Number.POSITIVE_INFINITY);
    // What precedes a checkpoint of many records is unknown.
    if (isWhole || !this.#known.isComplete) return;
    let before = most;
    for (let left = maxPasses; left > 0; ) {
      const { pages, isWhole } = yield* this.#pass(await this.#loader.take(0), most, this.#known.newest);
      if (isWhole) return;
      if (pages >= before) left -= 1;
      before = pages;
    }
    // Records that are added only are not missed.
    if (this.#isReordered) throw this.#stuck();
  }

  /** Returns the page at a position, which starts with a record of the checkpoint, or what was found instead. */
  async #first(position: number): Promise<Page<T>> {
    const page = await this.#loader.take(position - 1);
    if (page.offset === 0 || this.#lastSeen(page.records[0]) > 0) return page;
    return findKnown(page, this.#loader, this.#known);
  }

  /**
   * Yields the new records of a page and those after it: up to the end or, if the start is read `again`, to a page that is as
   * it was read before that sighting, or to as many pages as the list had. Returns whether nothing can be missing.
   */
  async *#pass(first: Page<T>, most: number, again = 0) {
    let fromStart = first.offset === 0;
    let pages = 0;
    let changed = 0;
    let isAsRead = false;
    let last: Page<T> | undefined;
    this.#restarts = this.#stalled = 0;
    for (let page: Page<T> | undefined = first; page && !isAsRead && pages < most; ) {
      // What was read before a start without known records is deleted.
      if (page.offset === 0 && again === 0) {
        fromStart = true;
        pages = changed = 0;
      }
      pages += 1;
      this.#isReordered ||= again > 0 && !this.#isInOrder(page.records, again);
      isAsRead = again > 0 && this.#isAsRead(page.records.slice(page.records.length / 2), again);
      const records: T[] = page.records.filter(({ id }) => this.#known.add(`${id}`));
      this.#observe(page, records, last);
      if (records.length > 0) {
        changed = pages;
        if (!isAsRead) this.#loader.prefetch(page, this.#loader.offsetAfter(page), this.#prefetched);
        yield [records, again > 0 ? undefined : page] as NewRecords<T>;
      }
      last = page;
      if (!isAsRead && pages < most) page = await this.#after(page);
    }
    // One page, and the one that shows that it is all, are the list at one time; and so is the start.
    const isOnePage = fromStart && pages <= 2 && changed <= 1;
    return { pages, isWhole: isOnePage || (again > 0 && (changed === 0 || (pages === 1 && isAsRead))) };
  }

  /** Takes note of what a page shows of the end of the list. */
  #observe(page: Page<T>, newRecords: readonly T[], last: Page<T> | undefined): void {
    const { limit, longestPage } = this.#loader;
    const latest = page.records.at(-1);
    const endsNew = newRecords.length > 0 && newRecords.at(-1) === latest;
    this.#stalled = endsNew ? 0 : this.#stalled + 1;
    this.#isCapped ||= endsNew && last !== undefined && last.records.length < limit;
    this.#isStill = !endsNew && !this.#isFollowed && last?.records.at(-1)?.id === latest?.id;
    const isShort = last !== undefined && page.records.length < longestPage && !this.#isFollowed;
    this.#short = isShort && !endsNew ? this.#short + 1 : 0;
  }

  /** Returns the page that follows one, or an earlier one that joins on; nothing at the end. */
  async #after(page: Page<T>): Promise<Page<T> | undefined> {
    const loader = this.#loader;
    const { records, end } = page;
    if (records.length === 0) return undefined;
    const isShort = this.#short > 0;
    const isOnlyLast = isShort && this.#isStill && records.length === 1;
    if (isOnlyLast && !this.#isCapped) return undefined;
    // The list can also grow as fast as it is read.
    const enough = this.#isCapped ? maxShortPagesIfCapped : maxShortPages;
    const mayEnd = this.#short >= enough || (this.#isStill && this.#stalled > maxStillPages);
    if (mayEnd && (await loader.take(end + 2 * records.length)).records.length === 0) {
      const behind = await loader.take(end);
      if (behind.records.every(record => this.#lastSeen(record) > 0)) return undefined;
    }
    await this.#throwIfStuck();
    // If the list moves down, its end is as much further on as it was at the last look.
    const next = await loader.take(
      isShort || this.#isStill ? end - 1 + Math.max(1, records.length - 1) : loader.offsetAfter(page),
    );
    // If more were requested and nothing follows, the single record is the whole list.
    const isOnly = this.#known.size === 1 && loader.limit > 1;
    if (next.records.length === 0 && (isOnly || isOnlyLast)) return undefined;
    let found = next;
    for (let back = next.offset === end ? 1 : loader.stepBack; !this.#joins(found, page); back *= 2) {
      if (found.offset === 0) return this.#startOver(found, next);
      found = await loader.take(found.offset - back);
      const isUnmoved = found.records[end - 1 - found.offset]?.id === records.at(-1)?.id;
      // A record is at the offset that the service rejected.
      if (isUnmoved && next.rejection && next.offset < end) throw next.rejection;
      // Pages of one record cannot overlap: the one before confirms the position.
      if (isUnmoved && found.end === end && next.offset === end)
        return next.records.length > 0 ? next : undefined;
    }
    this.#isFollowed = found !== next && next.records.length > 0;
    const shift = shiftBetween(page, found) ?? 0;
    loader.noteMove(-shift);
    // Nothing follows if all is known up to where nothing was.
    const isKnown = found.records.every(record => this.#lastSeen(record) > 0);
    const isCovered = found.end - Math.max(0, shift) >= next.offset;
    return next.records.length === 0 && isKnown && isCovered ? undefined : found;
  }

  /** Whether a page goes on where the one before ended, or is as it was read. */
  #joins(page: Page<T>, before: Page<T>): boolean {
    const { length } = page.records;
    if (shiftBetween(before, page) !== undefined) return true;
    // A single known record can have moved there.
    const canTell = length > 1 || this.#loader.longestPage === 1;
    return canTell && this.#isAsRead(page.records.slice(0, length / 2 + 1));
  }

  /** Whether records are as they were read up to a sighting: most known, in the same order, and not far apart. */
  #isAsRead(records: readonly T[], newest = Number.POSITIVE_INFINITY): boolean {
    const seen = records.map(record => this.#lastSeen(record)).filter(number => number > 0);
    const [first = 0] = seen;
    const last = seen.at(-1) ?? 0;
    const areKnown = this.#lastSeen(records[0]) > 0 && 4 * seen.length >= 3 * records.length;
    return areKnown && last <= newest && last - first <= 3 * records.length && this.#isInOrder(records);
  }

  /** Whether records that were seen, up to a sighting, are in the order in which they were. */
  #isInOrder(records: readonly T[], newest = Number.POSITIVE_INFINITY): boolean {
    const seen = records
      .map(record => this.#lastSeen(record))
      .filter(number => number > 0 && number <= newest);
    return seen.every((number, index) => number > (seen[index - 1] ?? 0));
  }

  #lastSeen(record: T | undefined): number {
    return record ? this.#known.lastSeen(`${record.id}`) : 0;
  }

  /**
   * Returns the start of the list or, if not all that was yielded is known, what is found around a page. Looks at times, the
   * longer the rarer, whether the list grows as fast as it is read.
   */
  async #startOver(start: Page<T>, page: Page<T>): Promise<Page<T>> {
    const loader = this.#loader;
    if (!this.#known.isComplete) return findKnown(page, loader, this.#known);
    if (++this.#restarts < this.#restartsBeforeProbe) return start;
    this.#restartsBeforeProbe *= 2;
    let end = this.#end || loader.longestPage;
    while (end < farOffset && (await loader.take(end)).records.length > 0) end *= 2;
    this.#end ||= end;
    if (end > 2 * this.#end) throw this.#stuck();
    return start;
  }

  /** Throws if, after so many pages without a new record, the service ignores `offset`, or the list outruns the loop. */
  async #throwIfStuck(): Promise<void> {
    if (this.#stalled === pagesBeforeProbe && (await this.#loader.ignoresOffset()))
      throw this.#stuck('the same records whatever the offset');
    if (this.#stalled > maxStalledPages + (2 * this.#known.size) / this.#loader.step) throw this.#stuck();
  }

  #stuck(received = 'known ones: the list grows faster than it is read'): InvalidResponseError {
    return unusableRecords(this.#operation, 'new records', received);
  }
}

type Identified = { readonly id: string };

/** Returns the index of a record in a page; -1 if it is not there. */
const indexIn = ({ records }: Page<Identified>, record: Identified | undefined): number =>
  record ? records.findLastIndex(({ id }) => id === record.id) : -1;

/**
 * Returns by how many records the list has moved down between two pages, if they join on: the second starts with a record of
 * the first, or contains its start, and goes on like it. A record that has moved elsewhere is followed by others.
 */
function shiftBetween(last: Page<Identified>, page: Page<Identified>): number | undefined {
  const index = indexIn(last, page.records[0]);
  const start = index < 0 ? indexIn(page, last.records[0]) : 0;
  const from = Math.max(0, index);
  const shared = start < 0 ? [] : last.records.slice(from, from + page.records.length - start);
  const found = shared.filter(record => indexIn(page, record) >= 0);
  const goesOn = 2 * found.length > (index >= 0 ? shared : last.records).length;
  return goesOn ? page.offset + start - last.offset - from : undefined;
}

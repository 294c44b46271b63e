import { unusableRecords } from '../core/issues.ts';
import type { InvalidResponseError } from '../errors.ts';
import { findKnown } from './checkpoint-search.ts';
import type { KnownRecords } from './known-records.ts';
import { farOffset, type Page, type PageLoader } from './page-loader.ts';

/** Pages in a row without a new record before probing past the end, and before giving up, besides those that were read. */
const pagesBeforeProbe = 8;
const maxStalledPages = 32;

/** Maximum number of pages to look for the position further on. */
const maxJumps = 4;

/** Times to go back to the start before it is looked whether the list grows; again after twice as many. */
const restartsBeforeProbe = 8;

/** What a service that ignores `offset` sends. */
const sameRecords = 'the same records whatever the offset';

type Identified = { readonly id: string };

/** A page, and the records in it that were not known: they are to be yielded. */
export interface ReadPage<T> {
  readonly page: Page<T>;
  readonly records: T[];
}

/** Reads pages of which each starts with a record of the one before: so nothing is between them. */
export class JoinedPages<T extends Identified> {
  /** Name of the operation that loads a page. */
  readonly #operation: string;
  readonly #loader: PageLoader<T>;
  readonly #known: KnownRecords;
  /** Maximum number of pages to prefetch. */
  readonly #prefetched: number;
  /** Times that the loop went back to the start. */
  #restarts = 0;
  /** An offset that was far behind the end of the list. */
  #beyond = 0;

  constructor(operation: string, loader: PageLoader<T>, known: KnownRecords, prefetched: number) {
    this.#operation = operation;
    this.#loader = loader;
    this.#known = known;
    this.#prefetched = prefetched;
  }

  /** Returns the page at a position, which starts with a record of the checkpoint, or the start of the list. */
  async first(position: number): Promise<Page<T>> {
    const loader = this.#loader;
    const known = this.#known;
    const page = await loader.take(position - 1);
    if (this.#isKnown(page.records[0]) || (known.isComplete && page.offset === 0)) return page;
    // If all that was yielded is known, the start shows whether anything was added there.
    const start = known.isComplete ? await loader.take(0) : undefined;
    const hasNew = start?.records.some(record => !this.#isKnown(record));
    return start && hasNew ? start : findKnown(page, loader, known);
  }

  /** Yields a page and those after it: up to the end of the list or, if it is read `again`, to a page that was read so. */
  async *from(first: Page<T>, again: boolean): AsyncGenerator<ReadPage<T>, void, undefined> {
    const loader = this.#loader;
    let last: Page<T> | undefined;
    let page: Page<T> | undefined = first;
    for (let stalled = 0; page; ) {
      const wasRead = again && this.#wasRead(page);
      const records = this.#learn(page);
      stalled = records.length > 0 && records.at(-1) === page.records.at(-1) ? 0 : stalled + 1;
      if (last && records[0]) loader.noteMove(-(shiftBetween(last, page) ?? page.offset - last.end));
      if (records[0] && !wasRead) loader.prefetch(page, this.#prefetched);
      yield { page, records };
      if (wasRead) return;
      await this.#throwIfStuck(stalled);
      const next: Page<T> | undefined = await this.#after(page, last, stalled);
      last = page;
      page = next;
    }
  }

  /** Returns the new records of a page, and takes note of all. */
  #learn({ records }: Page<T>): T[] {
    return records.filter(({ id }) => this.#known.add(`${id}`));
  }

  /** Whether the second half of a page is as it was read before: known records, in the same order. */
  #wasRead({ records }: Page<T>): boolean {
    let before = 0;
    return records.slice(records.length / 2).every(({ id }) => {
      const seen = this.#known.lastSeen(`${id}`);
      const isInOrder = seen > before;
      before = seen;
      return isInOrder;
    });
  }

  /** Returns the page after one that came after `last`, or an earlier one if the list has moved up. Returns nothing at the end. */
  async #after(page: Page<T>, last: Page<T> | undefined, stalled: number): Promise<Page<T> | undefined> {
    const loader = this.#loader;
    const { length } = page.records;
    if (length === 0) return undefined;
    // A page that contains nothing but the last record is the end, unless the service may have cut it down to that.
    const isLast = last && stalled > 0 && length === 1 && loader.longestPage > 1;
    if (isLast && (!loader.hasCutPages || last?.records.length === 1)) return undefined;
    // A page that ends with a known record can be the last one, or the list moves, and is expected to go on so.
    const next = await loader.take(
      last && stalled > 0 ? this.#stalledOffset(last, page, stalled) : loader.offsetAfter(page),
    );
    if (shiftBetween(page, next) !== undefined) return next;
    // If more were requested and nothing follows, the single record is the whole list.
    const isWhole = this.#known.size === 1 && loader.limit > 1;
    if (next.records.length === 0 && (isLast || isWhole)) return undefined;
    const before = (await this.#onwards(next, page)) ?? (await this.#search(next, page));
    const index = indexIn(before, page.records.at(-1));
    const isUnmoved = index >= 0 && before.offset + index === page.end - 1;
    // A record is at the offset that the service rejected.
    if (next.rejection && isUnmoved && next.offset < page.end) throw next.rejection;
    if (this.#isEnd(next, before, shiftBetween(page, before) ?? 0)) return undefined;
    // Pages of one record cannot overlap: the one before confirms the position.
    const hasNew = before.records.some(record => !this.#isKnown(record));
    if (!isUnmoved || hasNew || before.records.length > 1 || before.end !== next.offset) return before;
    return next.records.length > 0 ? next : undefined;
  }

  /** Returns the offset to ask for after a page that ends with a known record: the list can end there, or it moves. */
  #stalledOffset(last: Page<T>, page: Page<T>, stalled: number): number {
    const move = drift(last, page);
    if (page.records.length === 1) return page.end + Math.max(0, move);
    // If pages may be cut, nothing but an empty one shows the end; if records move there, the last one alone is never met.
    const isBehind = this.#loader.hasCutPages && page.end <= last.end && stalled % 2 === 0;
    return isBehind ? page.end : page.end - 1 + move;
  }

  /**
   * Whether the list ended with a page that does not join on, and the one before it has nothing new up to there, although the
   * list has moved down by `shift` since.
   */
  #isEnd({ records, end }: Page<T>, before: Page<T>, shift: number): boolean {
    const { hasCutPages, longestPage } = this.#loader;
    const isShort = !hasCutPages && records.length < longestPage && end >= before.end;
    if (records.length > 0 && !isShort) return false;
    const isCovered = before.end - Math.max(0, shift) >= end;
    return isCovered && [...records, ...before.records].every(record => this.#isKnown(record));
  }

  /**
   * Returns a page that joins on to `last` if that has moved down by more than a page: so one that starts with a known record
   * tells how many known ones are before the last.
   */
  async #onwards(from: Page<T>, last: Page<T>): Promise<Page<T> | undefined> {
    const newest = this.#firstSeen(last.records.at(-1));
    let page = from;
    for (let pages = 0; pages < maxJumps; pages++) {
      const seen = this.#firstSeen(page.records[0]);
      if (seen === 0 || seen >= newest) return undefined;
      page = await this.#loader.take(page.offset + newest - seen);
      if (shiftBetween(last, page) !== undefined) return page;
    }
    return undefined;
  }

  #isKnown(record: T | undefined): boolean {
    return record !== undefined && this.#known.has(`${record.id}`);
  }

  #firstSeen(record: T | undefined): number {
    return record ? this.#known.firstSeen(`${record.id}`) : 0;
  }

  /**
   * Returns a page that joins on to `last`: searches back from one that does not, in steps that double, down to the start of
   * the list; then between a page that starts with a known record and one that does not.
   */
  async #search(from: Page<T>, last: Page<T>): Promise<Page<T>> {
    const loader = this.#loader;
    let back = last.records.length === 1 ? 1 : loader.stepBack;
    // What the service rejected says nothing of how far the list has moved.
    if (from.rejection) back = Math.max(back, loader.step);
    let high = from.offset;
    let low: Page<T> | undefined;
    while (!low || high - low.offset >= Math.max(2, low.records.length)) {
      const page = await loader.take(low ? Math.floor((low.offset + high) / 2) : high - back);
      if (shiftBetween(last, page) !== undefined) return page;
      const isBefore = page.offset < last.offset && this.#isKnown(page.records[0]);
      if (page.offset === 0 && !isBefore) return this.#start(page, from);
      back *= 2;
      if (isBefore) low = page;
      else high = page.offset;
    }
    return low;
  }

  /** Returns where to go on if the search for what follows came to the start, and that does not tell. */
  async #start(start: Page<T>, from: Page<T>): Promise<Page<T>> {
    const loader = this.#loader;
    if (!this.#known.isComplete) return findKnown(from, loader, this.#known);
    this.#restarts += 1;
    if (this.#restarts % restartsBeforeProbe === 0 && Math.log2(this.#restarts) % 1 === 0) {
      const hadEnd = this.#beyond > 0;
      this.#beyond ||= 1 + loader.step;
      while (this.#beyond < farOffset && (await loader.take(this.#beyond)).records.length > 0) {
        if (hadEnd) throw this.#stuck();
        this.#beyond *= 2;
      }
      if (!hadEnd) this.#beyond *= 2;
    }
    return start;
  }

  /** Throws if, after so many pages without a new record, the service ignores `offset`, or the list outruns the loop. */
  async #throwIfStuck(stalled: number): Promise<void> {
    if (stalled === pagesBeforeProbe && (await this.#loader.ignoresOffset())) throw this.#stuck(sameRecords);
    if (stalled > maxStalledPages + (2 * this.#known.size) / this.#loader.step) throw this.#stuck();
  }

  #stuck(received = 'known ones: the list grows faster than it is read'): InvalidResponseError {
    return unusableRecords(this.#operation, 'new records', received);
  }
}

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
  const goesOn =
    2 * found.length > shared.length && (index >= 0 || found.length > 1 || last.records.length === 1);
  return goesOn ? page.offset + start - last.offset - from : undefined;
}

/** Returns by how many records the list, or its end, moves down per request; less than 0 if up. */
function drift(last: Page<Identified>, page: Page<Identified>): number {
  const shift = shiftBetween(last, page) ?? 0;
  const moved = page.end < last.end ? Math.min(shift, page.end - last.end) : shift;
  return Math.floor(moved / Math.max(1, page.requestNumber - last.requestNumber));
}

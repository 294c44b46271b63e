import { InvalidResponseError } from '../errors.ts';
import { findPosition, isListWithout, type KnownRecords } from './find-position.ts';
import type { Page, PageFetcher } from './page-fetcher.ts';
import type { RecentRecords } from './recent-records.ts';
import { Stall } from './stall.ts';

/** Pages in flight at most, as a multiple of those that were read: a short list costs few unneeded requests. */
const prefetchFactor = 2;

/** Records yielded before a search through the list, and before the next one. */
const recordsBetweenSearches = 512;

/** A page, and how it lies against the records yielded so far. */
interface Place<T> extends Page<T> {
  /** Sequence number of the newest yielded record in it; 0 for none. */
  readonly newest: number;
  /** Index of that record; -1 for none. */
  readonly newestIndex: number;
  /** Index of the first new record; the number of records when there is none. */
  readonly start: number;
}

/**
 * Merges the pages of a list that changes meanwhile into one sequence. Each page starts with the last record of the one
 * before it, so that a response shows what follows that record. Where a page shows no recent record, records before it
 * were deleted and the following ones moved up: it is read again further back, down to the start of the list.
 */
export class PageMerger<T extends { readonly id: string }> {
  readonly #operation: string;
  readonly #fetcher: PageFetcher<T>;
  readonly #recent: RecentRecords;
  readonly #concurrency: number;
  /** Position behind the last yielded record, as it was when its page was loaded. */
  offset: number;
  #nextOffset = 0;
  #previous: Page<T> | undefined;
  /** Records were seen further down than where they were yielded, because records were added before them. */
  #hasGrown = false;
  /** Sequence number of the last record yielded before the list outran the iteration and it started over; 0 for none. */
  #outrunAfter = 0;
  /** Sequence number of the last record yielded before the last search through the list; 0 for none. */
  #searchedAfter = 0;
  /** Full pages read in a row, the first one only if it is as long as requested; 0 when the place is uncertain. */
  #fullPages = 0;

  constructor(
    operation: string,
    fetcher: PageFetcher<T>,
    recent: RecentRecords,
    { offset, concurrency }: { readonly offset: number; readonly concurrency: number },
  ) {
    this.#operation = operation;
    this.#fetcher = fetcher;
    this.#recent = recent;
    this.#concurrency = concurrency;
    this.offset = offset;
  }

  /** Returns the first batch of an iteration, from the place of the last yielded record. */
  async first(signal: AbortSignal | undefined): Promise<Iterable<T> | undefined> {
    this.#previous = undefined;
    const page = await findPosition(this.#fetcher, this.offset, this.#knownRecords());
    this.#fullPages = page.records.length < this.#fetcher.limit ? -1 : 0;
    return this.#merge(page, signal);
  }

  /** Returns the next batch of new records, each yielded when it is drawn; `undefined` at the end of the list. */
  async next(signal: AbortSignal | undefined): Promise<Iterable<T> | undefined> {
    return this.#merge(await this.#fetcher.take(this.#nextOffset), signal);
  }

  async #merge(loaded: Page<T>, signal: AbortSignal | undefined): Promise<Iterable<T> | undefined> {
    const stall = new Stall();
    for (let page = loaded; ; page = await this.#fetcher.take(this.#nextOffset)) {
      signal?.throwIfAborted();
      const follows = this.#startsBehindPrevious(page);
      if (follows && (await this.#hasMoved(page))) continue;
      if (page.records.length === 0 && (page.offset === 0 || follows || stall.endsAt(page.offset)))
        return undefined;
      const place = this.#place(page);
      const isContiguous = follows || place.newest > 0 || page.offset === 0;
      await this.#noticeGrowth(place);
      this.#previous = page;
      if (isContiguous && place.start < page.records.length) return this.#accept(place, signal);
      stall.add(page, place.newest);
      if (await this.#isEverything(page, stall)) return undefined;
      this.#lookElsewhere(place, stall);
    }
  }

  /** The page starts behind one that held a single record, so that none of its records shows what they follow. */
  #startsBehindPrevious(page: Page<T>): boolean {
    const previous = this.#previous;
    if (previous?.records.length !== 1 || page.offset !== previous.offset + 1) return false;
    return this.#place(page).newest === 0;
  }

  /**
   * Loads the previous page again, unless the service gives more records at once and so has shown that none follows.
   * Where it holds another record now, the page does not follow it.
   */
  async #hasMoved(page: Page<T>): Promise<boolean> {
    const { offset, records } = this.#previous as Page<T>;
    if (page.records.length === 0 && this.#fetcher.largest > 1) return false;
    const again = await this.#fetcher.take(offset);
    if (again.records[0]?.id === records[0]?.id) return false;
    this.#previous = undefined;
    this.#nextOffset = offset;
    return true;
  }

  #place(page: Page<T>): Place<T> {
    const { records } = page;
    let newest = 0;
    let newestIndex = -1;
    for (const [index, record] of records.entries()) {
      const number = this.#sequenceNumber(record);
      if (number <= newest) continue;
      newest = number;
      newestIndex = index;
      // No record is newer: a page mostly starts with it, and each look-up costs a hash once an iteration was resumed.
      if (newest === this.#recent.latest) break;
    }
    let start = newestIndex + 1;
    while (this.#sequenceNumber(records[start]) > 0) start++;
    return { ...page, newest, newestIndex, start };
  }

  /**
   * Compares the position of the newest recent record with the one that it had. Where a list grows faster than it is read,
   * the iteration may have to start over; then records that were yielded before must not be forgotten.
   */
  async #noticeGrowth({ offset, newest, newestIndex, records, start }: Place<T>): Promise<void> {
    const { latest } = this.#recent;
    if (newest > 0 && offset + newestIndex > this.offset - 1 - (latest - newest)) this.#hasGrown = true;
    const before = this.#sequenceNumber(records[start - 1]);
    if (before > 0 && before <= this.#outrunAfter) this.#outrunAfter = 0;
    if (offset === 0 && newest === 0 && this.#hasGrown) await this.#startOver();
    if (this.#outrunAfter > 0 && !this.#recent.isComplete) throw this.#outrun();
  }

  /**
   * Finds out why the list shows no recent record up to its start. If none is in the list any more, they were deleted;
   * otherwise it has outrun the iteration. The search waits until so many records are remembered that it is short.
   */
  async #startOver(): Promise<void> {
    const { latest, isComplete } = this.#recent;
    if (this.#outrunAfter === 0) this.#searchedAfter = 0;
    this.#outrunAfter ||= latest;
    if (isComplete && latest < this.#searchedAfter + recordsBetweenSearches) return;
    this.#searchedAfter = latest;
    this.#fetcher.cancel();
    if (!(await isListWithout(this.#fetcher, this.#knownRecords()))) return;
    this.#hasGrown = false;
    this.#outrunAfter = 0;
  }

  #knownRecords(): KnownRecords<T> {
    const { size, isComplete } = this.#recent;
    return { size, isComplete, isIn: page => this.#place(page).newest > 0 };
  }

  #sequenceNumber(record: T | undefined): number {
    return record ? this.#recent.sequenceNumber(record.id) : 0;
  }

  /** Prefetches what follows a page and returns its new records. */
  #accept(place: Place<T>, signal: AbortSignal | undefined): Iterable<T> {
    const { length } = place.records;
    const isFull = length > 1 && length >= this.#fetcher.largest;
    this.#fullPages = isFull ? this.#fullPages + 1 : 0;
    const wanted = Math.max(1, this.#fullPages * prefetchFactor);
    this.#nextOffset = behindOrOverlapping(place);
    this.#fetcher.prefetch(this.#nextOffset, Math.min(this.#concurrency, wanted), wanted);
    return this.#yieldNew(place, signal);
  }

  *#yieldNew({ offset, records, start }: Place<T>, signal: AbortSignal | undefined): Generator<T, void> {
    for (let index = start; index < records.length; index++) {
      signal?.throwIfAborted();
      const record = records[index] as T;
      if (this.#recent.sequenceNumber(record.id) > 0) continue;
      this.#recent.add(record.id);
      this.offset = offset + index + 1;
      yield record;
    }
  }

  /** Chooses where to read after a page without a new record. */
  #lookElsewhere(place: Place<T>, stall: Stall): void {
    const { offset, newest, newestIndex } = place;
    const { step } = this.#fetcher;
    this.#fetcher.cancel();
    this.#fullPages = 0;
    // So many records were yielded after the newest one shown, and stand behind it unless they were deleted.
    const missing = this.#recent.latest - newest;
    const { length } = place.records;
    if (missing === 0 && newestIndex === length - 1) {
      stall.addLatest(offset + newestIndex, length === 1);
      this.#nextOffset = stall.nextOffset;
    } else if (newest === 0) this.#nextOffset = Math.max(0, offset - step);
    else if (missing > step && !stall.hasOvershot && (offset < this.offset || stall.hasJumped)) {
      // A list that grew as much again between two requests grows about as much until the next.
      this.#nextOffset = offset + newestIndex + missing * (stall.isStalled ? 2 : 1);
      stall.hasJumped = true;
    } else this.#nextOffset = behindOrOverlapping(place) - stall.end.expectedMove;
  }

  /** Tells a service that gives everything at once, whatever the `offset`, from a list that moves. */
  async #isEverything({ records }: Page<T>, stall: Stall): Promise<boolean> {
    const isOversized = records.length > this.#fetcher.limit;
    if (stall.needsProbe(isOversized) && (await this.#fetcher.ignoresOffset())) {
      if (isOversized) return true;
      throw this.#stalled(
        `the same ${records.length === 1 ? 'record comes' : `${records.length} records come`} whatever the offset; check for a cache or proxy in between that ignores the query`,
        'other records further on',
      );
    }
    if (stall.isHopeless) throw this.#outrun();
    return false;
  }

  #outrun(): InvalidResponseError {
    return this.#stalled(
      'the list grows faster than it is read; iterate again to continue from the checkpoint, with a larger pageSize or while fewer records are added',
      'a new record',
    );
  }

  #stalled(problem: string, expected: string): InvalidResponseError {
    const operation = this.#operation;
    const issues = [{ path: '', expected, received: 'the same records again' }];
    return new InvalidResponseError(`${operation}: ${problem}`, { operation, outcome: 'done', issues });
  }
}

/** Where to read after a page: from its last record, or behind it where the page shows that record alone. */
function behindOrOverlapping({ offset, records }: Page<unknown>): number {
  return offset + Math.max(1, records.length - 1);
}

import { InvalidResponseError } from '../errors.ts';
import type { Page, PageFetcher } from './page-fetcher.ts';
import type { RecentRecords } from './recent-records.ts';

/** How a page lies against the records handed out so far. */
interface Fit {
  /** It holds the record handed out last, or one shortly before it; or it is the first page, before which nothing is. */
  readonly joins: boolean;
  /** The turn of the newest record in it that was handed out; 0 for none. */
  readonly turn: number;
  /** Those from here are to be handed out, but for any that were. */
  readonly start: number;
  readonly end: number;
  /** Where to read next. */
  readonly next: number;
}

/**
 * Makes one sequence of the pages of a list that changes meanwhile. Each page starts with the last record of the one
 * before it. One that shows no record handed out lately does not join on: records behind the walk were deleted and
 * those that follow moved up, so it reads again further back, at most to where the list begins.
 */
export class PageMerger<T extends { readonly id: string }> {
  readonly #operation: string;
  readonly #reader: PageFetcher<T>;
  readonly #recent: RecentRecords;
  /** Records up to and including the last one handed out, as they stood when its page was read. */
  offset: number;

  constructor(operation: string, reader: PageFetcher<T>, recent: RecentRecords, offset: number) {
    this.#operation = operation;
    this.#reader = reader;
    this.#recent = recent;
    this.offset = offset;
  }

  /** Records by the page, never none; each counts as handed out when it is drawn. */
  async *batches(concurrency: number, signal: AbortSignal | undefined): AsyncGenerator<Iterable<T>, void> {
    const reader = this.#reader;
    let page = await this.#first();
    // The first page may be short because it is the last: only one that holds all that was asked for tells of more.
    for (let ahead = page.records.length < reader.limit ? 1 / 4 : 1, barren = 0, seen = ''; ; ) {
      const { joins, turn, start, end, next } = this.#fit(page);
      const { length } = page.records;
      if (joins && start < end) {
        ahead = end > reader.stride ? Math.min(concurrency, ahead * 4) : 1;
        reader.ahead(next, ahead);
        barren = 0;
        yield this.#hand(page, start, end, signal);
      } else {
        // Nothing follows, or the service gives everything at once and has given it.
        if (joins && (page.last || length > reader.limit)) return;
        // Many may have been added before this place, and take some pages to pass. The same page again shows no such thing.
        const shown = `${turn} ${length}`;
        if (joins) barren += shown === seen ? 1 : 1 / 64;
        if (barren > 2 + 50 / reader.stride) throw this.#stalled(length);
        seen = shown;
        reader.cancel();
        ahead = 1 / 4;
      }
      signal?.throwIfAborted();
      page = await reader.take(next);
    }
  }

  #stalled(length: number): InvalidResponseError {
    const operation = this.#operation;
    const issues = [{ path: '', expected: 'other records further on', received: 'the same' }];
    return new InvalidResponseError(`${operation}: the same ${length} records come whatever the offset`, {
      operation,
      issues,
    });
  }

  *#hand({ offset, records }: Page<T>, start: number, end: number, signal?: AbortSignal): Generator<T, void> {
    for (let index = start; index < end; index++) {
      signal?.throwIfAborted();
      const record = records[index] as T;
      if (this.#recent.turn(record.id)) continue;
      this.#recent.add(record.id);
      this.offset = offset + index + 1;
      yield record;
    }
  }

  #fit({ offset, records, sure }: Page<T>): Fit {
    let turn = 0;
    let start = 0;
    for (let index = 0; index < sure && turn < this.#recent.latest; index++) {
      const other = this.#turnOf(records[index]);
      if (other <= turn) continue;
      turn = other;
      start = index + 1;
    }
    const joins = turn > 0 || offset === 0;
    const end = turn > 0 ? records.length : sure;
    while (start < end && this.#turnOf(records[start])) start++;
    const next = Math.max(0, offset + (joins ? end - 1 : -this.#reader.stride));
    return { joins, turn, start, end, next };
  }

  #turnOf(record: T | undefined): number {
    return record ? this.#recent.turn(record.id) : 0;
  }

  /**
   * The page to start with: where the walk stood; else, once the first page of all has shown the size of pages, the
   * nearest on either side that joins on; else the first.
   */
  async #first(): Promise<Page<T>> {
    const reader = this.#reader;
    const start = Math.max(0, this.offset - 1);
    let page = await reader.take(start);
    const misses = async (offset: number) => {
      reader.cancel();
      page = await reader.take(Math.max(0, offset));
      return !this.#fit(page).turn;
    };
    if (this.offset === 0 || this.#fit(page).turn || !(await misses(0))) return page;
    let more = true;
    for (let away = reader.stride; more || away < start; away += reader.stride) {
      if (more && !(await misses(start + away))) return page;
      more &&= page.records.length > 0;
      if (away < start && !(await misses(start - away))) return page;
    }
    await misses(0);
    return page;
  }
}

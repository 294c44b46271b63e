import type { Page, PageReader } from './page-reader.ts';
import { kept, type Recent } from './recent.ts';

/** Thrown when a service answers the same records whatever the `offset`; holds how many. */
export class Stalled {
  readonly records: number;

  constructor(records: number) {
    this.records = records;
  }
}

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

/** Pages in a row that brought nothing new. */
interface Barren {
  readonly pages: number;
  /** How many of them were the same as the one before. */
  readonly same: number;
  readonly turn: number;
  readonly length: number;
}

/**
 * Makes one sequence of the pages of a list that changes meanwhile. Each page starts with the last record of the one
 * before it. One that shows no record handed out lately does not join on: records behind the walk were deleted and
 * those that follow moved up, so it reads again further back, at most to where the list begins.
 */
export class PageJoiner<T extends { readonly id: string }> {
  readonly #reader: PageReader<T>;
  readonly #recent: Recent;
  /** Records up to and including the last one handed out, as they stood when its page was read. */
  offset: number;

  constructor(reader: PageReader<T>, recent: Recent, offset: number) {
    this.#reader = reader;
    this.#recent = recent;
    this.offset = offset;
  }

  /** Records by the page, never none; each counts as handed out when it is drawn. */
  async *batches(concurrency: number, signal: AbortSignal | undefined): AsyncGenerator<Iterable<T>, void> {
    const reader = this.#reader;
    let page = await this.#first();
    for (let ahead = 1 / 2, barren: Barren | undefined; ; ) {
      const { joins, turn, start, end, next } = this.#fit(page);
      if (joins && start < end) {
        ahead = end > reader.stride ? Math.min(concurrency, ahead * 2) : 1;
        reader.ahead(next, ahead);
        barren = undefined;
        yield this.#hand(page, start, end, signal);
      } else {
        // Nothing follows, or the service gives everything at once and has given it.
        if (joins && (page.last || page.records.length > reader.limit)) return;
        if (joins) barren = this.#barren(page, turn, barren);
        reader.cancel();
        ahead = 1 / 2;
      }
      signal?.throwIfAborted();
      page = await reader.take(next);
    }
  }

  /**
   * Counts pages without a new record. Where many were added before the walk's place, there are as many as it takes to
   * catch up; where the service gives the same page whatever the offset, they would never end.
   */
  #barren({ records }: Page<T>, turn: number, before: Barren | undefined): Barren {
    const { length } = records;
    const pages = 1 + (before?.pages ?? 0);
    const same = before?.turn === turn && before.length === length ? before.same + 1 : 0;
    if (same > 2 + 50 / this.#reader.stride || pages > kept) throw new Stalled(length);
    return { turn, length, pages, same };
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
    for (let index = 0; index < sure; index++) {
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

  /** The page to start with: where the walk stood, else the nearest one that joins on, else the first of all. */
  async #first(): Promise<Page<T>> {
    const start = Math.max(0, this.offset - 1);
    const page = await this.#reader.take(start);
    if (this.offset === 0 || this.#fit(page).turn) return page;
    for await (const other of this.#around(start)) if (this.#fit(other).turn) return other;
    return this.#reader.take(0);
  }

  /** The first page, which shows the size of pages, then those ever further from `start` to either end of the list. */
  async *#around(start: number): AsyncGenerator<Page<T>, void> {
    const reader = this.#reader;
    yield await reader.take(0);
    for (let below = start, above = start, more = true; below > 0 || more; ) {
      reader.cancel();
      below = Math.max(0, below - reader.stride);
      above += reader.stride;
      if (below > 0) yield await reader.take(below);
      if (!more) continue;
      const page = await reader.take(above);
      more = page.records.length > 0;
      yield page;
    }
  }
}

import type { Page, PageFetcher } from './page-fetcher.ts';

/** Pages that are searched in each direction; further away, starting over costs less than looking on. */
const maxSearchedPages = 64;

/** The same where no yielded record was forgotten, so that starting over repeats none. */
const maxSearchedWhenComplete = 8;

/** Pages of a search through a whole list: in steps of 2 048 records, a list of a million. */
const maxPagesOfList = 512;

/** Records by which a position is recognised. */
export interface KnownRecords<T> {
  /** Number of them, which stood next to each other. */
  readonly size: number;
  /** No yielded record is missing among them. */
  readonly isComplete: boolean;
  /** Returns `true` for a page that holds one. */
  isIn(page: Page<T>): boolean;
}

/**
 * Loads the page that an iteration resumes with: the one at `offset`, or else the nearest on either side that holds a
 * known record, or else the first of all. Makes about 200 requests at most, wherever
 * `offset` is.
 */
export async function findPosition<T>(
  fetcher: PageFetcher<T>,
  offset: number,
  known: KnownRecords<T>,
): Promise<Page<T>> {
  const start = Math.max(0, offset - 1);
  const page = await fetcher.take(start);
  if (offset === 0 || known.isIn(page)) return page;
  // The first page of all shows how many records the service gives at once.
  const first = await fetcher.take(0);
  if (known.isIn(first)) return first;
  const isBeyondEnd = page.records.length === 0;
  const end = isBeyondEnd ? await findEnd(fetcher, start, known) : start;
  const found = typeof end === 'number' ? await searchAround(fetcher, end, isBeyondEnd, known) : end;
  return found ?? fetcher.take(0);
}

/** Returns a position at most one page behind the end of a list that is empty at `empty`, or a page of known records. */
async function findEnd<T>(
  fetcher: PageFetcher<T>,
  empty: number,
  known: KnownRecords<T>,
): Promise<number | Page<T>> {
  let low = 0;
  let high = empty;
  while (high - low > fetcher.step) {
    const page = await fetcher.take(Math.floor((low + high) / 2));
    if (known.isIn(page)) return page;
    if (page.records.length > 0) low = page.offset;
    else high = page.offset;
  }
  return high;
}

async function searchAround<T>(
  fetcher: PageFetcher<T>,
  start: number,
  isBeyondEnd: boolean,
  known: KnownRecords<T>,
): Promise<Page<T> | undefined> {
  const step = searchStep(fetcher, known);
  const maxPages = known.isComplete ? maxSearchedWhenComplete : maxSearchedPages;
  let hasMore = !isBeyondEnd;
  // Near pages come first, each twice as far away as the last one, as most lists have moved by few records.
  const next = (away: number) => (away < step ? Math.min(2 * away, step) : away + step);
  for (let away = fetcher.step; away <= maxPages * step; away = next(away)) {
    if (hasMore) {
      const later = await fetcher.take(start + away);
      if (known.isIn(later)) return later;
      hasMore = later.records.length > 0;
    }
    if (away < start) {
      const earlier = await fetcher.take(start - away);
      if (known.isIn(earlier)) return earlier;
    }
  }
  return undefined;
}

/**
 * Returns `true` if a search through the list, from its start to its end, finds no known record; `false` if it finds one,
 * or does not reach the end. The first page is known to hold none.
 */
export async function isListWithout<T>(fetcher: PageFetcher<T>, known: KnownRecords<T>): Promise<boolean> {
  const step = searchStep(fetcher, known);
  for (let pages = 1; pages <= maxPagesOfList; pages++) {
    const page = await fetcher.take(pages * step);
    if (known.isIn(page)) return false;
    if (page.records.length === 0) return true;
  }
  return false;
}

/** Pages further apart than their own length find half of the known records, should the other half be deleted. */
const searchStep = <T>(fetcher: PageFetcher<T>, { size }: KnownRecords<T>): number =>
  Math.max(fetcher.step, Math.floor(size / 2));

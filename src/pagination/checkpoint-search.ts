import type { KnownRecords } from './known-records.ts';
import type { Identified, Page, PageLoader } from './page-loader.ts';

/** Maximum number of pages to search on either side. */
const maxSearchedPages = 64;

/** Distance between pages: half of the records that a checkpoint remembers, because the others may have been deleted. */
const halfOfRemembered = 100;

/**
 * Searches around a page without known records for the nearest one with a known record, and returns it from this record
 * on. If there is none, all records of the checkpoint were deleted: returns the start of the list, which is then read as
 * if without a checkpoint.
 */
export async function findKnown<T extends Identified>(
  { offset: from, records }: Page<T>,
  loader: PageLoader<T>,
  known: KnownRecords,
): Promise<Page<T>> {
  // Loaded first, to learn how many records a request returns.
  const start = await loader.take(0);
  if (start.records.some(record => known.lastSeen(record) === known.newest))
    return fromKnown(start, known) ?? start;
  let offset = from;
  let hasMore = records.length > 0;
  // The list may end before the position.
  while (!hasMore && offset > 0) {
    offset = Math.floor(offset / 2);
    hasMore = (await loader.take(offset)).records.length > 0;
  }
  const { step } = loader;
  const reach = Math.max(step, halfOfRemembered);
  for (let away = 0; away <= maxSearchedPages * reach; away += Math.min(Math.max(away, step), reach))
    for (const at of away === 0 ? [offset] : [offset + away, offset - away]) {
      if (at <= 0 || (at > offset && !hasMore)) continue;
      const page = await loader.take(at);
      const found = fromKnown(page, known);
      if (found) return found;
      hasMore &&= page.records.length > 0;
    }
  const found = fromKnown(start, known);
  known.isComplete ||= !found;
  return found ?? start;
}

/** Returns the part of a page from its first known record on, if it has one. */
export function fromKnown<T extends Identified>(page: Page<T>, known: KnownRecords): Page<T> | undefined {
  const index = page.records.findIndex(record => known.lastSeen(record) > 0);
  return index < 0 ? undefined : { ...page, offset: page.offset + index, records: page.records.slice(index) };
}

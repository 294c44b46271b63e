import { ErrorResponse } from './error-response.ts';
import type { ServiceRequest } from './service-request.ts';

/** Minimum length of a search text, in characters. */
const minSearchLength = 2;

/** Number of records in a page when no `limit` is given, unless the maximum is less. */
const defaultLimit = 10;

/** Limits on the query parameters of a listing. */
export interface PagingRules {
  readonly cap: number;
  readonly searchParameter: string;
  /** Maximum length of a search text, in characters. */
  readonly searchMax: number;
}

/** The page that a query requests. */
export interface Paging {
  readonly offset: number;
  readonly limit: number;
  readonly search: string | undefined;
}

/** Reads and checks `offset`, `limit` and the search text. */
export function readPaging(
  { query, ambiguities }: ServiceRequest,
  { cap, searchParameter, searchMax }: PagingRules,
): Paging {
  const offset = wholeNumber(query.get('offset') ?? '0');
  if (offset === undefined) throw outOfRange('offset must be 0 or more');
  const limit = wholeNumber(query.get('limit') ?? String(Math.min(defaultLimit, cap)));
  if (!limit) throw outOfRange(`limit must be from 1 to ${cap}`);
  if (limit > cap && ambiguities.overCap === 'refuse')
    throw outOfRange(`limit ${limit} is over the maximum of ${cap}`);
  const search = query.get(searchParameter) ?? undefined;
  // Counts characters, not UTF-16 units.
  const length = [...(search ?? '')].length;
  if (search !== undefined && (length < minSearchLength || length > searchMax))
    throw outOfRange(`${searchParameter} must have ${minSearchLength} to ${searchMax} characters`);
  return { offset, limit: Math.min(limit, cap), search };
}

const outOfRange = (reason: string) => new ErrorResponse('badQuery', { reason });

function wholeNumber(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Returns a page of the records that match, in the order of listings. */
export function page<T>(
  records: readonly T[],
  { offset, limit }: Paging,
  order: ServiceRequest['ambiguities']['order'],
  matches?: (record: T) => boolean,
): T[] {
  const ordered = order === 'newest-first' ? records.toReversed() : records;
  const found = matches === undefined ? ordered : ordered.filter(matches);
  return found.slice(offset, offset + limit);
}

/** Creates a test for text that contains `search`. Case is ignored; without `search`, all text passes. */
export function containing(search = ''): (text: string) => boolean {
  const pattern = new RegExp(search.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'iu');
  return text => pattern.test(text);
}

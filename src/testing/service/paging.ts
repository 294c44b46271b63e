import { ErrorResponse } from './error-response.ts';
import type { ServiceRequest } from './service-request.ts';

/** Minimum length of a search text, in characters. */
const minSearchLength = 2;

/** Limits on the query parameters of a listing. */
export interface PagingRules {
  readonly cap: number;
  readonly defaultLimit: number;
  readonly searchParameter: string;
  /** Maximum length of a search text, in characters. */
  readonly searchMax: number;
}

/** The page that a query asks for. */
export interface Paging {
  readonly offset: number;
  readonly limit: number;
  readonly search: string | undefined;
}

/** Reads and checks `offset`, `limit` and the search text. */
export function readPaging({ query, ambiguities }: ServiceRequest, rules: PagingRules): Paging {
  const outOfRange = <T>(otherwise: T, reason: string): T => {
    if (ambiguities.badQuery === 'refuse') throw new ErrorResponse('badQuery', { reason });
    return otherwise;
  };
  const offset = wholeNumber(query.get('offset') ?? '0') ?? outOfRange(0, 'offset must be 0 or more');
  const defaultLimit = Math.min(rules.defaultLimit, rules.cap);
  const asked = wholeNumber(query.get('limit') ?? String(defaultLimit));
  const limit = asked || outOfRange(defaultLimit, `limit must be from 1 to ${rules.cap}`);
  if (limit > rules.cap && ambiguities.overCap === 'refuse')
    throw new ErrorResponse('badQuery', { reason: `limit ${limit} is over the maximum of ${rules.cap}` });
  const text = query.get(rules.searchParameter) ?? undefined;
  // Counts characters, not UTF-16 units.
  const length = [...(text ?? '')].length;
  const valid = text === undefined || (length >= minSearchLength && length <= rules.searchMax);
  const expected = `${rules.searchParameter} must have ${minSearchLength} to ${rules.searchMax} characters`;
  const search = valid ? text : outOfRange(undefined, expected);
  return { offset, limit: Math.min(limit, rules.cap), search };
}

function wholeNumber(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Returns a page of the matching records. Reads no more records than needed. */
export function page<T>(
  records: readonly T[],
  { offset, limit }: Paging,
  order: ServiceRequest['ambiguities']['order'],
  matches?: (record: T) => boolean,
): T[] {
  const newestFirst = order === 'newest-first';
  if (matches === undefined) {
    if (!newestFirst) return records.slice(offset, offset + limit);
    const end = Math.max(records.length - offset, 0);
    return records.slice(Math.max(end - limit, 0), end).reverse();
  }
  const found: T[] = [];
  let skipped = 0;
  for (let index = 0; index < records.length && found.length < limit; index++) {
    const record = records[newestFirst ? records.length - 1 - index : index] as T;
    if (matches(record) && ++skipped > offset) found.push(record);
  }
  return found;
}

/** Creates a test for text that contains `search`. Case is ignored; without `search`, all text passes. */
export function containing(search = ''): (text: string) => boolean {
  const pattern = new RegExp(search.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'iu');
  return text => pattern.test(text);
}

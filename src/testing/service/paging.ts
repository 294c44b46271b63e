import type { Call } from './call.ts';
import { Refusal } from './refusal.ts';

/** What bounds the query parameters of a listing (section 4). */
export interface PagingRules {
  readonly cap: number;
  readonly defaultLimit: number;
  readonly searchParameter: string;
  /** Longest search text; the shortest is 2. */
  readonly searchMax: number;
}

/** A page that was asked for. */
export interface Paging {
  readonly offset: number;
  readonly limit: number;
  readonly search: string | undefined;
}

/** Reads `offset`, `limit` and the search text, and holds each against its range. */
export function readPaging({ query, silences }: Call, rules: PagingRules): Paging {
  const bad = <T>(otherwise: T): T => {
    if (silences.badQuery === 'refuse') throw new Refusal('badQuery');
    return otherwise;
  };
  const offset = wholeNumber(query.get('offset') ?? '0') ?? bad(0);
  let limit = wholeNumber(query.get('limit') ?? String(rules.defaultLimit)) ?? bad(rules.defaultLimit);
  if (limit < 1) limit = bad(rules.defaultLimit);
  if (limit > rules.cap) {
    if (silences.overCap === 'refuse') throw new Refusal('badQuery');
    limit = rules.cap;
  }
  let search = query.get(rules.searchParameter) ?? undefined;
  if (search !== undefined && (search.length < 2 || search.length > rules.searchMax)) search = bad(undefined);
  return { offset, limit, search };
}

function wholeNumber(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** The page of the records that match, in the order of listings; looks at no more of them than it must. */
export function page<T>(
  records: readonly T[],
  { offset, limit }: Paging,
  order: Call['silences']['order'],
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

/** A test for text that contains `search` somewhere, whatever the case of either. */
export function containing(search: string): (text: string) => boolean {
  const pattern = new RegExp(search.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'iu');
  return text => pattern.test(text);
}

import * as z from 'zod/mini';
import { boundedInteger, boundedText, params } from './fields.ts';

/** Page of a listing to return. */
export interface PageQuery {
  /**
   * Records to skip, from 0.
   * @defaultValue 0
   */
  readonly offset?: number | undefined;
  /**
   * Maximum number of records to return, from 1. The service may return fewer.
   * @defaultValue the service's own: 10 for contacts, not documented for lists
   */
  readonly limit?: number | undefined;
}

/** Schema of the query of a listing, which may be left out. `search` is counted in characters. */
export const listingQuery = (maxLimit: number, search: { readonly min: number; readonly max: number }) =>
  z.optional(
    params({
      offset: z.optional(boundedInteger(0)),
      limit: z.optional(boundedInteger(1, maxLimit)),
      search: z.optional(boundedText(search.min, search.max)),
    }),
  );

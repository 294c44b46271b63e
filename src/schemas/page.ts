import * as z from 'zod/mini';
import { boundedInteger, inputObject } from './fields.ts';

/** Page of a listing to return. */
export interface PageQuery {
  /**
   * Records to skip, from 0.
   * @defaultValue 0
   */
  readonly offset?: number | undefined;
  /**
   * Maximum number of records to return, from 1. The service may return fewer.
   * @defaultValue the default of the service
   */
  readonly limit?: number | undefined;
}

/** Schema of the optional query of a listing: a page, and the filters of the listing. */
export const listingQuery = <Filters extends z.core.$ZodLooseShape>(maxLimit: number, filters: Filters) =>
  z.optional(
    inputObject({
      offset: z.optional(boundedInteger(0)),
      limit: z.optional(boundedInteger(1, maxLimit)),
      ...filters,
    }),
  );

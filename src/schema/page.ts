import type * as z from 'zod/mini';
import { boundedInteger, type Fields, fields, optional } from './input.ts';

/** Which page of a listing (specification, section 4). */
export interface PageQuery {
  /** Records to skip; default 0. */
  readonly offset?: number | undefined;
  /** Records to give at most, from 1; the service has a default of its own. */
  readonly limit?: number | undefined;
}

/** The rule for a page's query, which may also be left out. */
export const pageFields = <T extends PageQuery>(maxLimit: number, filter: Fields<Omit<T, keyof PageQuery>>) =>
  optional(
    fields<T>({
      offset: optional(boundedInteger(0, Number.MAX_SAFE_INTEGER)),
      limit: optional(boundedInteger(1, maxLimit)),
      ...filter,
    } as Fields<T>) as z.ZodMiniType<T>,
  );

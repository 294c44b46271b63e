import type * as z from 'zod/mini';

/** A parser that a zod schema states. It is made when it is first used: all of them would delay the start of every program. */
export interface StatedByZod {
  readonly schema: () => z.ZodMiniType;
}

/** Returns a function that makes a value when it is first called. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

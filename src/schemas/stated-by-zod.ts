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

/**
 * A type without what a schema cannot state: `readonly`, and the unknown fields of a loose object. An optional field is
 * one whose type has `undefined`, in both.
 */
type Plain<T> = T extends string | number | boolean | bigint | null | undefined | Date
  ? T
  : T extends readonly (infer Item)[]
    ? Plain<Item>[]
    : string extends keyof T
      ? PlainMap<T>
      : PlainFields<T>;

type PlainFields<T> = {
  -readonly [Key in keyof T as string extends Key ? never : Key]-?: Plain<T[Key]>;
};

/** A record has only values; a loose object has fields beside its unknown ones. */
type PlainMap<T> = keyof PlainFields<T> extends never ? Record<string, Plain<T[keyof T]>> : PlainFields<T>;

/**
 * `unknown` if a documented interface and the type of a schema agree in both directions, and otherwise a type that
 * no schema has, so that the compiler reports the schema.
 */
export type Agrees<Documented, Schema> = [Plain<Documented>] extends [Plain<Schema>]
  ? [Plain<Schema>] extends [Plain<Documented>]
    ? unknown
    : { readonly 'the schema is wider than the documented type': Plain<Documented> }
  : { readonly 'the schema is narrower than the documented type': Plain<Documented> };

import type * as z from 'zod/mini';
import { ConfigurationError } from '../errors.ts';

/** Parser from a zod schema, created on first use: creating all of them would slow every program's start. */
export interface HasZodSchema {
  readonly schema: () => z.ZodMiniType;
}

/**
 * A type without what a schema cannot state: `readonly`, and the unknown fields of a loose object. Fields whose type
 * includes `undefined` become optional.
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

/** A record only has values; a loose object also has known fields. */
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

/**
 * Returns a function that makes a schema on first use. Throws a `ConfigurationError` if zod would take an inherited member
 * for a field of every object.
 */
export function onFirstUse<Schema>(make: () => Schema): () => Schema {
  let made: Schema | undefined;
  return () => {
    const [name] = Object.keys(Object.prototype);
    if (name !== undefined)
      throw new ConfigurationError(
        `Object.prototype has an enumerable member, which every object then seems to have: "${name}". Remove it, or make it not enumerable.`,
      );
    made ??= make();
    return made;
  };
}

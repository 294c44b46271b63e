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

/** The rules of a collection's records. */
export interface CollectionRules<T> {
  /** The prefix of ids, which may be left out when looking one up. */
  readonly prefix: string;
  /** A whole record from the fields that are given. */
  readonly make: (fields: Partial<T>) => T;
  /** Returns what is unique among records and can be looked up: a contact's email, a tag's name. */
  readonly keyOf?: ((record: T) => string) | undefined;
  /** Brings keys that count as the same to one form. */
  readonly fold: (key: string) => string;
}

/** The records of one kind, in the order in which they were made. */
export class Collection<T extends { readonly id: string }> implements Iterable<T> {
  readonly #rules: CollectionRules<T>;
  #records: T[] = [];
  readonly #byId = new Map<string, T>();
  readonly #byKey = new Map<string, T>();

  /** @internal */
  constructor(rules: CollectionRules<T>) {
    this.#rules = rules;
  }

  /** Number of records. */
  get size(): number {
    return this.#records.length;
  }

  /** Every record, oldest first; a view that changes with the collection. */
  get all(): readonly T[] {
    return this.#records;
  }

  /** Returns the record with this id, with or without its prefix. */
  get(id: string): T | undefined {
    return this.#byId.get(id) ?? this.#byId.get(this.#rules.prefix + id);
  }

  /** Returns the record with this unique name or email. */
  named(key: string): T | undefined {
    return this.#byKey.get(this.#rules.fold(key));
  }

  /** Returns the first record that has all of these fields. */
  find(fields: Partial<T>): T | undefined {
    return this.#records.find(record => hasFields(record, fields));
  }

  /** Returns every record that has all of these fields. */
  filter(fields: Partial<T>): T[] {
    return this.#records.filter(record => hasFields(record, fields));
  }

  /** Adds a record. Fields that are left out get their defaults. */
  add(fields: Partial<T> = {}): T {
    const record = this.#rules.make(fields);
    this.#records.push(record);
    this.#byId.set(record.id, record);
    const key = this.#keyOf(record);
    if (key !== undefined && !this.#byKey.has(key)) this.#byKey.set(key, record);
    return record;
  }

  /** Changes fields of a record, including its name or email. */
  update(record: T, fields: Partial<T>): T {
    this.#forgetKey(record);
    Object.assign(record, fields);
    const key = this.#keyOf(record);
    if (key !== undefined) this.#byKey.set(key, record);
    return record;
  }

  /** Removes the record with this id. Returns `true` if there was one. */
  delete(id: string): boolean {
    const record = this.get(id);
    if (record === undefined) return false;
    this.#records.splice(this.#records.indexOf(record), 1);
    this.#byId.delete(record.id);
    this.#forgetKey(record);
    return true;
  }

  /** Removes every record. */
  clear(): void {
    this.#records = [];
    this.#byId.clear();
    this.#byKey.clear();
  }

  /** Iterates over every record, oldest first. */
  [Symbol.iterator](): Iterator<T> {
    return this.#records[Symbol.iterator]();
  }

  #keyOf(record: T): string | undefined {
    const key = this.#rules.keyOf?.(record);
    return key === undefined ? undefined : this.#rules.fold(key);
  }

  #forgetKey(record: T): void {
    const key = this.#keyOf(record);
    if (key !== undefined && this.#byKey.get(key) === record) this.#byKey.delete(key);
  }
}

function hasFields<T extends object>(record: T, fields: Partial<T>): boolean {
  return (Object.keys(fields) as (keyof T)[]).every(field => record[field] === fields[field]);
}

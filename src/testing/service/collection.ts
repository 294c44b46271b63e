import type {
  CampaignRecord,
  ContactRecord,
  CustomFieldRecord,
  DomainRecord,
  EventRecord,
  ListRecord,
  NamedRecord,
  SenderRecord,
  TagChangeRecord,
  TemplateRecord,
} from './records.ts';

/** The rules of a collection's records. */
export interface CollectionRules<T> {
  /** Prefix of ids, which is optional in `get`. */
  readonly prefix: string;
  /** Returns the fields to store; throws a `RangeError` for those that the service would not accept. */
  readonly read: (fields: object, record?: T) => Partial<T>;
  /** Returns a whole record from the fields that are given. */
  readonly make: (fields: Partial<T>) => T;
  /** Returns the field with the time of a change; no field for a kind that has none. */
  readonly touched: () => Partial<T>;
  /** Returns the key by which a record is looked up, in a form that is the same for equal keys. */
  readonly keyOf: (record: T) => string | undefined;
  /** Returns one form for all keys that count as equal. */
  readonly fold: (key: string) => string;
  /** `true` if no two records have one key. */
  readonly unique: boolean;
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

  /** Returns the record with this name or email; lists that were deleted are not found. */
  named(key: string): T | undefined {
    const { fold, keyOf, unique } = this.#rules;
    const folded = fold(key);
    const found = this.#byKey.get(folded);
    if (unique && (found === undefined || keyOf(found) === folded)) return found;
    return this.#records.find(record => keyOf(record) === folded);
  }

  /** Returns the first record that has all of these fields. */
  find(fields: Partial<T>): T | undefined {
    return this.#records.find(record => hasFields(record, fields));
  }

  /** Returns every record that has all of these fields. */
  filter(fields: Partial<T>): T[] {
    return this.#records.filter(record => hasFields(record, fields));
  }

  /**
   * Adds a record. Fields that are left out get their defaults. Tags, lists and custom fields of a contact are given by
   * name, and created if they do not exist, or by id. Throws a `RangeError` for what the service would not accept.
   */
  add(fields: Partial<T> = {}): T {
    return this.insert(this.#rules.read(fields));
  }

  /**
   * Changes fields of a record, given as in `add`, and sets `updated`. Throws a `RangeError` for what the service would
   * not accept.
   */
  update(record: T, fields: Partial<T>): T {
    const changes = this.#rules.read(fields, record);
    return Object.keys(changes).length === 0
      ? record
      : this.assign(record, { ...this.#rules.touched(), ...changes });
  }

  /** Removes the record with this id. Returns `true` if there was one. Throws a `RangeError` for what is no id. */
  delete(id: string): boolean {
    const record = this.get(id);
    if (record === undefined) {
      const { prefix } = this.#rules;
      if (/^[a-zA-Z0-9]{22}$/.test(String(id).replace(prefix, ''))) return false;
      throw new RangeError(
        `delete takes an id (${prefix}…), not ${JSON.stringify(id)}: named(…) finds the record`,
      );
    }
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

  /**
   * Adds a record whose fields were checked.
   * @internal
   */
  insert(fields: Partial<T>): T {
    const record = this.#rules.make(fields);
    this.#records.push(record);
    this.#byId.set(record.id, record);
    this.#indexKey(record);
    return record;
  }

  /**
   * Changes a record by fields that were checked.
   * @internal
   */
  assign(record: T, fields: Partial<T>): T {
    this.#forgetKey(record);
    Object.assign(record, fields);
    this.#indexKey(record);
    return record;
  }

  #indexKey(record: T): void {
    const key = this.#rules.keyOf(record);
    if (key !== undefined) this.#byKey.set(key, record);
  }

  #forgetKey(record: T): void {
    const key = this.#rules.keyOf(record);
    if (key !== undefined && this.#byKey.get(key) === record) this.#byKey.delete(key);
  }
}

function hasFields<T extends object>(record: T, fields: Partial<T>): boolean {
  return (Object.keys(fields) as (keyof T)[]).every(field => record[field] === fields[field]);
}

/** Every record of the sandbox: one collection per kind of record. You can read and change it. */
export interface State {
  /** Contacts of the team, as both interfaces show them. */
  readonly contacts: Collection<ContactRecord>;
  /** Lists, including deleted ones. */
  readonly lists: Collection<ListRecord>;
  /** Tags of contacts. */
  readonly tags: Collection<NamedRecord>;
  /** Custom fields of the team. */
  readonly customFields: Collection<CustomFieldRecord>;
  /** Custom events that were recorded. */
  readonly events: Collection<EventRecord>;
  /** Tags that Identify and Track added and removed. */
  readonly tagChanges: Collection<TagChangeRecord>;
  /** Sending domains of the team. */
  readonly domains: Collection<DomainRecord>;
  /** Sender addresses, verified and pending. */
  readonly senders: Collection<SenderRecord>;
  /** Email templates, including system templates and shared ones. */
  readonly templates: Collection<TemplateRecord>;
  /** Campaigns in every state. */
  readonly campaigns: Collection<CampaignRecord>;
  /** Tags of blog posts. */
  readonly postTags: Collection<NamedRecord>;
  /** Categories of blog posts. */
  readonly postCategories: Collection<NamedRecord>;
}

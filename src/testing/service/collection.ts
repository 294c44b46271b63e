import { contains } from '../rules.ts';
import type * as kinds from './record-kinds.ts';

export interface CollectionRules<T> {
  /** Prefix of ids; optional in `get`. */
  readonly prefix: string;
  /** Returns the fields to store. Throws a `RangeError` if the service would reject them. */
  readonly read: (fields: object, record?: T) => Partial<T>;
  /** Creates a complete record from some of its fields. */
  readonly make: (fields: Partial<T>) => T;
  /** Returns `updated` with the current time; `undefined` for a kind without it. */
  readonly touched: () => Partial<T> | undefined;
  /** Returns the normalized key of a record. */
  readonly keyOf: (record: T) => string | undefined;
  /** Normalizes a key: equal keys become the same string. */
  readonly fold: (key: string) => string;
  /** Called after records were deleted. */
  readonly removed: () => void;
  /** Whether keys are unique. */
  readonly unique: boolean;
}

/** The records of one kind, in the order of their creation. */
export interface Collection<T extends { readonly id: string }> extends RecordCollection<T> {}

/** Class of {@link Collection}, whose instances only a sandbox creates. */
export class RecordCollection<T extends { readonly id: string }> implements Iterable<T> {
  /** @internal */
  readonly rules: CollectionRules<T>;
  /** @internal */
  records: T[] = [];
  /** @internal */
  readonly byId = new Map<string, T>();
  /** @internal */
  readonly byKey = new Map<string, T>();

  /** @internal */
  constructor(rules: CollectionRules<T>) {
    this.rules = rules;
  }

  /** Number of records. */
  get size(): number {
    return this.records.length;
  }

  /** Every record, oldest first; a live view of the collection. */
  get all(): readonly T[] {
    return this.records;
  }

  /** Returns the record with this id, with or without its prefix. */
  get(id: string): T | undefined {
    return this.byId.get(id) ?? this.byId.get(this.rules.prefix + id);
  }

  /** Returns the record with this name or email; never a deleted list. */
  named(key: string): T | undefined {
    const { fold, keyOf, unique } = this.rules;
    const folded = fold(key);
    const found = this.byKey.get(folded);
    // The key of a record can have changed since.
    if (unique && (found === undefined || (this.byId.has(found.id) && keyOf(found) === folded))) return found;
    return this.records.find(record => keyOf(record) === folded);
  }

  /** Returns the first record with all of these field values: `find({ tagNames: ['vip'] })`. */
  find(fields: Partial<T>): T | undefined {
    return this.records.find(record => contains(record, fields));
  }

  /** Returns every record with all of these field values. */
  filter(fields: Partial<T>): T[] {
    return this.records.filter(record => contains(record, fields));
  }

  /**
   * Adds a record. Missing fields get their defaults. For a contact, give tags, lists and custom fields by name (unknown
   * names are created) or by id. Throws a `RangeError` if the service would reject the record.
   */
  add(fields: Partial<Omit<T, 'tagNames'>> = {}): T {
    return this.insert(this.rules.read(fields));
  }

  /**
   * Updates a record and sets `updated`. Fields are given as in `add`. Throws a `RangeError` if the service would reject
   * them, or if the record is not in the state.
   */
  update(record: T, fields: Partial<Omit<T, 'tagNames'>>): T {
    if (this.byId.get(record.id) !== record) throw new RangeError('update requires a record of the state.');
    const changes = this.rules.read(fields, record);
    return Object.keys(changes).length === 0
      ? record
      : this.assign(record, { ...this.rules.touched(), ...changes });
  }

  /** Deletes the record with this id. Returns `true` if there was one. */
  delete(id: string): boolean {
    const record = this.get(id);
    if (record === undefined) return false;
    this.records.splice(this.records.indexOf(record), 1);
    this.byId.delete(record.id);
    this.rules.removed();
    return true;
  }

  /** Removes every record. */
  clear(): void {
    this.replace([]);
    this.rules.removed();
  }

  /** Iterates over every record, oldest first. */
  [Symbol.iterator](): Iterator<T> {
    return this.records[Symbol.iterator]();
  }

  /**
   * Replaces every record without checking fields or references.
   * @internal
   */
  replace(records: Iterable<Partial<T>>): void {
    this.records = [];
    this.byId.clear();
    this.byKey.clear();
    for (const fields of records) this.insert(fields);
  }

  /**
   * Adds a record without checking its fields.
   * @internal
   */
  insert(fields: Partial<T>): T {
    const record = this.rules.make(fields);
    this.records.push(record);
    this.byId.set(record.id, record);
    this.indexKey(record);
    return record;
  }

  /**
   * Updates a record without checking the fields.
   * @internal
   */
  assign(record: T, fields: Partial<T>): T {
    Object.assign(record, fields);
    this.indexKey(record);
    return record;
  }

  /** @internal */
  indexKey(record: T): void {
    const key = this.rules.keyOf(record);
    if (key !== undefined) this.byKey.set(key, record);
  }
}

/** All records of the sandbox, in one collection per kind. You can read and change them. */
export interface State {
  /** Contacts of the team; both interfaces show them. */
  readonly contacts: Collection<kinds.ContactRecord>;
  /** Lists, including deleted ones. */
  readonly lists: Collection<kinds.ListRecord>;
  /** Tags of contacts. */
  readonly tags: Collection<kinds.NamedRecord>;
  /** Custom fields of the team. */
  readonly customFields: Collection<kinds.CustomFieldRecord>;
  /** Recorded custom events. */
  readonly events: Collection<kinds.EventRecord>;
  /** Tags that Identify and Track added to contacts or removed from them. */
  readonly tagChanges: Collection<kinds.TagChangeRecord>;
  /** Sending domains of the team. */
  readonly domains: Collection<kinds.DomainRecord>;
  /** Senders, verified and pending. */
  readonly senders: Collection<kinds.SenderRecord>;
  /** Email templates, including system templates and shared ones. */
  readonly templates: Collection<kinds.TemplateRecord>;
  /** Campaigns in every state. */
  readonly campaigns: Collection<kinds.CampaignRecord>;
  /** Tags of blog posts. */
  readonly postTags: Collection<kinds.NamedRecord>;
  /** Categories of blog posts. */
  readonly postCategories: Collection<kinds.NamedRecord>;
}

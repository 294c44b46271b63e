import { isObject, literalOrType } from '../../core/json.ts';
import type { OptionRules } from '../../core/option-rules.ts';
import { checkMembers, isText, text } from '../rules.ts';
import type { Collection, State } from './collection.ts';
import { isId, isNumber, type KindName, recordKinds } from './record-kinds.ts';

/** Fields of a record by name. */
export type Fields = Record<string, unknown>;

export type AnyRecord = Fields & { readonly id: string };

/** Rule of each field, by kind of record. */
const fieldRules = Object.fromEntries(
  Object.entries(recordKinds).map(([kind, { fields, prefix }]): [string, OptionRules] => [
    kind,
    {
      id: text(`${prefix} and 22 letters or digits`, value => isId(value, prefix)),
      ...Object.fromEntries(Object.entries(fields).map(([name, { rule }]) => [name, rule])),
    },
  ]),
) as Readonly<Record<KindName, OptionRules>>;

/**
 * Copies the fields of a value, except those that are `undefined`. Throws a `RangeError` that names the first unknown or
 * invalid field.
 */
function parseFields(kind: KindName, input: unknown): Fields {
  const { fields, singular } = recordKinds[kind];
  if (!isObject(input)) throw new RangeError(`A ${singular} must be an object.`);
  const members = Object.entries(input).filter(([, value]) => value !== undefined);
  checkMembers(`field of a ${singular}`, Object.fromEntries(members), fieldRules[kind]);
  return Object.fromEntries(
    members.map(([name, value]) => [
      name,
      fields[name]?.convert?.(value) ?? (isText(value) ? value : structuredClone(value)),
    ]),
  );
}

/**
 * Reads the fields of a new record, or the changes to an existing one. Names of tags, lists, custom fields and templates
 * become ids. Unknown names are created, except names of templates. Throws a `RangeError`, before anything is created, if the
 * service would reject the fields.
 */
export function readFields(state: State, kind: KindName, input: unknown, record?: AnyRecord): Fields {
  const { id, ...fields } = parseFields(kind, input);
  checkFields(state, kind, { id, ...fields }, record);
  for (const [field, target] of referencesOf(kind))
    for (const [name, value] of namesIn(fields[field])) checkReference(state, field, target, name, value);
  const resolved = referencesOf(kind)
    .filter(([field]) => fields[field] !== undefined)
    .map(([field, target]) => [field, resolve(state, target, fields[field])]);
  const known = { ...fields, ...Object.fromEntries(resolved) };
  return record === undefined && id !== undefined ? { id, ...known } : known;
}

/** Reads the fields of a saved record, which contains ids and no names. Throws a `RangeError` like {@link readFields}. */
export function readSaved(state: State, kind: KindName, input: unknown): Fields {
  const fields = parseFields(kind, input);
  checkFields(state, kind, fields);
  for (const [field, target] of referencesOf(kind))
    for (const [id] of namesIn(fields[field]))
      if (collectionOf(state, target).get(id)?.id !== id)
        throw new RangeError(`${field}: no ${recordKinds[target].singular} has the id ${literalOrType(id)}.`);
  return fields;
}

/** Checks what does not depend on references: required fields, the id, and the unique name or email. */
function checkFields(state: State, kind: KindName, fields: Fields, record?: AnyRecord): void {
  const { key, unique, required, singular } = recordKinds[kind];
  const collection = collectionOf(state, kind);
  const { id } = fields;
  const whole: Fields = { ...record, ...fields };
  for (const name of required)
    if (!isText(whole[name]) || whole[name].trim() === '')
      throw new RangeError(`A ${singular} requires ${name}.`);
  if (record === undefined && isText(id) && collection.get(id) !== undefined)
    throw new RangeError(`Another ${singular} already has this id.`);
  if (record !== undefined && id !== undefined && id !== record.id)
    throw new RangeError('The id of a record cannot change.');
  if (key !== undefined && unique && whole.deleted !== true) {
    const holder = collection.named(String(whole[key] ?? ''));
    if (holder !== undefined && holder !== record)
      throw new RangeError(`Another ${singular} already has this ${key}.`);
  }
}

/** Returns the collection of a kind of record, with records of any type. */
export function collectionOf(state: State, kind: KindName): Collection<AnyRecord> {
  return state[kind] as unknown as Collection<AnyRecord>;
}

/** Fields that contain ids of other records, with the kind of those records. */
const references: Partial<Record<KindName, Readonly<Record<string, KindName>>>> = {
  contacts: { tags: 'tags', lists: 'lists', customFields: 'customFields' },
  campaigns: { template: 'templates' },
};

/** Returns the fields of a kind that refer to other records, with the kind of those records. */
export const referencesOf = (kind: KindName): [field: string, target: KindName][] =>
  Object.entries(references[kind] ?? {});

/** Removes references to records of a kind that do not exist. */
export function dropReferences(state: State, target: KindName): void {
  const exists = (id: string) => collectionOf(state, target).get(id) !== undefined;
  for (const owner of Object.keys(references) as KindName[])
    for (const [field] of referencesOf(owner).filter(([, kind]) => kind === target))
      for (const record of collectionOf(state, owner)) {
        const held = namesIn(record[field]);
        const kept = held.filter(([id]) => exists(id));
        if (kept.length < held.length)
          collectionOf(state, owner).assign(record, { [field]: written(record[field], kept) });
      }
}

type Names = readonly (readonly [name: string, value: string])[];

/** Returns names or ids with their values, which only custom fields have. */
export function namesIn(value: unknown): Names {
  if (isText(value)) return value === '' ? [] : [[value, '']];
  return Array.isArray(value)
    ? value.map(name => [name, ''])
    : Object.entries((value ?? {}) as Record<string, string>);
}

/** Returns ids and values in the form of a field. */
function written(form: unknown, pairs: Names): unknown {
  if (isText(form)) return pairs[0]?.[0] ?? '';
  const ids = Object.fromEntries(pairs);
  return Array.isArray(form) ? Object.keys(ids) : ids;
}

/** Replaces names by ids. Unknown names are created. */
function resolve(state: State, target: KindName, value: unknown): unknown {
  const pairs = namesIn(value).map(([name, item]) => {
    const { id } = lookUp(state, target, name) ?? collectionOf(state, target).insert({ name });
    return [id, item] as const;
  });
  return written(value, pairs);
}

/** Throws for an unknown id, for the name of an unknown template, and for text in a number field. */
function checkReference(state: State, field: string, target: KindName, name: string, value: string): void {
  const found = lookUp(state, target, name);
  const { singular } = recordKinds[target];
  if (found === undefined && target === 'templates')
    throw new RangeError(`${field}: no template has the name or id ${literalOrType(name)}.`);
  if (found === undefined && isId(name, recordKinds[target].prefix))
    throw new RangeError(
      `${field}: no ${singular} has the id ${name}. To create a ${singular}, give a name.`,
    );
  if (found?.type === 'number' && value !== '' && !isNumber(value))
    throw new RangeError(`customFields.${name} must be a number, because the field has the type number.`);
}

function lookUp(state: State, kind: KindName, name: string): AnyRecord | undefined {
  const collection = collectionOf(state, kind);
  return isId(name, recordKinds[kind].prefix) ? collection.get(name) : collection.named(name);
}

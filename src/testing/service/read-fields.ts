import { array, checkMembers, flag, isObject, isText, oneOf, type Rule, type Rules, text } from '../rules.ts';
import type { Ambiguities } from './ambiguities.ts';
import type { Collection, State } from './collection.ts';
import {
  type FieldType,
  isDate,
  isEmail,
  isHostname,
  isId,
  isNumber,
  type KindName,
  recordKinds,
} from './records.ts';

/** Fields of a record by name. */
export type Fields = Record<string, unknown>;

export type AnyRecord = Fields & { readonly id: string };

/** Also accepts the empty string, which is the default of these fields. */
const optional = (expected: string, passes: (value: string) => boolean): Rule =>
  text(expected, value => value === '' || passes(value));
const texts = (expected: string): Rule => array(expected, item => isText(item) && item !== '');
const textMap = (expected: string): Rule => ({
  expected,
  accepts: value =>
    isObject(value) && Object.entries(value).every(([key, item]) => key !== '' && isText(item)),
});

/** Rule of each type of field. */
const types: Readonly<Record<FieldType, Rule>> = {
  text: text('a string', () => true),
  email: optional('an email address', isEmail),
  hostname: optional('a domain name of ASCII letters, digits and hyphens', isHostname),
  date: optional('a date in the form YYYY-MM-DD', isDate),
  flag,
  integer: { expected: 'a whole number', accepts: Number.isSafeInteger },
  nanoseconds: {
    expected: 'whole nanoseconds, as a string or a bigint',
    accepts: value => (isText(value) || typeof value === 'bigint') && /^\d{1,19}$/.test(String(value)),
  },
  choice: text('one of its choices', () => true),
  tags: texts('an array of tag names or ids'),
  lists: texts('an array of list names or ids'),
  fieldValues: textMap('an object of strings, by name or id of the custom field'),
  textMap: textMap('an object of strings'),
};

/** Rule of each field, by kind of record. */
const fieldRules = Object.fromEntries(
  Object.entries(recordKinds).map(([kind, { fields, prefix }]): [string, Rules] => [
    kind,
    {
      id: text(`${prefix} and 22 letters or digits`, value => isId(value, prefix)),
      ...Object.fromEntries(
        Object.entries(fields).map(([name, { type, values }]) => [
          name,
          values ? oneOf(values) : types[type],
        ]),
      ),
    },
  ]),
) as Readonly<Record<KindName, Rules>>;

/**
 * Copies the fields of a value, except those that are `undefined`. Throws a `RangeError` that names the first unknown or
 * invalid field.
 */
export function parseFields(kind: KindName, input: unknown): Fields {
  const { fields, singular } = recordKinds[kind];
  if (!isObject(input)) throw new RangeError(`a ${singular} must be an object`);
  const members = Object.entries(input).filter(([, value]) => value !== undefined);
  checkMembers(`field of a ${singular}`, Object.fromEntries(members), fieldRules[kind]);
  return Object.fromEntries(
    members.map(([name, value]) => [
      name,
      fields[name]?.type === 'nanoseconds' ? BigInt(value as string | bigint) : structuredClone(value),
    ]),
  );
}

/**
 * Reads the fields of a new record, or the changes to an existing one. Names of tags, lists and custom fields become ids;
 * unknown names are created. Throws a `RangeError`, before anything is created, if the service would reject the fields.
 */
export function readFields(
  state: State,
  ambiguities: Ambiguities,
  kind: KindName,
  input: unknown,
  record?: AnyRecord,
): Fields {
  const { key, required, singular } = recordKinds[kind];
  const { id, ...fields } = parseFields(kind, input);
  const collection = collectionOf(state, kind);
  const whole: Fields = { ...record, ...fields };
  for (const name of required)
    if (!isText(whole[name]) || whole[name].trim() === '')
      throw new RangeError(`a ${singular} requires ${name}`);
  if (record === undefined && isText(id) && collection.get(id) !== undefined)
    throw new RangeError(`another ${singular} already has this id`);
  if (record !== undefined && id !== undefined && id !== record.id)
    throw new RangeError('the id of a record cannot change');
  if (key !== undefined && isUnique(kind, ambiguities) && whole.deleted !== true) {
    const holder = collection.named(String(whole[key] ?? ''));
    if (holder !== undefined && holder !== record)
      throw new RangeError(`another ${singular} already has this ${key}`);
  }
  const { template } = fields;
  if (kind === 'campaigns' && isText(template) && template && !lookUp(state, 'templates', template))
    throw new RangeError(`template: no template has the name or id ${JSON.stringify(template)}`);
  const resolved = kind === 'contacts' ? resolveReferences(state, fields, record) : fields;
  return record === undefined && id !== undefined ? { id, ...resolved } : resolved;
}

/** Whether the names or emails of a kind of record are unique. */
export function isUnique(kind: KindName, { uniqueNames }: Ambiguities): boolean {
  if (kind === 'contacts' || kind === 'customFields') return true;
  const { singular } = recordKinds[kind];
  return uniqueNames.some(name => name.toLowerCase() === singular.replace(' ', ''));
}

/** Returns the collection of a kind of record, whatever its type. */
export function collectionOf(state: State, kind: KindName): Collection<AnyRecord> {
  return state[kind] as unknown as Collection<AnyRecord>;
}

/** Fields of a contact that refer to other records. Each has the name of their kind. */
const references = ['tags', 'lists', 'customFields'] as const;

/** Replaces names of tags, lists and custom fields by ids. Unknown ids are kept if the record already has them. */
function resolveReferences(state: State, fields: Fields, record: Fields = {}): Fields {
  const kinds = references.filter(kind => fields[kind] !== undefined);
  for (const kind of kinds) {
    const held = namesIn(record[kind] ?? []).map(([id]) => id);
    for (const [name, value] of namesIn(fields[kind])) checkReference(state, kind, name, value, held);
  }
  const resolved = kinds.map(kind => {
    const pairs = namesIn(fields[kind]).map(([name, value]) => {
      const id = lookUp(state, kind, name)?.id ?? idOf(kind, name);
      return [id ?? collectionOf(state, kind).insert({ name }).id, value] as const;
    });
    const ids = Object.fromEntries(pairs);
    return [kind, kind === 'customFields' ? ids : Object.keys(ids)];
  });
  return { ...fields, ...Object.fromEntries(resolved) };
}

/** Returns names with their values; tags and lists have none. */
function namesIn(value: unknown): readonly (readonly [name: string, value: string])[] {
  return Array.isArray(value)
    ? value.map(name => [name, ''])
    : Object.entries(value as Record<string, string>);
}

/** Throws for an unknown id (only a name can be created), and for text in a number field. */
function checkReference(
  state: State,
  kind: KindName,
  name: string,
  value: string,
  held: readonly string[],
): void {
  const found = lookUp(state, kind, name);
  const { singular } = recordKinds[kind];
  if (found === undefined && idOf(kind, name) !== undefined && !held.includes(name))
    throw new RangeError(`${kind}: no ${singular} has the id ${name}; to create a ${singular}, give a name`);
  if (found?.type === 'number' && !isNumber(value))
    throw new RangeError(`customFields.${name} must be a number, because the field has the type number`);
}

/** Returns the text as an id if it is one. Ids of custom fields can have either of two prefixes. */
function idOf(kind: KindName, text: string): string | undefined {
  const id = kind === 'customFields' ? text.replace(/^field_/, 'custom_field_') : text;
  return isId(id, recordKinds[kind].prefix) ? id : undefined;
}

function lookUp(state: State, kind: KindName, name: string): AnyRecord | undefined {
  const id = idOf(kind, name);
  const collection = collectionOf(state, kind);
  return id === undefined ? collection.named(name) : collection.get(id);
}

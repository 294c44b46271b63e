import { unknownName } from '../nearest.ts';
import { type FieldRule, type RecordKind, recordKinds } from './record-kinds.ts';
import type { Snapshot, State } from './state.ts';

/** A record as JSON: nanoseconds are text, since they are beyond what a JSON number holds in JavaScript. */
export type RecordJson = Readonly<Record<string, unknown>>;

/** Version of the state's JSON form. */
const stateVersion = 1;

/** Returns a record as JSON. */
export function recordToJson(record: object): RecordJson {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, typeof value === 'bigint' ? `${value}` : value]),
  );
}

/** Returns the fields that JSON gives a record, but not absent ones; throws a `RangeError` that names the field that it cannot. */
export function fieldsFromJson(kind: keyof State, json: unknown): Record<string, unknown> {
  const { fields, prefix, singular } = recordKinds[kind];
  if (!isObject(json)) throw new RangeError(`a ${singular} must be an object`);
  const given = Object.entries(json).filter(([, value]) => value !== undefined);
  const pairs = given.map(([name, value]) => {
    if (name === 'id') return [name, checkId(value, prefix)];
    const rule = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (rule === undefined) throw unknownName(`field of a ${singular}`, name, Object.keys(fields));
    return [name, fieldFromJson(name, rule, value)];
  });
  return Object.fromEntries(pairs);
}

/** Throws a `RangeError` where a new record lacks a field that it must have. */
export function checkRequired({ required, singular }: RecordKind, fields: RecordJson): void {
  for (const name of required)
    if (typeof fields[name] !== 'string' || fields[name].trim() === '')
      throw new RangeError(`a ${singular} needs: ${name}`);
}

function checkId(value: unknown, prefix: string): string {
  const suffix = typeof value === 'string' && value.startsWith(prefix) ? value.slice(prefix.length) : '';
  if (!/^[a-zA-Z0-9]{22}$/.test(suffix))
    throw new RangeError(`id must be ${prefix} and 22 letters or digits`);
  return prefix + suffix;
}

const expected: Record<FieldRule['type'], string> = {
  text: 'text',
  flag: 'true or false',
  integer: 'a whole number',
  nanoseconds: 'a whole number of nanoseconds, as text or a bigint',
  texts: 'an array of text',
  ids: 'an array of ids',
  textMap: 'an object of texts',
  fieldMap: 'an object of texts',
  choice: 'one of its choices',
};

function fieldFromJson(name: string, rule: FieldRule, value: unknown): unknown {
  if (rule.type === 'choice' && !rule.values.includes(value as string))
    throw new RangeError(`${name} must be ${rule.values.join(', ')}`);
  if (!accepts(rule.type, value)) throw new RangeError(`${name} must be ${expected[rule.type]}`);
  return rule.type === 'nanoseconds' ? BigInt(value as string | bigint) : structuredClone(value);
}

function accepts(type: FieldRule['type'], value: unknown): boolean {
  switch (type) {
    case 'flag':
      return typeof value === 'boolean';
    case 'integer':
      return Number.isSafeInteger(value);
    case 'nanoseconds':
      return (isText(value) || typeof value === 'bigint') && /^\d{1,19}$/.test(String(value));
    case 'texts':
    case 'ids':
      return Array.isArray(value) && value.every(isText);
    case 'textMap':
    case 'fieldMap':
      return isObject(value) && Object.values(value).every(isText);
    default:
      return isText(value);
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a state as JSON text. */
export function snapshotToJson(snapshot: Snapshot): string {
  const kinds = Object.entries(snapshot).map(([kind, records]) => [kind, records.map(recordToJson)]);
  return `${JSON.stringify({ version: stateVersion, ...Object.fromEntries(kinds) }, undefined, 1)}\n`;
}

/** Returns the state that JSON text holds; throws a `RangeError` that names what is wrong with it. */
export function snapshotFromJson(text: string): Snapshot {
  const json = parse(text);
  if (!isObject(json) || json.version !== stateVersion)
    throw new RangeError(`the state must be an object with "version": ${stateVersion}`);
  const kinds = Object.keys(recordKinds) as (keyof State)[];
  for (const name of Object.keys(json))
    if (name !== 'version' && !kinds.some(kind => kind === name))
      throw unknownName('kind of record', name, kinds);
  return Object.fromEntries(
    kinds.map(kind => [kind, recordsFromJson(kind, json[kind] ?? [])]),
  ) as unknown as Snapshot;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RangeError('the state is not JSON');
  }
}

function recordsFromJson(kind: keyof State, json: unknown): object[] {
  if (!Array.isArray(json)) throw new RangeError(`${kind} must be an array`);
  return json.map((record, index) => {
    try {
      return fieldsFromJson(kind, record);
    } catch (error) {
      throw new RangeError(`${kind}[${index}]: ${(error as Error).message}`);
    }
  });
}

import type { SandboxContext } from '../context.ts';
import { unknownName } from '../nearest.ts';
import { checkRequired, fieldsFromJson, type RecordJson, recordToJson } from '../service/record-json.ts';
import { recordKinds } from '../service/record-kinds.ts';
import type { State } from '../service/state.ts';
import type { RecordPage, RecordView } from './protocol.ts';

/** Number of records in a page when none is asked for. */
const pageSize = 50;
/** Largest number of records in a page. */
const maxPageSize = 500;

/** A collection, whatever it holds. */
interface AnyCollection {
  readonly size: number;
  readonly all: readonly { readonly id: string }[];
  get(id: string): { readonly id: string } | undefined;
  named(key: string): { readonly id: string } | undefined;
  add(fields: object): { readonly id: string };
  update(record: object, fields: object): object;
  delete(id: string): boolean;
}

/** Thrown when a record is not there. */
export class MissingRecord extends Error {
  override readonly name = 'MissingRecord';
}

/** Returns the kind of record with this name; throws a `RangeError` for one that does not exist. */
export function readKind(name: string): keyof State {
  if (!Object.hasOwn(recordKinds, name)) throw unknownName('kind of record', name, Object.keys(recordKinds));
  return name as keyof State;
}

/** Returns a page of the records that hold a text in any field, newest first. */
export function recordPage({ state }: SandboxContext, kind: keyof State, query: URLSearchParams): RecordPage {
  const search = query.get('search')?.trim().toLowerCase() ?? '';
  const offset = Number(query.get('offset') ?? 0) || 0;
  const all = state[kind].all;
  const found = search === '' ? all : all.filter(record => textOf(state, record).includes(search));
  const limit = Math.min(Number(query.get('limit') ?? pageSize) || pageSize, maxPageSize);
  const end = Math.max(found.length - offset, 0);
  const records = found
    .slice(Math.max(end - limit, 0), end)
    .reverse()
    .map(asView);
  return { records, total: found.length, names: namesFor(state, records) };
}

/** Returns a record, and the names of what it refers to. */
export function oneRecord({ state }: SandboxContext, kind: keyof State, id: string): RecordPage {
  const records = [asView(find(state[kind], id))];
  return { records, total: 1, names: namesFor(state, records) };
}

/** Adds a record from JSON; throws a `RangeError` that says what is wrong with it. */
export function addRecord({ state, writer }: SandboxContext, kind: keyof State, json: unknown): RecordView {
  const fields = fieldsFromJson(kind, json);
  checkRequired(recordKinds[kind], fields);
  checkUnique(state, kind, fields);
  writer.touch();
  return asView(anyCollection(state[kind]).add(fields));
}

/** Changes fields of a record from JSON. */
export function changeRecord(
  { state, writer }: SandboxContext,
  kind: keyof State,
  id: string,
  json: unknown,
): RecordView {
  const { id: _, ...fields } = fieldsFromJson(kind, json);
  const collection = anyCollection(state[kind]);
  const record = find(collection, id);
  checkRequired(recordKinds[kind], { ...record, ...fields });
  checkUnique(state, kind, fields, record);
  collection.update(record, fields);
  writer.touch();
  return asView(record);
}

/** Removes a record. */
export function deleteRecord({ state, writer }: SandboxContext, kind: keyof State, id: string): boolean {
  find(state[kind], id);
  writer.touch();
  return state[kind].delete(id);
}

function anyCollection(collection: State[keyof State]): AnyCollection {
  return collection as unknown as AnyCollection;
}

function find(collection: Pick<AnyCollection, 'get'>, id: string): { readonly id: string } {
  const record = collection.get(id);
  if (record === undefined) throw new MissingRecord('the record does not exist any more');
  return record;
}

function checkUnique(state: State, kind: keyof State, fields: RecordJson, record?: object): void {
  const { unique, singular } = recordKinds[kind];
  const key = unique === undefined ? undefined : fields[unique];
  if (typeof key !== 'string') return;
  const holder = state[kind].named(key);
  if (holder !== undefined && holder !== record)
    throw new RangeError(`another ${singular} has this ${unique}`);
}

function asView(record: object): RecordView {
  return recordToJson(record) as RecordView;
}

function textOf(state: State, record: object): string {
  const view = asView(record);
  const names = Object.values(namesFor(state, [view]));
  return `${Object.values(view)
    .map(value => (typeof value === 'object' ? JSON.stringify(value) : value))
    .join('\n')}\n${names.join('\n')}`.toLowerCase();
}

/** Returns the names of the tags, lists and custom fields that records refer to, by id. */
function namesFor(state: State, records: readonly RecordView[]): Readonly<Record<string, string>> {
  const names: [string, string][] = [];
  for (const { tags, lists, customFields } of records)
    for (const id of [...idsIn(tags), ...idsIn(lists), ...Object.keys(customFields ?? {})]) {
      const named = state.tags.get(id) ?? state.lists.get(id) ?? state.customFields.get(id);
      if (named !== undefined) names.push([id, named.name]);
    }
  return Object.fromEntries(names);
}

function idsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value : [];
}

import { literalOrType } from '../../core/json.ts';
import { noSuch } from '../rules.ts';
import type { State } from '../service/collection.ts';
import { ErrorResponse } from '../service/error-response.ts';
import { type AnyRecord, collectionOf, namesIn } from '../service/read-fields.ts';
import { type KindName, recordKinds } from '../service/record-kinds.ts';
import { bigintAsText } from '../service/state.ts';
import type { ControlQuery, RecordPage, RecordView } from './control-json.ts';

/** Default number of records in a page. */
const pageSize = 50;

/** Returns a kind of record by name. Throws a `RangeError` if there is none. */
export function readKind(name: string): KindName {
  if (!Object.hasOwn(recordKinds, name)) throw noSuch('kind of record', name, Object.keys(recordKinds));
  return name as KindName;
}

/** Returns a page of the records that contain the search text in any field, newest first. */
export function recordPage(state: State, kind: KindName, query: ControlQuery): RecordPage {
  const search = query.search?.trim().toLowerCase() ?? '';
  const { all } = collectionOf(state, kind);
  const found = search === '' ? all : all.filter(record => textOf(state, record).includes(search));
  const records = found
    .slice(-(query.limit ?? pageSize))
    .reverse()
    .map(asView);
  return { records, total: found.length, names: namesFor(state, records) };
}

/** Returns a record, and the names of the records it refers to. */
export function oneRecord(state: State, kind: KindName, id: string): RecordPage {
  const records = [asView(find(state, kind, id))];
  return { records, total: 1, names: namesFor(state, records) };
}

/** Adds a record from JSON. Throws a `RangeError` that says what is wrong with it. */
export function addRecord(state: State, kind: KindName, json: unknown): RecordView {
  return asView(collectionOf(state, kind).add(json as object));
}

/** Updates a record from JSON. Throws a `RangeError` that says what is wrong with the fields. */
export function changeRecord(state: State, kind: KindName, id: string, json: unknown): RecordView {
  return asView(collectionOf(state, kind).update(find(state, kind, id), json as object));
}

/** Deletes a record; without an id, all of the kind. */
export function deleteFrom(state: State, kind: KindName, id: string | undefined): void {
  if (id === undefined) state[kind].clear();
  else state[kind].delete(find(state, kind, id).id);
}

function find(state: State, kind: KindName, id: string): AnyRecord {
  const record = collectionOf(state, kind).get(id);
  if (record === undefined)
    throw new ErrorResponse('unknown', {
      message: `No ${recordKinds[kind].singular} has the id ${literalOrType(id)}. It may have been deleted.`,
    });
  return record;
}

function asView(record: AnyRecord): RecordView {
  return JSON.parse(JSON.stringify(record, bigintAsText));
}

function textOf(state: State, record: AnyRecord): string {
  const view = asView(record);
  const values = [...Object.values(view), ...Object.values(namesFor(state, [view]))];
  return values
    .map(value => (typeof value === 'object' ? JSON.stringify(value) : value))
    .join('\n')
    .toLowerCase();
}

/** Returns the names of the records that records refer to, by id. */
function namesFor(state: State, records: readonly RecordView[]): Readonly<Record<string, string>> {
  const kinds = [state.tags, state.lists, state.customFields, state.templates];
  const fields = records.flatMap(record => [record.tags, record.lists, record.customFields, record.template]);
  const pairs = fields.flatMap(namesIn).map(([id]) => [id, kinds.find(kind => kind.get(id))?.get(id)?.name]);
  return Object.fromEntries(pairs.filter(([, name]) => name !== undefined));
}

import * as z from 'zod/mini';
import { arrayOf, boundedText, integer, named, record, text } from '../schemas/fields.ts';
import { type ListId, recordId } from '../schemas/id.ts';
import { inputSchema } from '../schemas/input-schema.ts';
import { listingQuery, type PageQuery } from '../schemas/page.ts';
import { responseSchema } from '../schemas/response-schema.ts';
import { deletion, operation } from './operation.ts';

/** List of contacts. */
export interface List {
  /** `list_` and 22 letters or digits. */
  readonly id: ListId;
  /** Name of the list. */
  readonly name: string;
  /** Type of the list, a whole number. The service does not document the values. */
  readonly type: number;
  /** Time of creation: ISO 8601, UTC. */
  readonly created: string;
  /** Time of the last change: ISO 8601, UTC. */
  readonly updated: string;
}

/** Body of {@link Lists.create}. */
export interface CreateListParams {
  /** Name of the list; not empty. */
  readonly name: string;
}

/** Filter of {@link Lists.list} and {@link Lists.all}. */
export interface ListsFilter {
  /** Part of the name: 2 to 100 characters. */
  readonly search?: string | undefined;
}

/** Query of {@link Lists.list}. `limit` is at most 500. */
export interface ListsQuery extends PageQuery, ListsFilter {}

const list = () =>
  record({ id: recordId<'list'>(), name: text(), type: integer(), created: text(), updated: text() });

/** `POST /list` (rule 10.1). */
export const createList = /* @__PURE__ */ operation<CreateListParams, List>('lists.create', {
  input: /* @__PURE__ */ inputSchema(named),
  output: /* @__PURE__ */ responseSchema(list),
});

/** `GET /list` (rule 4.3). The service documents two limits; this is the larger one. */
export const listLists = /* @__PURE__ */ operation<ListsQuery | undefined, List[]>('lists.list', {
  input: /* @__PURE__ */ inputSchema(() => listingQuery(500, { search: z.optional(boundedText(2, 100)) })),
  output: /* @__PURE__ */ responseSchema(() => arrayOf(list())),
});

/** `DELETE /list/{identifier}` (rule 10.3). */
export const deleteList = /* @__PURE__ */ deletion('lists.delete', 'list');

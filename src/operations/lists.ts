import * as z from 'zod/mini';
import type { Operation } from '../http/call/operation.ts';
import type { CreateListParams, List, ListsQuery } from '../resources/lists.ts';
import { type Acknowledgement, acknowledgement } from '../schemas/acknowledgement.ts';
import { inputId, type ListId, recordId } from '../schemas/id.ts';
import { inputSchema } from '../schemas/input-schema.ts';
import { integer } from '../schemas/number.ts';
import { listingQuery } from '../schemas/page.ts';
import { responseSchema } from '../schemas/response-schema.ts';
import { nonEmptyText, text } from '../schemas/text.ts';

const list = () =>
  z.looseObject(
    { id: recordId<'list'>(), name: text(), type: integer(), created: text(), updated: text() },
    'an object',
  );

/** `POST /list` (specification, section 4, endpoint 2). */
export const createList: Operation<CreateListParams, List> = {
  name: 'lists.create',
  api: 'rest',
  method: 'POST',
  path: '/list',
  idempotent: false,
  input: /* @__PURE__ */ inputSchema(() => z.strictObject({ name: nonEmptyText() }, 'an object')),
  output: /* @__PURE__ */ responseSchema(list, { required: ['id'] }),
};

/** `GET /list` (specification, section 4, endpoint 3). The limit is the wider of the two that it names. */
export const listLists: Operation<ListsQuery | undefined, List[]> = {
  name: 'lists.list',
  api: 'rest',
  method: 'GET',
  path: '/list',
  query: ['offset', 'limit', 'search'],
  idempotent: true,
  input: /* @__PURE__ */ inputSchema(() => listingQuery(500, { min: 2, max: 100 })),
  output: /* @__PURE__ */ responseSchema(() => z.array(list()), { required: ['id'] }),
};

/** `DELETE /list/{identifier}` (specification, section 4, endpoint 4). */
export const deleteList: Operation<ListId, Acknowledgement> = {
  name: 'lists.delete',
  api: 'rest',
  method: 'DELETE',
  path: '/list/{identifier}',
  idempotent: true,
  notFoundIsSuccess: true,
  input: /* @__PURE__ */ inputSchema(() => inputId('list')),
  output: acknowledgement,
};

/** Part of the table of operations. */
export const listOperations = [createList, listLists, deleteList];

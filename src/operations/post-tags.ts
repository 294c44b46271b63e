import * as z from 'zod/mini';
import type { Operation } from '../http/call/operation.ts';
import type { PostTag } from '../resources/post-tags.ts';
import { inputId, type PostTagId, recordId } from '../schemas/id.ts';
import { inputSchema } from '../schemas/input-schema.ts';
import { responseSchema } from '../schemas/response-schema.ts';
import { text } from '../schemas/text.ts';

const postTag = () =>
  z.looseObject({ id: recordId<'post_tag'>(), name: text(), created: text(), updated: text() }, 'an object');

/** `GET /post/tag` (specification, section 4, endpoint 8). */
export const listPostTags: Operation<undefined, PostTag[]> = {
  name: 'postTags.list',
  api: 'rest',
  method: 'GET',
  path: '/post/tag',
  idempotent: true,
  output: /* @__PURE__ */ responseSchema(() => z.array(postTag()), { required: ['id'] }),
};

/** `GET /post/tag/{identifier}` (specification, section 4, endpoint 9). */
export const getPostTag: Operation<PostTagId, PostTag> = {
  name: 'postTags.get',
  api: 'rest',
  method: 'GET',
  path: '/post/tag/{identifier}',
  idempotent: true,
  input: /* @__PURE__ */ inputSchema(() => inputId('post_tag')),
  output: /* @__PURE__ */ responseSchema(postTag, { required: ['id'] }),
};

/** Part of the table of operations. */
export const postTagOperations = [listPostTags, getPostTag];

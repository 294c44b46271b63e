import * as z from 'zod/mini';
import type { Operation } from '../http/call/operation.ts';
import type { CreatePostCategoryParams, PostCategory } from '../resources/post-categories.ts';
import { recordId } from '../schemas/id.ts';
import { inputSchema } from '../schemas/input-schema.ts';
import { responseSchema } from '../schemas/response-schema.ts';
import { nonEmptyText, text } from '../schemas/text.ts';

const postCategory = () =>
  z.looseObject(
    { id: recordId<'post_category'>(), name: text(), created: text(), updated: text() },
    'an object',
  );

/** `POST /post/category` (specification, section 4, endpoint 10). */
export const createPostCategory: Operation<CreatePostCategoryParams, PostCategory> = {
  name: 'postCategories.create',
  api: 'rest',
  method: 'POST',
  path: '/post/category',
  idempotent: false,
  input: /* @__PURE__ */ inputSchema(() => z.strictObject({ name: nonEmptyText() }, 'an object')),
  output: /* @__PURE__ */ responseSchema(postCategory, { required: ['id'] }),
};

/** Part of the table of operations. */
export const postCategoryOperations = [createPostCategory];

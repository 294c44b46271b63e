import type { ApiPromise } from '../call/api-promise.ts';
import type { CallOptions } from '../call/call-options.ts';
import { named, record, text } from '../schemas/fields.ts';
import { type PostCategoryId, recordId } from '../schemas/id.ts';
import { inputSchema, responseSchema } from '../schemas/parsing-schemas.ts';
import { operation, Resource } from './resource.ts';

/** Category of blog posts. */
export interface PostCategory {
  /** `post_category_` and 22 letters or digits. */
  readonly id: PostCategoryId;
  /** Name of the category. */
  readonly name: string;
  /** Time of creation: ISO 8601, UTC, with milliseconds. */
  readonly created: string;
  /** Time of the last change: ISO 8601, UTC, with milliseconds. */
  readonly updated: string;
}

/** Body of {@link PostCategories.create}. */
export interface CreatePostCategoryParams {
  /** Name of the category; not empty. */
  readonly name: string;
}

const postCategory = () =>
  record({ id: recordId<'post_category'>(), name: text(), created: text(), updated: text() });

/** `POST /post/category` (rule 11.3). */
export const createPostCategory = /* @__PURE__ */ operation<CreatePostCategoryParams, PostCategory>(
  'postCategories.create',
  {
    input: /* @__PURE__ */ inputSchema(named),
    output: /* @__PURE__ */ responseSchema(postCategory),
  },
);

/** Creates categories of blog posts. */
export class PostCategories extends Resource {
  /**
   * Creates a post category. Not idempotent: never retried after an unknown outcome.
   *
   * @throws {@link InvalidRequestError} if a field is invalid; nothing is sent.
   *
   * @example
   * ```ts
   * const category = await client.postCategories.create({ name: 'Release notes' });
   * console.log(category.name); // Release notes
   * ```
   */
  create(params: CreatePostCategoryParams, options?: CallOptions): ApiPromise<PostCategory> {
    return Resource.perform(this, createPostCategory, params, options);
  }
}

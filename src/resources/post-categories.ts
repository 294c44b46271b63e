import type { ApiPromise } from '../call/api-promise.ts';
import type { CallOptions } from '../call/call-options.ts';
import type { PostCategoryId } from '../schemas/id.ts';

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

/** Creates categories of blog posts. */
export interface PostCategories {
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
  create(params: CreatePostCategoryParams, options?: CallOptions): ApiPromise<PostCategory>;
}

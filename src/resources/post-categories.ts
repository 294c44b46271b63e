import type { ApiPromise } from '../http/call/api-promise.ts';
import type { HttpClient } from '../http/call/http-client.ts';
import type { CallOptions } from '../http/options/call-options.ts';
import { createPostCategory } from '../operations/post-categories.ts';
import type { PostCategoryId } from '../schemas/id.ts';

/** Category of blog posts (specification, section 2). */
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

/** Creates categories of blog posts (specification, section 4). */
export class PostCategories {
  readonly #http: HttpClient;

  /** @internal */
  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Creates a post category. Not idempotent: it is never retried after an unknown outcome.
   *
   * @param params - The new category.
   * @param options - Options of this call.
   * @returns The category as created.
   * @throws {@link InvalidRequestError} if a field is invalid; nothing is sent.
   *
   * @example
   * ```ts
   * const category = await client.postCategories.create({ name: 'Release notes' });
   * console.log(category.name); // Release notes
   * ```
   */
  create(params: CreatePostCategoryParams, options?: CallOptions): ApiPromise<PostCategory> {
    return this.#http.call(createPostCategory, params, options);
  }
}

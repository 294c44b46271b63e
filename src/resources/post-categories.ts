import type { ApiPromise } from '../http/call/api-promise.ts';
import type { CallOptions } from '../http/options/call-options.ts';
import {
  type CreatePostCategoryParams,
  createPostCategory,
  type PostCategory,
} from '../operations/post-categories.ts';
import { Resource } from './resource.ts';

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

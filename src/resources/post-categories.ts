import type { ApiPromise } from '../core/api-promise.ts';
import type { Caller, Operation } from '../core/operation.ts';
import type { CallOptions } from '../core/options.ts';
import type { PostCategoryId } from '../schema/id.ts';
import { fields, inputOf, someText } from '../schema/input.ts';
import { oneRecord, RecordReader } from '../schema/record.ts';
import { recordId, text } from '../schema/word.ts';

/** A category of blog posts (specification, section 2). */
export interface PostCategory {
  /** `post_category_` and 22 letters or digits. */
  readonly id: PostCategoryId;
  /** The category's name. */
  readonly name: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly created: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly updated: string;
}

/** What a new post category is made from. */
export interface CreatePostCategoryParams {
  /** Text that is not empty. */
  readonly name: string;
}

/** @internal */
export const postCategoryOperations = () => ({
  'postCategories.create': {
    api: 'rest',
    method: 'POST',
    path: '/post/category',
    repeat: 'never',
    input: inputOf(() => fields<CreatePostCategoryParams>({ name: someText() })),
    output: oneRecord(
      new RecordReader<PostCategory>({
        words: { id: recordId, name: text, created: text, updated: text },
        essential: ['id'],
      }),
    ),
  } satisfies Operation<CreatePostCategoryParams, PostCategory>,
});

/** Categories of blog posts. */
export class PostCategories {
  readonly #call: Caller<ReturnType<typeof postCategoryOperations>>;

  /** @internal */
  constructor(call: Caller<ReturnType<typeof postCategoryOperations>>) {
    this.#call = call;
  }

  /**
   * Creates a post category.
   *
   * @example
   * ```ts
   * const category = await client.postCategories.create({ name: 'Release notes' });
   * console.log(category.name); // Release notes
   * ```
   */
  create(params: CreatePostCategoryParams, options?: CallOptions): ApiPromise<PostCategory> {
    return this.#call('postCategories.create', params, options);
  }
}

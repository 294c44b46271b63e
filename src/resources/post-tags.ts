import type { ApiPromise } from '../core/api-promise.ts';
import type { Caller, Operation } from '../core/operation.ts';
import type { CallOptions } from '../core/options.ts';
import type { PostTagId } from '../schema/id.ts';
import { inputOf } from '../schema/input.ts';
import { inputId } from '../schema/input-id.ts';
import { manyRecords, oneRecord, RecordReader } from '../schema/record.ts';
import { recordId, text } from '../schema/word.ts';

/** A tag of blog posts (specification, section 2). */
export interface PostTag {
  /** `post_tag_` and 22 letters or digits. */
  readonly id: PostTagId;
  /** The tag's name. */
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly created: string;
  /** ISO 8601, UTC. */
  readonly updated: string;
}

const postTag = () =>
  new RecordReader<PostTag>({
    words: { id: recordId, name: text, created: text, updated: text },
    essential: ['id'],
  });

/** @internal */
export const postTagOperations = () => ({
  'postTags.list': {
    api: 'rest',
    method: 'GET',
    path: '/post/tag',
    repeat: 'always',
    output: manyRecords(postTag()),
  } satisfies Operation<undefined, readonly PostTag[]>,
  'postTags.get': {
    api: 'rest',
    method: 'GET',
    path: '/post/tag/{identifier}',
    repeat: 'always',
    input: inputOf<PostTagId>(() => inputId('post_tag')),
    output: oneRecord(postTag()),
  } satisfies Operation<PostTagId, PostTag>,
});

/** Tags of blog posts. */
export class PostTags {
  readonly #call: Caller<ReturnType<typeof postTagOperations>>;

  /** @internal */
  constructor(call: Caller<ReturnType<typeof postTagOperations>>) {
    this.#call = call;
  }

  /**
   * Every post tag, in one answer.
   *
   * @example
   * ```ts
   * const postTags = await client.postTags.list();
   * console.log(postTags.map(postTag => postTag.name));
   * ```
   */
  list(options?: CallOptions): ApiPromise<readonly PostTag[]> {
    return this.#call('postTags.list', undefined, options);
  }

  /**
   * One post tag. The id is taken with or without its prefix.
   *
   * @throws {@link NotFoundError} when there is none with this id.
   *
   * @example
   * ```ts
   * const [first] = await client.postTags.list();
   * if (first) console.log((await client.postTags.get(first.id)).name);
   * ```
   */
  get(id: PostTagId, options?: CallOptions): ApiPromise<PostTag> {
    return this.#call('postTags.get', id, options);
  }
}

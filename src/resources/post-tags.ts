import type { ApiPromise } from '../call/api-promise.ts';
import type { CallOptions } from '../call/call-options.ts';
import type { PostTagId } from '../schemas/id.ts';

/** Tag of blog posts. */
export interface PostTag {
  /** `post_tag_` and 22 letters or digits. */
  readonly id: PostTagId;
  /** Name of the tag. */
  readonly name: string;
  /** Time of creation: ISO 8601, UTC. */
  readonly created: string;
  /** Time of the last change: ISO 8601, UTC. */
  readonly updated: string;
}

/** Lists and gets tags of blog posts. */
export interface PostTags {
  /**
   * Lists every post tag in one response.
   *
   * @example
   * ```ts
   * const postTags = await client.postTags.list();
   * console.log(postTags.map(postTag => postTag.name));
   * ```
   */
  list(options?: CallOptions): ApiPromise<PostTag[]>;

  /**
   * Gets one post tag.
   *
   * @param id - Id of the post tag, with or without its prefix `post_tag_`.
   * @throws {@link InvalidRequestError} if it is not a post tag id; nothing is sent.
   * @throws {@link NotFoundError} if the post tag does not exist.
   *
   * @example
   * ```ts
   * const [first] = await client.postTags.list();
   * if (first) console.log((await client.postTags.get(first.id)).name);
   * ```
   */
  get(id: PostTagId, options?: CallOptions): ApiPromise<PostTag>;
}

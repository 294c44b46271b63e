import type { ApiPromise } from '../http/call/api-promise.ts';
import type { HttpClient } from '../http/call/http-client.ts';
import type { CallOptions } from '../http/options/call-options.ts';
import { getPostTag, listPostTags } from '../operations/post-tags.ts';
import type { PostTagId } from '../schemas/id.ts';

/** Tag of blog posts (specification, section 2). */
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

/** Lists and gets tags of blog posts (specification, section 4). */
export class PostTags {
  readonly #http: HttpClient;

  /** @internal */
  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Lists every post tag in one response.
   *
   * @param options - Options of this call.
   * @returns All post tags of the team.
   *
   * @example
   * ```ts
   * const postTags = await client.postTags.list();
   * console.log(postTags.map(postTag => postTag.name));
   * ```
   */
  list(options?: CallOptions): ApiPromise<PostTag[]> {
    return this.#http.call(listPostTags, undefined, options);
  }

  /**
   * Gets one post tag.
   *
   * @param id - Id of the post tag, with or without its prefix `post_tag_`.
   * @param options - Options of this call.
   * @returns The post tag.
   * @throws {@link InvalidRequestError} if the id is not that of a post tag; nothing is sent.
   * @throws {@link NotFoundError} if there is no such post tag.
   *
   * @example
   * ```ts
   * const [first] = await client.postTags.list();
   * if (first) console.log((await client.postTags.get(first.id)).name);
   * ```
   */
  get(id: PostTagId, options?: CallOptions): ApiPromise<PostTag> {
    return this.#http.call(getPostTag, id, options);
  }
}

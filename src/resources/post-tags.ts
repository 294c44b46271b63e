import type { ApiPromise } from '../http/call/api-promise.ts';
import type { CallOptions } from '../http/options/call-options.ts';
import { getPostTag, listPostTags, type PostTag } from '../operations/post-tags.ts';
import type { PostTagId } from '../schemas/id.ts';
import { Resource } from './resource.ts';

/** Lists and gets tags of blog posts. */
export class PostTags extends Resource {
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
  list(options?: CallOptions, mistake?: undefined): ApiPromise<PostTag[]> {
    return Resource.perform(this, listPostTags, mistake, options);
  }

  /**
   * Gets one post tag.
   *
   * @param id - Id of the post tag, with or without its prefix `post_tag_`.
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
    return Resource.perform(this, getPostTag, id, options);
  }
}

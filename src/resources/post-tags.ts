import type { ApiPromise } from '../call/api-promise.ts';
import type { CallOptions } from '../call/call-options.ts';
import { arrayOf, record, text } from '../schemas/fields.ts';
import { inputId, type PostTagId, recordId } from '../schemas/id.ts';
import { inputSchema, responseSchema } from '../schemas/parsing-schemas.ts';
import { operation, Resource } from './resource.ts';

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

const postTag = () => record({ id: recordId<'post_tag'>(), name: text(), created: text(), updated: text() });

/** `GET /post/tag` (rule 11.2). */
export const listPostTags = /* @__PURE__ */ operation<undefined, PostTag[]>('postTags.list', {
  output: /* @__PURE__ */ responseSchema(() => arrayOf(postTag())),
});

/** `GET /post/tag/{identifier}` (rule 11.2). */
export const getPostTag = /* @__PURE__ */ operation<PostTagId, PostTag>('postTags.get', {
  input: /* @__PURE__ */ inputSchema(() => inputId('post_tag')),
  output: /* @__PURE__ */ responseSchema(postTag),
});

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
  list(options?: CallOptions): ApiPromise<PostTag[]> {
    return Resource.perform(this, listPostTags, undefined, options);
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

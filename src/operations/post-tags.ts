import { arrayOf, record, text } from '../schemas/fields.ts';
import { inputId, type PostTagId, recordId } from '../schemas/id.ts';
import { inputSchema } from '../schemas/input-schema.ts';
import { responseSchema } from '../schemas/response-schema.ts';
import { operation } from './operation.ts';

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

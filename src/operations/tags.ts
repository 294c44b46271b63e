import { named, record, text } from '../schemas/fields.ts';
import { recordId, type TagId } from '../schemas/id.ts';
import { inputSchema } from '../schemas/input-schema.ts';
import { responseSchema } from '../schemas/response-schema.ts';
import { deletion, operation } from './operation.ts';

/** Label for contacts. */
export interface Tag {
  /** `tag_` and 22 letters or digits. */
  readonly id: TagId;
  /** Name of the tag, unique within the team. */
  readonly name: string;
  /** Time of creation: ISO 8601, UTC. */
  readonly created: string;
  /** Time of the last change: ISO 8601, UTC. */
  readonly updated: string;
}

/** Body of {@link Tags.create}. */
export interface CreateTagParams {
  /** Name of the tag; not empty, and not in use within the team. */
  readonly name: string;
}

const tag = () => record({ id: recordId<'tag'>(), name: text(), created: text(), updated: text() });

/** `POST /tag` (rule 10.2). */
export const createTag = /* @__PURE__ */ operation<CreateTagParams, Tag>('tags.create', {
  input: /* @__PURE__ */ inputSchema(named),
  output: /* @__PURE__ */ responseSchema(tag),
});

/** `DELETE /tag/{identifier}` (rule 10.5). */
export const deleteTag = /* @__PURE__ */ deletion('tags.delete', 'tag');

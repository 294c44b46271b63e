import type { ApiPromise } from '../http/call/api-promise.ts';
import type { CallOptions } from '../http/options/call-options.ts';
import { type CreateTagParams, createTag, deleteTag, type Tag } from '../operations/tags.ts';
import type { Acknowledgement } from '../schemas/acknowledgement.ts';
import type { TagId } from '../schemas/id.ts';
import { Resource } from './resource.ts';

/** Creates and deletes tags. `client.legacy` adds them to contacts and removes them. */
export class Tags extends Resource {
  /**
   * Creates a tag. Not idempotent: never retried after an unknown outcome.
   *
   * @throws {@link InvalidRequestError} if a field is invalid; nothing is sent.
   * @throws {@link ConflictError} if the name is in use.
   *
   * @example
   * ```ts
   * const tag = await client.tags.create({ name: 'customer' });
   * console.log(tag.name); // customer
   * ```
   */
  create(params: CreateTagParams, options?: CallOptions): ApiPromise<Tag> {
    return Resource.perform(this, createTag, params, options);
  }

  /**
   * Deletes a tag. Idempotent: retried after an unknown outcome; "not found" on a retry is a success.
   *
   * @param id - Id of the tag, with or without its prefix `tag_`.
   * @throws {@link InvalidRequestError} if the id is not that of a tag; nothing is sent.
   * @throws {@link NotFoundError} if there is no such tag.
   *
   * @example
   * ```ts
   * const tag = await client.tags.create({ name: 'trial' });
   * await client.tags.delete(tag.id);
   * ```
   */
  delete(id: TagId, options?: CallOptions): ApiPromise<Acknowledgement> {
    return Resource.perform(this, deleteTag, id, options);
  }
}

import type { ApiPromise } from '../call/api-promise.ts';
import type { CallOptions } from '../call/call-options.ts';
import type { Acknowledgement } from '../schemas/acknowledgement.ts';
import type { TagId } from '../schemas/id.ts';
import type { TagName } from './account-types.ts';

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
  readonly name: TagName;
}

/** Creates and deletes tags. `client.legacy` adds them to contacts and removes them. */
export interface Tags {
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
  create(params: CreateTagParams, options?: CallOptions): ApiPromise<Tag>;

  /**
   * Deletes a tag. Idempotent: retried after an unknown outcome; "not found" on a retry is a success.
   *
   * @param id - Id of the tag, with or without its prefix `tag_`.
   * @throws {@link InvalidRequestError} if it is not a tag id; nothing is sent.
   * @throws {@link NotFoundError} if the tag does not exist.
   *
   * @example
   * ```ts
   * const tag = await client.tags.create({ name: 'trial' });
   * await client.tags.delete(tag.id);
   * ```
   */
  delete(id: TagId, options?: CallOptions): ApiPromise<Acknowledgement>;
}

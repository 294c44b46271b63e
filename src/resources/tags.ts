import type { ApiPromise } from '../core/api-promise.ts';
import type { Caller, Operation } from '../core/operation.ts';
import type { CallOptions } from '../core/options.ts';
import { type Acknowledgement, acknowledgement } from '../schema/acknowledgement.ts';
import type { TagId } from '../schema/id.ts';
import { fields, inputOf, someText } from '../schema/input.ts';
import { inputId } from '../schema/input-id.ts';
import { oneRecord, RecordReader } from '../schema/record.ts';
import { recordId, text } from '../schema/word.ts';

/** A label for contacts (specification, section 2). */
export interface Tag {
  /** `tag_` and 22 letters or digits. */
  readonly id: TagId;
  /** Unique within the team. */
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly created: string;
  /** ISO 8601, UTC. */
  readonly updated: string;
}

/** What a new tag is made from. */
export interface CreateTagParams {
  /** Must not be in use in the team. */
  readonly name: string;
}

const tag = () =>
  new RecordReader<Tag>({
    words: { id: recordId, name: text, created: text, updated: text },
    essential: ['id'],
  });

/** @internal */
export const tagOperations = () => ({
  'tags.create': {
    api: 'rest',
    method: 'POST',
    path: '/tag',
    repeat: 'never',
    input: inputOf(() => fields<CreateTagParams>({ name: someText() })),
    output: oneRecord(tag()),
  } satisfies Operation<CreateTagParams, Tag>,
  'tags.delete': {
    api: 'rest',
    method: 'DELETE',
    path: '/tag/{identifier}',
    repeat: 'always',
    goneIsDone: true,
    input: inputOf<TagId>(() => inputId('tag')),
    output: acknowledgement(),
  } satisfies Operation<TagId, Acknowledgement>,
});

/** Tags: labels for contacts. `client.legacy` puts them on contacts and takes them off. */
export class Tags {
  readonly #call: Caller<ReturnType<typeof tagOperations>>;

  /** @internal */
  constructor(call: Caller<ReturnType<typeof tagOperations>>) {
    this.#call = call;
  }

  /**
   * Creates a tag.
   *
   * @throws {@link ConflictError} when the name is in use.
   *
   * @example
   * ```ts
   * const tag = await client.tags.create({ name: 'customer' });
   * console.log(tag.name); // customer
   * ```
   */
  create(params: CreateTagParams, options?: CallOptions): ApiPromise<Tag> {
    return this.#call('tags.create', params, options);
  }

  /**
   * Deletes a tag. The id is taken with or without its prefix.
   *
   * @example
   * ```ts
   * const tag = await client.tags.create({ name: 'trial' });
   * await client.tags.delete(tag.id);
   * ```
   */
  delete(id: TagId, options?: CallOptions): ApiPromise<Acknowledgement> {
    return this.#call('tags.delete', id, options);
  }
}

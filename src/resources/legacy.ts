import type { ApiPromise } from '../http/call/api-promise.ts';
import type { CallOptions } from '../http/options/call-options.ts';
import {
  type IdentifyParams,
  type IdentifyResult,
  identify,
  type TrackParams,
  type TrackResult,
  track,
} from '../operations/legacy.ts';
import { Resource } from './resource.ts';

/** Creates, updates and tags contacts by email. Needs the option `teamId`. */
export class Legacy extends Resource {
  /**
   * Creates or updates the contact with this email. Nothing is removed: tags are added, custom fields are merged, and
   * missing fields keep their values.
   *
   * Idempotent, so retried after an unknown outcome. Two inputs are not: a custom field with `++` or `--` (it would count
   * twice), and `newEmail` (a retry would create a contact with the old email).
   *
   * @returns The service's confirmation, and the contact after the call.
   * @throws {@link InvalidRequestError} if a field is invalid; nothing is sent.
   * @throws {@link ConfigurationError} if the client has no `teamId`.
   *
   * @example
   * ```ts
   * const { data } = await client.legacy.identify({
   *   email: 'ada@example.com',
   *   tags: ['customer'],
   *   customFields: { plan: 'pro', points: increment(5) },
   * });
   * console.log(data?.tags, data?.customFields);
   * ```
   */
  identify(params: IdentifyParams, options?: CallOptions): ApiPromise<IdentifyResult> {
    return Resource.perform(this, identify, params, options);
  }

  /**
   * Adds tags to a contact and removes others. This triggers automation rules on those tags. Idempotent: retried after
   * an unknown outcome.
   *
   * @throws {@link InvalidRequestError} if a field is invalid, or no tag is to be added or removed; nothing is sent.
   * @throws {@link ConfigurationError} if the client has no `teamId`.
   *
   * @example
   * ```ts
   * await client.legacy.track({
   *   email: 'ada@example.com',
   *   addTags: ['customer'],
   *   removeTags: ['trial'],
   * });
   * ```
   */
  track(params: TrackParams, options?: CallOptions): ApiPromise<TrackResult> {
    return Resource.perform(this, track, params, options);
  }
}

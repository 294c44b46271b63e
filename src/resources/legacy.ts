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
   * Creates the contact with this email, or updates it. Nothing is removed: tags are added, custom fields are merged,
   * and fields that are left out keep their value.
   *
   * Idempotent, and so retried after an unknown outcome, unless a custom field has `++` or `--`, which would count
   * twice, or `newEmail` is given, which would create a contact under the old address.
   *
   * @param params - The contact.
   * @param options - Options of this call.
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
   * Adds tags to a contact and removes others. Automation rules on those tags then run. Idempotent: it is retried after
   * an unknown outcome.
   *
   * @param params - The contact and its tags.
   * @param options - Options of this call.
   * @returns The service's confirmation.
   * @throws {@link InvalidRequestError} if a field is invalid, or there is no tag to add or remove; nothing is sent.
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

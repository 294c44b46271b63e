import type { ApiPromise } from '../call/api-promise.ts';
import type { CallOptions } from '../call/call-options.ts';
import type { CustomFieldValues, TagName } from './account-types.ts';

/** Contact to create or update. Fields that are missing, `null` or `''` keep their stored values. */
export interface IdentifyParams {
  /** Email that identifies the contact. */
  readonly email: string;
  /** New email, if it changes; `email` is the old one. */
  readonly newEmail?: string | null | undefined;
  /** First name of the contact. */
  readonly firstName?: string | null | undefined;
  /** Last name of the contact. */
  readonly lastName?: string | null | undefined;
  /** Company of the contact. */
  readonly company?: string | null | undefined;
  /** Date of birth, as `YYYY-MM-DD`. */
  readonly birthday?: string | null | undefined;
  /**
   * Values by name of the custom field (not its id), merged with the stored ones. Missing fields are created. `null` is
   * left out; `''` is sent as a value. Numbers are sent as strings without an exponent. Integers beyond
   * `Number.MAX_SAFE_INTEGER` are rejected. To change a field of type number by an amount, use {@link increment} and
   * {@link decrement}.
   */
  readonly customFields?: CustomFieldValues | null | undefined;
  /** Names of tags to add (not their ids). Missing tags are created. */
  readonly tags?: readonly TagName[] | null | undefined;
}

/** Contact in a response of the legacy interface. */
export interface LegacyContact {
  /** Id of the team in the legacy interface. */
  readonly encryptedTeamId: string;
  /** Id of the contact in the legacy interface. No other call takes it. */
  readonly encryptedId: string;
  /** First name; empty if not given. */
  readonly firstName: string;
  /** Last name; empty if not given. */
  readonly lastName: string;
  /** Email address, unique within the team. */
  readonly email: string;
  /** Company; empty if not given. */
  readonly company: string;
  /** Date of birth, as `YYYY-MM-DD`; empty if not given. */
  readonly birthday: string;
  /** Names of the contact's tags. */
  readonly tags: string[];
  /** Values by the name of the custom field. */
  readonly customFields: Readonly<Record<string, string>>;
}

/** Result of {@link Legacy.identify}. */
export interface IdentifyResult {
  /** Any text, in the service's words; empty if it sends none. */
  readonly status: string;
  /** What was done, in the service's words. */
  readonly message: string;
  /** The contact after the call. */
  readonly data?: LegacyContact | undefined;
}

/**
 * Tags to add to a contact and to remove from it. The compiler requires one of the two lists, which may be empty:
 *
 * - `email`: email of the contact
 * - `addTags`: names of tags (not their ids) to add
 * - `removeTags`: names of tags (not their ids) to remove
 */
export type TrackParams = TrackFields &
  ({ readonly addTags: readonly TagName[] } | { readonly removeTags: readonly TagName[] });

/** Fields of {@link TrackParams}. */
export interface TrackFields {
  /** Email of the contact. */
  readonly email: string;
  /** Names of tags (not their ids) to add. */
  readonly addTags?: readonly TagName[] | undefined;
  /** Names of tags (not their ids) to remove. */
  readonly removeTags?: readonly TagName[] | undefined;
}

/** Result of {@link Legacy.track}. */
export interface TrackResult {
  /** Any text, in the service's words; empty if it sends none. */
  readonly status: string;
  /** What was done, in the service's words. */
  readonly message: string;
  /** Text that reports success. */
  readonly data?: string | undefined;
}

/** Creates, updates and tags contacts by email. Needs the option `teamId`. */
export interface Legacy {
  /**
   * Creates or updates the contact with this email. Tags are added, custom fields are merged, and missing fields keep
   * their values. New tags and custom fields are created permanently.
   *
   * Idempotent: retried after an unknown outcome. Exceptions are a custom field with `++` or `--`, which would count
   * twice, and `newEmail`, because a retry would create a contact with the old email.
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
  identify(params: IdentifyParams, options?: CallOptions): ApiPromise<IdentifyResult>;

  /**
   * Adds tags to a contact and removes others. This triggers automation rules on those tags. Idempotent: retried after
   * an unknown outcome.
   *
   * @throws {@link InvalidRequestError} if a field is invalid; nothing is sent.
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
  track(params: TrackParams, options?: CallOptions): ApiPromise<TrackResult>;
}

import type { ApiPromise } from '../http/call/api-promise.ts';
import type { HttpClient } from '../http/call/http-client.ts';
import type { CallOptions } from '../http/options/call-options.ts';
import { identify, track } from '../operations/legacy.ts';

/** Contact to create or update (specification, section 2, legacy contact). Fields that are left out keep their value. */
export interface IdentifyParams {
  /** Email that identifies the contact. */
  readonly email: string;
  /** New email of the contact; `email` is then the current one. */
  readonly newEmail?: string | undefined;
  /** First name of the contact. */
  readonly firstName?: string | undefined;
  /** Last name of the contact. */
  readonly lastName?: string | undefined;
  /** Company of the contact. */
  readonly company?: string | undefined;
  /** Date of birth, as `YYYY-MM-DD`. */
  readonly birthday?: string | undefined;
  /**
   * Values by the name of the custom field, merged with those stored; a field that does not exist is created. Finite
   * numbers are sent as text, written out without an exponent. {@link increment} and {@link decrement} make values that
   * change a field of type number by an amount.
   */
  readonly customFields?: Readonly<Record<string, string | number>> | undefined;
  /** Tag names, added to those of the contact. A tag that does not exist is created. */
  readonly tags?: readonly string[] | undefined;
}

/** Contact in a response of the legacy interface (specification, section 2). */
export interface LegacyContact {
  /** Id of the team in the legacy interface. */
  readonly encryptedTeamId: string;
  /** Id of the contact in the legacy interface; differs from the one in REST. */
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
  /** `200` or `success`, as text. */
  readonly status: string;
  /** Text of the service that says what was done. */
  readonly message: string;
  /** The contact after the call. */
  readonly data?: LegacyContact | undefined;
}

/** Tags to add to a contact and to remove from it. At least one of the two lists must contain a tag. */
export interface TrackParams {
  /** Email of the contact. */
  readonly email: string;
  /** Names of tags to add. */
  readonly addTags?: readonly string[] | undefined;
  /** Names of tags to remove. */
  readonly removeTags?: readonly string[] | undefined;
}

/** Result of {@link Legacy.track}. */
export interface TrackResult {
  /** `200` or `success`, as text. */
  readonly status: string;
  /** Text of the service that says what was done. */
  readonly message: string;
  /** A text of the service that reports success. */
  readonly data?: string | undefined;
}

/** Creates, updates and tags contacts by email (specification, section 4, legacy endpoints). Needs the option `teamId`. */
export class Legacy {
  readonly #http: HttpClient;

  /** @internal */
  constructor(http: HttpClient) {
    this.#http = http;
  }

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
    return this.#http.call(identify, params, options);
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
    return this.#http.call(track, params, options);
  }
}

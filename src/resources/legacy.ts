import type { ApiPromise } from '../core/api-promise.ts';
import type { Caller, Operation } from '../core/operation.ts';
import type { CallOptions } from '../core/options.ts';
import {
  anyText,
  day,
  email,
  fields,
  textMap as inputMap,
  inputOf,
  optional,
  textList,
} from '../schema/input.ts';
import { oneRecord, RecordReader } from '../schema/record.ts';
import { orAbsent, text, textMap, texts } from '../schema/word.ts';

/** A contact as the legacy interface takes it (specification, section 2). Nothing that is left out is changed. */
export interface IdentifyParams {
  /** Identifies the contact. */
  readonly email: string;
  /** The contact's new email; `email` is then the current one. */
  readonly newEmail?: string | undefined;
  /** First name. */
  readonly firstName?: string | undefined;
  /** Last name. */
  readonly lastName?: string | undefined;
  /** Company. */
  readonly company?: string | undefined;
  /** `YYYY-MM-DD` */
  readonly birthday?: string | undefined;
  /** Values by the field's name; see {@link increment} and {@link decrement}. A field that does not exist is created. */
  readonly customFields?: Readonly<Record<string, string | number>> | undefined;
  /** Tag names, added to those the contact has. A tag that does not exist is created. */
  readonly tags?: readonly string[] | undefined;
}

/** A contact as the legacy interface gives it. */
export interface LegacyContact {
  /** The legacy interface's own id of the team. */
  readonly encryptedTeamId: string;
  /** The legacy interface's own id of the contact; not the one of REST. */
  readonly encryptedId: string;
  /** Empty when not given. */
  readonly firstName: string;
  /** Empty when not given. */
  readonly lastName: string;
  /** Unique within the team. */
  readonly email: string;
  /** Empty when not given. */
  readonly company: string;
  /** `YYYY-MM-DD`, or empty. */
  readonly birthday: string;
  /** Tag names. */
  readonly tags: readonly string[];
  /** Values by the field's name. */
  readonly customFields: Readonly<Record<string, string>>;
}

/** What `identify` resolves to. */
export interface IdentifyResult {
  /** `200` or `success`, as text. */
  readonly status: string;
  /** What was done, in words. */
  readonly message: string;
  /** The contact as it is now. */
  readonly data?: LegacyContact | undefined;
}

/** Tags to put on a contact and to take off. */
export interface TrackParams {
  /** The contact. */
  readonly email: string;
  /** Tag names to add. */
  readonly addTags?: readonly string[] | undefined;
  /** Tag names to remove. */
  readonly removeTags?: readonly string[] | undefined;
}

/** What `track` resolves to. */
export interface TrackResult {
  /** `200` or `success`, as text. */
  readonly status: string;
  /** What was done, in words. */
  readonly message: string;
  /** A success text. */
  readonly data?: string | undefined;
}

const contact = () =>
  new RecordReader<LegacyContact>({
    words: {
      encryptedTeamId: text,
      encryptedId: text,
      firstName: text,
      lastName: text,
      email: text,
      company: text,
      birthday: text,
      tags: texts,
      customFields: textMap,
    },
    essential: [],
  });

/**
 * Counting twice, and making the old address anew, are what a repeat would do; all else is a wish that holds.
 * @internal
 */
export function repeatOfIdentify({ newEmail, customFields }: Partial<IdentifyParams>): 'always' | 'never' {
  const counts = Object.values(customFields ?? {}).some(value => /^(\+\+|--)/.test(String(value)));
  return counts || newEmail !== undefined ? 'never' : 'always';
}

/** @internal */
export const legacyOperations = () => ({
  'legacy.identify': {
    api: 'legacy',
    method: 'POST',
    path: '/contact/identify',
    repeat: repeatOfIdentify,
    input: inputOf(() =>
      fields<IdentifyParams>({
        email: email(),
        newEmail: optional(email()),
        firstName: optional(anyText()),
        lastName: optional(anyText()),
        company: optional(anyText()),
        birthday: optional(day()),
        customFields: optional(inputMap()),
        tags: optional(textList()),
      }),
    ),
    output: oneRecord(
      new RecordReader<IdentifyResult>({
        words: { status: text, message: text, data: orAbsent(contact().word()) },
        essential: [],
      }),
    ),
  } satisfies Operation<IdentifyParams, IdentifyResult>,
  'legacy.track': {
    api: 'legacy',
    method: 'POST',
    path: '/contact/track',
    query: ['email'],
    repeat: 'always',
    input: inputOf(() =>
      fields<TrackParams>({
        email: email(),
        addTags: optional(textList()),
        removeTags: optional(textList()),
      }),
    ),
    output: oneRecord(
      new RecordReader<TrackResult>({
        words: { status: text, message: text, data: orAbsent(text) },
        essential: [],
      }),
    ),
  } satisfies Operation<TrackParams, TrackResult>,
});

/** The legacy interface: contacts by email. Needs the option `teamId`. */
export class Legacy {
  readonly #call: Caller<ReturnType<typeof legacyOperations>>;

  /** @internal */
  constructor(call: Caller<ReturnType<typeof legacyOperations>>) {
    this.#call = call;
  }

  /**
   * Creates the contact with this email, or updates it. Nothing is removed: tags are added, custom fields merged, and
   * what is left out stays as it is.
   *
   * It is sent again after an unknown outcome, unless that would count a `++` or `--` twice, or make the old address
   * of a `newEmail` anew.
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
    return this.#call('legacy.identify', params, options);
  }

  /**
   * Adds tags to a contact and removes others. Automation rules on those tags then run.
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
    return this.#call('legacy.track', params, options);
  }
}

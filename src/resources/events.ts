import type { ApiPromise } from '../call/api-promise.ts';
import type { CallOptions } from '../call/call-options.ts';
import type { Acknowledgement } from '../schemas/acknowledgement.ts';
import type { EventsByName } from './account-types.ts';

/**
 * Custom event of a contact: one that {@link AccountTypes} declares, or any.
 * @interface
 */
export type RecordEventParams = {
  [Name in keyof EventsByName]: EventParams<Name, EventsByName[Name]>;
}[keyof EventsByName];

type EventParams<Name, Data> = keyof Data extends never
  ? EventParams<Name, Record<string, never>>
  : NamedEvent<Name> & EventData<Data> & TimedEvent;

type NamedEvent<Name> = {
  /** Name of the event; not empty. */
  readonly name: Name;
  /** Id of the contact, with or without its prefix, or its email. */
  readonly identifier: string;
};

type RequiredData<Data> = {
  /**
   * Properties of the event. Numbers are sent as strings without an exponent, unless they are too large to be exact.
   * @defaultValue `{}`
   */
  readonly data: Data;
};

/** Data that can be left out if none of it is required. */
type EventData<Data> =
  Record<never, never> extends Data ? Partial<RequiredData<Data | undefined>> : RequiredData<Data>;

type TimedEvent = {
  /**
   * Time of the event: a `Date`, whose milliseconds are dropped, or whole Unix seconds. Milliseconds are rejected.
   * @defaultValue the time of the request
   */
  readonly time?: Date | number | undefined;
};

/** Records custom events of contacts. */
export interface Events {
  /**
   * Records an event of a contact. Not idempotent: never retried after an unknown outcome.
   *
   * @throws {@link InvalidRequestError} if a field is invalid; nothing is sent.
   *
   * @example
   * ```ts
   * await client.events.record({
   *   name: 'order placed',
   *   identifier: 'ada@example.com',
   *   data: { order: '1042', total: 59 },
   *   time: new Date(),
   * });
   * ```
   */
  record(params: RecordEventParams, options?: CallOptions): ApiPromise<Acknowledgement>;
}

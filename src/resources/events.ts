import type { ApiPromise } from '../http/call/api-promise.ts';
import type { HttpClient } from '../http/call/http-client.ts';
import type { CallOptions } from '../http/options/call-options.ts';
import { recordEvent } from '../operations/events.ts';
import type { Acknowledgement } from '../schemas/acknowledgement.ts';

/** Custom event of a contact (specification, section 2). */
export interface RecordEventParams {
  /** Name of the event; not empty. */
  readonly name: string;
  /** Id or email of the contact. */
  readonly identifier: string;
  /** Properties of the event. Finite numbers are sent as text, written out without an exponent. */
  readonly data?: Readonly<Record<string, string | number>> | undefined;
  /**
   * Time of the event: a `Date`, whose milliseconds are dropped, or whole Unix seconds. Milliseconds are refused.
   * @defaultValue the time of the request
   */
  readonly time?: Date | number | undefined;
}

/** Records custom events of contacts (specification, sections 4 and 6). */
export class Events {
  readonly #http: HttpClient;

  /** @internal */
  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Records an event of a contact. Not idempotent: it is never retried after an unknown outcome.
   *
   * @param params - The event.
   * @param options - Options of this call.
   * @returns The service's confirmation.
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
  record(params: RecordEventParams, options?: CallOptions): ApiPromise<Acknowledgement> {
    return this.#http.call(recordEvent, params, options);
  }
}

import type { ApiPromise } from '../http/call/api-promise.ts';
import type { CallOptions } from '../http/options/call-options.ts';
import { type RecordEventParams, recordEvent } from '../operations/events.ts';
import type { Acknowledgement } from '../schemas/acknowledgement.ts';
import { Resource } from './resource.ts';

/** Records custom events of contacts. */
export class Events extends Resource {
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
  record(params: RecordEventParams, options?: CallOptions): ApiPromise<Acknowledgement> {
    return Resource.perform(this, recordEvent, params, options);
  }
}

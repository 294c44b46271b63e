import * as z from 'zod/mini';
import type { ApiPromise } from '../http/call/api-promise.ts';
import type { CallOptions } from '../http/options/call-options.ts';
import { type Acknowledgement, acknowledgement } from '../schemas/acknowledgement.ts';
import { nonEmptyText, params, valueMap } from '../schemas/fields.ts';
import { inputSchema } from '../schemas/input-schema.ts';
import { unixSeconds } from '../schemas/times.ts';
import { operation } from './operation.ts';
import { Resource } from './resource.ts';

/** Custom event of a contact. */
export interface RecordEventParams {
  /** Name of the event; not empty. */
  readonly name: string;
  /** Id or email of the contact. */
  readonly identifier: string;
  /** Properties of the event. Finite numbers are sent as strings without an exponent. */
  readonly data?: Readonly<Record<string, string | number>> | undefined;
  /**
   * Time of the event: a `Date`, whose milliseconds are dropped, or whole Unix seconds. Milliseconds are rejected.
   * @defaultValue the time of the request
   */
  readonly time?: Date | number | undefined;
}

/** `POST /events/custom` (rule 8.1). */
export const recordEvent = /* @__PURE__ */ operation<RecordEventParams, Acknowledgement>('events.record', {
  input: /* @__PURE__ */ inputSchema(() =>
    params({
      name: nonEmptyText(),
      identifier: nonEmptyText('a contact id or an email address'),
      data: z.optional(valueMap()),
      time: z.optional(unixSeconds()),
    }),
  ),
  output: acknowledgement,
});

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

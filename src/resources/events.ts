import type { ApiPromise } from '../core/api-promise.ts';
import type { Caller, Operation } from '../core/operation.ts';
import type { CallOptions } from '../core/options.ts';
import { type Acknowledgement, acknowledgement } from '../schema/acknowledgement.ts';
import { fields, inputOf, optional, someText, textMap } from '../schema/input.ts';
import { unixSeconds } from '../schema/unix-seconds.ts';

/** Something that a contact did (specification, section 2, custom event). */
export interface RecordEventParams {
  /** The event's name. */
  readonly name: string;
  /** Id or email of the contact. */
  readonly identifier: string;
  /** Properties of the event. */
  readonly data?: Readonly<Record<string, string | number>> | undefined;
  /** When it happened: a `Date`, of which the milliseconds are left off, or whole Unix seconds; default now. */
  readonly time?: Date | number | undefined;
}

/** @internal */
export const eventOperations = () => ({
  'events.record': {
    api: 'rest',
    method: 'POST',
    path: '/events/custom',
    repeat: 'never',
    input: inputOf(
      () =>
        fields<RecordEventParams>({
          name: someText(),
          identifier: someText('a contact id or an email address'),
          data: optional(textMap()),
          time: optional(unixSeconds()),
        }),
      ({ time, ...event }) => ({
        ...event,
        time: time instanceof Date ? Math.floor(time.getTime() / 1000) : time,
      }),
    ),
    output: acknowledgement(),
  } satisfies Operation<RecordEventParams, Acknowledgement>,
});

/** Custom events of contacts. */
export class Events {
  readonly #call: Caller<ReturnType<typeof eventOperations>>;

  /** @internal */
  constructor(call: Caller<ReturnType<typeof eventOperations>>) {
    this.#call = call;
  }

  /**
   * Records an event of a contact. It is never sent twice: a failure whose `outcome` is `unknown` is yours to decide.
   *
   * @example
   * ```ts
   * await client.events.record({
   *   name: 'order placed',
   *   identifier: 'ada@example.com',
   *   data: { order: '1042', total: '59.00' },
   *   time: new Date(),
   * });
   * ```
   */
  record(params: RecordEventParams, options?: CallOptions): ApiPromise<Acknowledgement> {
    return this.#call('events.record', params, options);
  }
}

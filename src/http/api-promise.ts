import type { AnyEmailMarketingError } from '../errors.ts';

/** Data with the HTTP response that it came in. */
export interface WithResponse<T> {
  /** Value that the call resolves to. */
  readonly data: T;
  /** Status and headers of the response, without secrets. The body was read to make `data`. */
  readonly response: Response;
}

/** Result of `.safe()`: check `ok`, or `error`, first. */
export type SafeResult<T> =
  | ({ readonly ok: true; readonly error?: undefined } & WithResponse<T>)
  | {
      readonly ok: false;
      /** Error of this library: a `CallAbortedError` when you aborted the call. */
      readonly error: AnyEmailMarketingError;
      readonly data?: undefined;
      readonly response?: undefined;
    };

/**
 * Promise of a call's data, with two more ways to await it.
 *
 * @example
 * ```ts
 * const senders = await client.senders.list();
 * const { data, response } = await client.senders.list().withResponse();
 * const result = await client.senders.list().safe();
 * console.log(senders.length, data.length, response.status, result.ok); // 3 3 200 true
 * ```
 */
export interface ApiPromise<T> extends Promise<T> {
  /** Returns the data and the HTTP response that it came in. Rejects as the call does. */
  withResponse(): Promise<WithResponse<T>>;
  /** Returns `{ ok: true, data, response }` or `{ ok: false, error }`. Never rejects. */
  safe(): Promise<SafeResult<T>>;
}

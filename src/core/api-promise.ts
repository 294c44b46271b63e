import type { EmailMarketingError } from '../errors.ts';

/** Data with the HTTP answer that it came in. */
export interface WithResponse<T> {
  /** What the call resolves to. */
  readonly data: T;
  /** Status and headers of the answer. Its body has been read: it is what `data` was made from. */
  readonly response: Response;
}

/** What `.safe()` resolves to: check `ok` first. */
export type SafeResult<T> =
  | ({ readonly ok: true } & WithResponse<T>)
  | {
      readonly ok: false;
      /** An error of this library, or your own `signal.reason` when you aborted the call. */
      readonly error: EmailMarketingError | Error;
    };

/** What a call ends with. */
export interface CallResult<T> {
  readonly data: T;
  readonly answer: { readonly status: number; readonly headers: () => Headers };
}

/**
 * What every call returns: a promise of the data, with two more ways to await it.
 *
 * @example
 * ```ts
 * const senders = await client.senders.list();
 * const { data, response } = await client.senders.list().withResponse();
 * const result = await client.senders.list().safe();
 * console.log(senders.length, data.length, response.status, result.ok); // 2 2 200 true
 * ```
 */
export class ApiPromise<T> extends Promise<T> {
  #answer: CallResult<T>['answer'] | undefined;

  /** Promises derived from this one are plain ones. */
  static override get [Symbol.species]() {
    return Promise;
  }

  /** @internal */
  static from<T>(result: Promise<CallResult<T>>): ApiPromise<T> {
    const promise: ApiPromise<T> = new ApiPromise<T>((resolve, reject) =>
      result.then(({ data, answer }) => {
        promise.#answer = answer;
        resolve(data);
      }, reject),
    );
    return promise;
  }

  /** Resolves to the data and the HTTP answer it came in. */
  withResponse(): Promise<WithResponse<T>> {
    return this.then(data => {
      const { status = 200, headers } = this.#answer ?? {};
      return { data, response: new Response(null, { status, ...(headers && { headers: headers() }) }) };
    });
  }

  /** Never rejects: resolves to `{ ok: true, data, response }` or to `{ ok: false, error }`. */
  safe(): Promise<SafeResult<T>> {
    return this.withResponse().then(
      result => ({ ok: true, ...result }),
      error => ({ ok: false, error }),
    );
  }
}

import { type AnyEmailMarketingError, CallAbortedError, EmailMarketingError } from '../errors.ts';

/** Data with the HTTP response that contained it. */
export interface WithResponse<T> {
  /** Value that the call returns. */
  readonly data: T;
  /** Status and headers of the response, without secrets. Its body is empty: it has already been read into `data`. */
  readonly response: Response;
}

/** Result of `.safe()`. Check `ok` or `error` first. */
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
 * Promise of a call's data, with two other ways to await it.
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
  /** Returns the data and the HTTP response that contained it. Rejects as the call does. */
  withResponse(): Promise<WithResponse<T>>;
  /** Returns `{ ok: true, data, response }` or `{ ok: false, error }`. Never rejects. */
  safe(): Promise<SafeResult<T>>;
}

/** Result of a call. The headers are a function, because most callers never read them. */
export interface CallResult<T> {
  readonly data: T;
  readonly status: number;
  readonly headers: () => Headers;
}

/**
 * Result of a deletion whose retry found nothing, because an earlier attempt, whose response was lost, deleted the
 * resource.
 */
export const alreadyDeletedResult = (status: number, headers: () => Headers): CallResult<unknown> => ({
  data: { status: 'success', message: '' },
  status,
  headers,
});

/**
 * Implements {@link ApiPromise}. Not exported by the package, because its static methods would create promises without
 * a result.
 */
export class CallPromise<T> extends Promise<T> implements ApiPromise<T> {
  readonly #result: Promise<CallResult<T>>;

  /** Makes `then` return plain promises. */
  static override get [Symbol.species]() {
    return Promise;
  }

  constructor(result: Promise<CallResult<T>>) {
    super((resolve, reject) => {
      // Passing `resolve` and `reject` directly keeps the caller's line in the stack of an error.
      result.then(({ data }) => data, rejectWithReason).then(resolve, reject);
    });
    this.#result = result;
  }

  async withResponse(): Promise<WithResponse<T>> {
    await this;
    return withResponse(await this.#result);
  }

  async safe(): Promise<SafeResult<T>> {
    // Also handles the rejection of this promise.
    this.catch(() => {});
    try {
      return { ok: true, ...withResponse(await this.#result) };
    } catch (error) {
      return { ok: false, error: error as AnyEmailMarketingError };
    }
  }
}

const withResponse = <T>({ data, status, headers }: CallResult<T>): WithResponse<T> => ({
  data,
  response: new Response(null, { status, headers: headers() }),
});

const rejectWithReason = (error: unknown) => Promise.reject(reasonOf(error));

/** Returns the reason of an abort, and any other error unchanged. */
export const reasonOf = (error: unknown): unknown =>
  error instanceof CallAbortedError ? error.cause : error;

/**
 * Appends the caller's line, captured at the start of the call, to a library error's stack, unless it is already there.
 */
export function addCallSite(error: unknown, callSite: Error): void {
  if (!EmailMarketingError.isInstance(error)) return;
  // Capturing a stack is cheap, because its text is made on first read. In V8, its first line is the error itself.
  const frames = String(callSite.stack).replace(/^Error.*\n/, '');
  if (error.stack?.includes(frames) === false) error.stack += `\n${frames}`;
}

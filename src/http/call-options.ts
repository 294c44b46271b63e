/** Options of a single call. Each overrides the client's own. */
export interface CallOptions {
  /** Aborts the call at once, wherever it is. The call rejects with the signal's own `reason`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Time limit of one attempt, head and body together, in milliseconds; `Infinity` for none.
   * @defaultValue 30 000
   */
  readonly timeout?: number | undefined;
  /**
   * Time limit of the whole call in milliseconds: queueing, attempts, waits and body together.
   * @defaultValue no limit
   */
  readonly totalTimeout?: number | undefined;
  /**
   * Maximum retries of a failed attempt, where a retry cannot act twice; 0 turns retries off.
   * @defaultValue 2
   */
  readonly maxRetries?: number | undefined;
  /** Headers to send besides the client's own. The API key is an option of the client. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
}

/** {@link CallOptions} with every default applied. */
export interface ResolvedCallOptions {
  readonly signal: AbortSignal | undefined;
  readonly timeout: number;
  readonly totalTimeout: number;
  readonly maxRetries: number;
  readonly headers: Readonly<Record<string, string>>;
}

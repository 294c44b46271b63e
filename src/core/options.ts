/** Options of a single call; each overrides the client's own. */
export interface CallOptions {
  /** Ends the call at once, wherever it is, and rejects with the signal's own `reason`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds for one attempt, head and body together; `Infinity` for no limit.
   * @defaultValue 30 000
   */
  readonly timeout?: number | undefined;
  /**
   * Milliseconds for the whole call: queueing, attempts, waits and body together.
   * @defaultValue no limit
   */
  readonly totalTimeout?: number | undefined;
  /**
   * How often a failed attempt is made again, where that cannot act twice; 0 turns repeating off.
   * @defaultValue 2
   */
  readonly maxRetries?: number | undefined;
  /** Headers to send besides the client's own. The key is not among them: it is an option of the client. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
}

/** {@link CallOptions} with nothing left open. */
export interface ResolvedOptions {
  readonly signal: AbortSignal | undefined;
  readonly timeout: number;
  readonly totalTimeout: number;
  readonly maxRetries: number;
  readonly headers: Readonly<Record<string, string>>;
}

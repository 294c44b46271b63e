import { anObjectOfHeaders } from './header-options.ts';
import { anAbortSignal, aTimeLimit, aWholeNumber, type OptionRules } from './option-rules.ts';

/** Options of a single call. Each overrides the client's own. */
export interface CallOptions {
  /** Aborts the call at once, in any phase. The call rejects with the signal's own `reason`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Time limit of one attempt, head and body together, in milliseconds; `Infinity` for none. A function that returns
   * the key has as long before it.
   * @defaultValue 30 000
   */
  readonly timeout?: number | undefined;
  /**
   * Time limit of the whole call in milliseconds: queueing, attempts, waits and body together.
   * @defaultValue no limit
   */
  readonly totalTimeout?: number | undefined;
  /**
   * Maximum number of retries. A request is retried only if it cannot act twice; 0 turns retries off.
   * @defaultValue 2
   */
  readonly maxRetries?: number | undefined;
  /** Headers to send in addition to the client's own. Not for the API key, which is an option of the client. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Rules of {@link CallOptions}. */
export const callOptionRules = (): OptionRules<keyof CallOptions> => ({
  signal: anAbortSignal,
  timeout: aTimeLimit(),
  totalTimeout: aTimeLimit(),
  maxRetries: aWholeNumber(0),
  headers: anObjectOfHeaders,
});

/** {@link CallOptions} with every default applied. */
export interface ResolvedCallOptions {
  readonly signal: AbortSignal | undefined;
  readonly timeout: number;
  readonly totalTimeout: number;
  readonly maxRetries: number;
  readonly headers: Readonly<Record<string, string>>;
}

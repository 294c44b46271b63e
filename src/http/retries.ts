/** What a call does to what the service stores, which decides if it may be repeated. */
export interface Effect {
  /** A `read` changes nothing, a `create` makes a record with an id and a name, and a `write` changes anything else. */
  readonly kind: 'read' | 'create' | 'write' | 'delete';
  /**
   * `true`, also by a function of the input, if a second request changes nothing.
   * @defaultValue `true` for a `read` and a `delete`, otherwise `false`
   */
  readonly idempotent?: boolean | ((input: unknown) => boolean);
}

/** Returns `true` if a second request with the same input changes nothing: it is retried after an unknown outcome. */
export function isIdempotent(
  { kind, idempotent = kind === 'read' || kind === 'delete' }: Effect,
  input: unknown,
): boolean {
  return typeof idempotent === 'function' ? idempotent(input) : idempotent;
}

/** What a call asks for. */
export interface Target extends Effect {
  /** Resource and method, such as `tags.create`. */
  readonly name: string;
  readonly method: string;
  /** Path with its parameters not replaced. */
  readonly path: string;
}

/** Upper bound of the random wait before the first retry, in milliseconds; it doubles with each further retry. */
const firstBackoffMs = 500;

/** Upper bound of every wait that the service did not ask for, in milliseconds: a short outage is over by then. */
const maxBackoffMs = 8_000;

/** Longest `Retry-After` that a call waits for, in milliseconds. A longer one is for the caller to plan. */
export const maxRetryAfterMs = 300_000;

/** Share of a `Retry-After` that is added at random at most, so that the retries do not all come at once. */
const retryAfterJitter = 1 / 4;

/**
 * Returns the milliseconds to wait before a retry, the first of which has the number 1: exponential backoff with full
 * jitter, or what the service asked for with some jitter on top.
 */
export function retryDelayMs(retry: number, retryAfterMs: number | undefined): number {
  if (retryAfterMs === undefined)
    return Math.random() * Math.min(maxBackoffMs, firstBackoffMs * 2 ** (retry - 1));
  return retryAfterMs + Math.random() * Math.min(firstBackoffMs, retryAfterMs * retryAfterJitter);
}

const seconds = /^\d+(?:\.\d+)?$/;

/** The date of HTTP, or with another zone. `Date.parse` by itself accepts nearly any text. */
const httpDate = /^[A-Z][a-z]{2}, [\w ]+ \d\d:\d\d:\d\d (?:GMT|UTC|[+-]\d{4})$/;

/** Returns the milliseconds since 1970 of an HTTP date; `NaN` for any other text. */
const parseHttpDate = (text: string): number => (httpDate.test(text) ? Date.parse(text) : Number.NaN);

/** Returns the milliseconds that `Retry-After` asks for, from seconds or an HTTP date; `undefined` without them. */
export function requestedWaitMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? '';
  // A gateway can repeat the header. Both lines count if they agree.
  const first = value.slice(0, (value.length - 2) / 2);
  const text = value === `${first}, ${first}` ? first : value;
  if (seconds.test(text)) return Number(text) * 1000;
  // The clock of the service can differ from that of this machine.
  const now = parseHttpDate(headers.get('date') ?? '') || Date.now();
  const date = parseHttpDate(text);
  return date >= 0 ? Math.max(0, date - now) : undefined;
}

/** Retries that each kind of failure has at the start, and at most: a short outage passes without a failed call. */
const maxRetries = 100;

/**
 * Number of successes that pay for so many retries: ten for each after a failure, which can leave work behind at the
 * service; one after a 503 with `Retry-After`, which costs the service little. A 429 costs nothing: the service is alive.
 */
const most = { failure: 10 * maxRetries, wait: maxRetries };

/**
 * A retry budget that all calls of a client share, so that retries do not multiply an outage. `calls` calls that all
 * fail make at most `calls` + 100 requests. In the long run retries come to at most a tenth of the calls that succeed,
 * and after a 503 with `Retry-After` to at most as many as succeed. Retries after a 429 are bounded by `maxRetries` alone.
 */
export class RetryBudget {
  /** Counted in successes, so that no fraction is rounded away. */
  readonly #left = { ...most };

  /** Takes one retry. Returns `false` if none is left: the call then fails with the error of its last attempt. */
  take(kind: keyof typeof most): boolean {
    const cost = most[kind] / maxRetries;
    if (this.#left[kind] < cost) return false;
    this.#left[kind] -= cost;
    return true;
  }

  /** Records that a call succeeded. */
  earn(): void {
    for (const kind of ['failure', 'wait'] as const)
      this.#left[kind] = Math.min(most[kind], this.#left[kind] + 1);
  }
}

import { ConnectionError, type TimeoutPhase } from '../errors.ts';
import type { Failure } from '../http/response/failure.ts';
import { withTimeout } from '../http/timers.ts';
import type { FetchFunction } from '../http/transport/fetch-transport.ts';
import type { Transport } from '../http/transport/transport.ts';
import { isRetry, retryHeader } from '../protocol.ts';

/** Sends requests by the `fetch` of the browser, or by one that was given. */
export const browserTransport =
  (baseUrl: string, given: FetchFunction | undefined): Transport =>
  ({ path, method, headers, body }, attempt) => {
    attempt.begin([]);
    return withTimeout(Math.min(attempt.timeoutMs, attempt.totalTimeoutMs), attempt.signal, async signal => {
      const fetch = given ?? (globalThis.fetch as FetchFunction);
      // The handler performs a retried call once, and knows which operations are idempotent.
      const response = await fetch(baseUrl + path, {
        method,
        headers: { ...headers, ...(attempt.mayHaveActed && { [retryHeader]: isRetry }) },
        ...(body !== undefined && { body }),
        signal,
        redirect: 'manual',
      });
      attempt.phase = 'body';
      const text = await response.text();
      return { status: response.status, text, headers: () => new Headers(response.headers as Headers) };
    });
  };

/** No whole response came. Browsers do not tell why. */
export const browserFailure = (_error: unknown, phase: TimeoutPhase): Failure => ({
  ok: false,
  outcome: 'unknown',
  reason: 'network failure',
  transient: true,
  message: host =>
    phase === 'body'
      ? `the connection to ${host} closed before the whole response came`
      : `${host} could not be reached, as far as the page can know`,
  advice:
    phase === 'body'
      ? undefined
      : 'Check the network, and that the server allows requests from this page (CORS).',
  toError: (message, details) => new ConnectionError(message, details),
});

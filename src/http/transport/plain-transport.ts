import { withTimeout } from '../timers.ts';
import type { FetchAdapter, Transport } from './transport.ts';

/** Returns a transport for browsers, where each kilobyte counts: a time limit, without ky. */
export const plainTransport =
  (baseUrl: string, fetch: FetchAdapter): Transport =>
  ({ path, method, headers, body = null }, attempt) => {
    attempt.begin([]);
    return withTimeout(Math.min(attempt.timeoutMs, attempt.totalTimeoutMs), attempt.signal, signal =>
      fetch(new Request(baseUrl + path, { method, headers, body, signal }), attempt),
    );
  };

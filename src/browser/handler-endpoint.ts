import { ConfigurationError } from '../errors.ts';
import type { Endpoint } from '../http/call/context.ts';
import { noResponseFailure, notSentFailure } from '../http/response/failure.ts';
import { withTimeout } from '../http/timers.ts';
import type { FetchFunction } from '../http/transport/fetch-transport.ts';
import { jsonType, type Transport } from '../http/transport/transport.ts';
import { callIdHeader, isRetry, makeCallId, retryHeader } from '../protocol.ts';
import { readProxyResponse } from './read-response.ts';

/** Returns the endpoint of a handler: each attempt of a call is one POST with the id of that call. */
export const handlerEndpoint = (url: URL, fetch: FetchFunction | undefined): Endpoint => ({
  url,
  performsOnce: true,
  encode: ({ name }, input) => ({
    // The query of the handler's address can hold a token.
    path: '',
    query: '',
    body: JSON.stringify({ operation: name, input }),
    headers: { [callIdHeader]: makeCallId() },
  }),
  send: fetchTransport(url, fetch),
  read: readProxyResponse,
  failureOf: (error, phase) =>
    phase === 'queue' ? notSentFailure(error) : noResponseFailure(url.host, phase),
});

/** Returns a transport over a `fetch`. The global one is looked up at each request. */
const fetchTransport =
  (url: URL, fetchOption: FetchFunction | undefined): Transport =>
  ({ method, headers, body }, attempt) =>
    withTimeout(Math.min(attempt.timeoutMs, attempt.totalTimeoutMs), attempt.signal, async signal => {
      const fetch: FetchFunction | undefined = fetchOption ?? globalThis.fetch;
      if (!fetch) throw new ConfigurationError('this runtime has no fetch: pass the option fetch.');
      attempt.begin();
      const response = await fetch(url.href, {
        method,
        headers: { ...headers, ...jsonType, ...(attempt.mayHaveActed && { [retryHeader]: isRetry }) },
        body: body ?? '',
        signal,
        redirect: 'manual',
      });
      attempt.phase = 'body';
      const text = await response.text();
      return { status: response.status, text, headers: () => new Headers(response.headers as Headers) };
    });

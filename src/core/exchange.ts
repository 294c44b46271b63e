import type { TimeoutPhase } from '../errors.ts';
import { type Fault, invalidAnswer } from './fault.ts';
import type { Fetch, HttpAnswer, HttpRequest } from './http.ts';
import { networkFault } from './network-fault.ts';
import { readText } from './read-text.ts';

/** How far an exchange has come; written as it goes, so that a limit that strikes can tell the phase. */
export interface Progress {
  phase: TimeoutPhase;
}

/**
 * Sends one request and reads its answer to the end, at most `maxBytes` of it. Redirects are not followed: a key header
 * would travel along. Rejects with a `Fault`, or with the signal's own reason.
 */
export type Exchange = (
  request: HttpRequest,
  maxBytes: number,
  signal: AbortSignal,
  progress: Progress,
) => Promise<HttpAnswer>;

/** Sends through a `fetch`. */
export const overFetch =
  (fetch: Fetch): Exchange =>
  async ({ url, method, headers, body }, maxBytes, signal, progress) => {
    try {
      const response = await fetch(url, { method, headers, body: body ?? null, signal, redirect: 'manual' });
      progress.phase = 'body';
      const text = await readBody(response, maxBytes);
      return { status: response.status, headers: response.headers, text };
    } catch (error) {
      throw signal.aborted ? signal.reason : networkFault(error, progress.phase);
    }
  };

/** Makes the fault of an answer larger than is read. */
export type TooLarge = (status: number, maxBytes: number) => Fault;

/** Finds a cheaper way beneath the global `fetch`, and keeps to `byFetch` where there is none. */
export type Beneath = (byFetch: Exchange, tooLarge: TooLarge) => Exchange;

/** Sends through the given `fetch`; without one, beneath the global `fetch` or through it, as it is at each request. */
export const exchangeOver = (fetch: Fetch | undefined, beneath: Beneath): Exchange =>
  fetch
    ? overFetch(fetch)
    : beneath(
        overFetch((url, init) => globalThis.fetch(url, init)),
        tooLarge,
      );

/** Reads an answer's body, and throws as soon as it is known to be larger than `maxBytes`. */
async function readBody(response: Response, maxBytes: number): Promise<string> {
  const length = Number(response.headers.get('content-length'));
  if (length > maxBytes) {
    await response.body?.cancel();
    throw tooLarge(response.status, maxBytes);
  }
  // With a plain body of a stated length, the HTTP layer itself holds the sender to it.
  if (!response.body || (length > 0 && !response.headers.has('content-encoding'))) return response.text();
  const text = await readText(response.body, maxBytes);
  if (text === undefined) throw tooLarge(response.status, maxBytes);
  return text;
}

/** The fault of an answer larger than is read. */
const tooLarge: TooLarge = (status, maxBytes) =>
  invalidAnswer('unknown', status, [
    { path: '', expected: `at most ${maxBytes} bytes (maxResponseBytes)`, received: 'more' },
  ]);

import type { TimeoutPhase } from '../errors.ts';
import { type Fault, invalidAnswer } from './fault.ts';
import type { Fetch, HttpAnswer, HttpRequest } from './http.ts';
import { networkFault } from './network-fault.ts';

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
      const text = await readText(response, maxBytes);
      return { status: response.status, headers: response.headers, text };
    } catch (error) {
      throw signal.aborted ? signal.reason : networkFault(error, progress.phase);
    }
  };

/** Reads a body, and stops as soon as it is known to be larger than `maxBytes`. */
async function readText(response: Response, maxBytes: number): Promise<string> {
  const length = Number(response.headers.get('content-length'));
  if (length > maxBytes) {
    await response.body?.cancel();
    throw tooLarge(response.status, maxBytes);
  }
  // With a plain body of a stated length, the HTTP layer itself holds the sender to it.
  if (!response.body || (length > 0 && !response.headers.has('content-encoding'))) return response.text();
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    bytes += chunk.value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      throw tooLarge(response.status, maxBytes);
    }
    text += decoder.decode(chunk.value, { stream: true });
  }
  return text + decoder.decode();
}

/** The fault of an answer larger than is read. */
export const tooLarge = (status: number, maxBytes: number): Fault =>
  invalidAnswer('unknown', status, [
    { path: '', expected: `at most ${maxBytes} bytes (maxResponseBytes)`, received: 'more' },
  ]);

import ky, { isTimeoutError } from 'ky';
import { timedOut } from './cancel.ts';
import type { Exchange } from './exchange.ts';
import type { HttpAnswer, HttpRequest, Send } from './http.ts';
import { makeSend } from './send.ts';

/**
 * Sends through ky, which keeps the attempt's time limit over head and body. Headers and body are kept out of ky's
 * own `Request`, so that nothing secret can be in an error of ky's. What is repeated and when is decided above.
 */
export const sendWithKy = (exchange: Exchange): Send => makeSend(exchange, limitWithKy);

async function limitWithKy(request: HttpRequest, timeoutMs: number, run: () => Promise<HttpAnswer>) {
  try {
    return (await ky(request.url, {
      method: request.method,
      // ky hands on what is no Response as it is.
      fetch: run as unknown as typeof globalThis.fetch,
      timeout: timeoutMs === Number.POSITIVE_INFINITY ? false : timeoutMs,
      retry: 0,
      throwHttpErrors: false,
    })) as unknown as HttpAnswer;
  } catch (error) {
    throw isTimeoutError(error) ? timedOut : error;
  }
}

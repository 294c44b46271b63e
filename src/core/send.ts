import { follow, timedOut } from './cancel.ts';
import type { Exchange, Progress } from './exchange.ts';
import { timeoutFault } from './fault.ts';
import type { HttpAnswer, HttpRequest, Send } from './http.ts';
import { networkFault } from './network-fault.ts';

/** Runs an exchange under a time limit; rejects with `timedOut` when it runs out. */
export type Limiter = (
  request: HttpRequest,
  timeoutMs: number,
  run: () => Promise<HttpAnswer>,
) => Promise<HttpAnswer>;

/** Makes a `Send` of an exchange and of something that limits its time. */
export function makeSend(exchange: Exchange, limit: Limiter): Send {
  return async (request, { timeoutMs, limit: option, maxBytes, signal }) => {
    const controller = new AbortController();
    const progress: Progress = { phase: 'head' };
    const run = () => exchange(request, maxBytes, controller.signal, progress);
    const link = signal && follow(signal, controller);
    try {
      const attempt = limit(request, timeoutMs, run);
      return await (link ? Promise.race([attempt, link.aborted]) : attempt);
    } catch (error) {
      controller.abort();
      if (signal?.aborted) throw signal.reason;
      if (error === timedOut) throw timeoutFault(option, progress.phase, 'unknown');
      throw networkFault(error, progress.phase);
    } finally {
      link?.release();
    }
  };
}

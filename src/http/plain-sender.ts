import type { Transport } from './http-response.ts';
import type { AttemptSender } from './send.ts';
import { withTimeout } from './timers.ts';

/** Returns a sender for a page, where each kilobyte counts: a request and a time limit, without ky. */
export const sendPlainly =
  (baseUrl: string, transport: Transport): AttemptSender =>
  ({ path, method, headers, body = null }, context) =>
    withTimeout(context.timeoutMs, context.signal, linked =>
      transport(new Request(baseUrl + path, { method, headers, body, signal: linked }), context),
    );

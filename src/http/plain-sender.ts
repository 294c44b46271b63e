import type { Transport } from './http-response.ts';
import type { AttemptSender } from './send.ts';
import { withTimeout } from './timers.ts';

/** Returns a sender for a page, where each kilobyte counts, and for where there is no `Request`: a time limit, without ky. */
export const sendPlainly =
  (baseUrl: string, transport: Transport): AttemptSender =>
  ({ path, method, headers, body = null }, context) =>
    withTimeout(context.timeoutMs, context.signal, signal =>
      transport(
        {
          url: baseUrl + path,
          method,
          headers: new Headers(headers),
          signal,
          body,
          text: async () => body ?? '',
        },
        context,
      ),
    );

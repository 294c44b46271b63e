import { ConnectionError } from '../../errors.ts';
import type { Failure } from '../failure.ts';

/**
 * What a `fetch` did wrong, as opposed to a failure of the network: `cause` is what it threw. Never leaves the library.
 */
export class FetchMistake extends Error {
  constructor(cause: unknown) {
    super('', { cause });
  }
}

/** Returns the failure of an attempt whose `fetch` made a mistake. `cause` is a copy of what it threw. */
export const mistakeFailure = (cause: unknown): Failure => ({
  ok: false,
  outcome: 'unknown',
  reason: 'FUNCTION_FAILED',
  transient: false,
  message: () =>
    'fetch threw what is no failure of the network, or returned no response that can be read (see cause)',
  toError: (message, details) => new ConnectionError(message, { ...details, code: 'FUNCTION_FAILED', cause }),
});

/** Names of the errors of runtimes, of node-fetch and of make-fetch-happen. */
const networkNames = ['AbortError', 'TimeoutError', 'NetworkError', 'FetchError', 'NotCapable'];

/** Codes of Node, undici, Bun, axios and others, of connections, of TLS, and of what is no HTTP. */
const networkCodes =
  /^(?:E(?:AI_|CONN|NOTFOUND|HOST|NET|PIPE|ADDR|PROTO|[MN]FILE|(?:SOCKET)?TIMEDOUT)|UND_(?!ERR_INVALID|ERR_NOT_SUPPORTED)|HPE_|Z_|ERR_(?:SSL|TLS|HTTP2?_|NETWORK|ACCESS_DENIED|STREAM_PREMATURE)|Connection|FailedToOpenSocket|Timeout|UNABLE_TO_)|CERT|HTTP_?Response/;

/** Texts of errors without a code: of undici, browsers, React Native, Deno, workerd and Electron. */
const networkTexts =
  /^(?:fetch failed|failed to fetch|load failed|terminated$|cancell?ed$|(?:a |an |the )?(?:network|internet|connection|server with|request timed|certificate|ssl error|operation (?:was aborted|timed))|error (?:sending|reading|decoding|in)|could not connect|unable to connect|socket hang up|premature close|net::)/i;

const maxCauses = 5;

/** Returns `true` for a failure of the network, as each known `fetch` reports one: by its class, its code or its text. */
export function isOfNetwork(error: unknown): boolean {
  const { status, statusCode, response } = Object(error);
  // A wrapper can throw a response, with the code of what failed behind the service.
  if (status || statusCode || response) return false;
  let link = Object(error);
  for (let depth = 0; depth < maxCauses && link; depth++) {
    const { name, code, message = link } = link;
    if (networkNames.includes(name) || networkTexts.test(message)) return true;
    if (typeof code === 'string' && networkCodes.test(code)) return true;
    link = link.cause ?? link.errors?.[0];
  }
  return false;
}

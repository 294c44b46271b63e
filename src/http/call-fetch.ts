import type { Call } from './call.ts';
import { fetchMistake, isOf } from './failure.ts';

/** Names of the errors of runtimes, of node-fetch and of make-fetch-happen. */
const networkNames = ['AbortError', 'TimeoutError', 'NetworkError', 'FetchError', 'NotCapable'];

/** Codes of Node, undici, Bun, axios and others, of connections, of TLS, and of what is no HTTP. */
const networkCodes =
  /^(?:E(?:AI_|CONN|NOTFOUND|HOST|NET|PIPE|ADDR|PROTO|[MN]FILE|(?:SOCKET)?TIMEDOUT)|UND_(?!ERR_INVALID|ERR_NOT_SUPPORTED)|HPE_|Z_|ERR_(?:SSL|TLS|HTTP2?_|_ERROR_FORMAT|NETWORK|ACCESS_DENIED|STREAM_PREMATURE)|Connection|FailedToOpenSocket|Timeout|UNABLE_TO_)|CERT|HTTP_?Response/;

/** Texts of errors without a code: of undici, browsers, React Native, Deno, workerd and Electron. */
const networkTexts =
  /^(?:fetch failed|failed to fetch|load failed|terminated$|cancell?ed$|(?:a |an |the )?(?:network|internet|connection|server with|request timed|certificate|ssl error|operation (?:was aborted|timed))|error (?:sending|reading|decoding|in)|request or response body error|could not connect|unable to connect|socket hang up|premature close|net::)/i;

const maxCauses = 5;

type LinkMember =
  | ('code' | 'errno' | 'syscall' | 'erroredSysCall' | 'address' | 'port' | 'hostname' | 'name' | 'message')
  | ('status' | 'statusCode' | 'response' | 'cause' | 'wasSent');

/** An error in a chain of causes, which any library can have made. */
export type Link = { readonly [Member in LinkMember]?: unknown } & { readonly errors?: readonly unknown[] };

/** Returns an error, its causes and, of an aggregate, the first of its parts. */
export function causes(error: unknown): readonly Link[] {
  const links: Link[] = [];
  for (let next = error; typeof next === 'object' && next !== null && links.length < maxCauses; ) {
    const link: Link = next;
    links.push(link);
    next = link.cause ?? link.errors?.[0];
  }
  return links;
}

/** Returns `true` for an error that holds a response, as wrappers throw it: its code can be of what failed behind the service. */
export const hasResponse = ({ status, statusCode, response }: Link): boolean =>
  Boolean(status || statusCode || response);

/** Returns `true` for a failure of the network, as each known `fetch` reports one: by its class, its code or its text. */
function isOfNetwork(error: unknown): boolean {
  // Some throw a text.
  const links = causes(Object(error));
  return (
    !links.slice(0, 1).some(hasResponse) &&
    links.some(
      ({ name, code, message = error }) =>
        networkNames.includes(String(name)) ||
        networkTexts.test(String(message)) ||
        (typeof code === 'string' && networkCodes.test(code)),
    )
  );
}

/** Reads the body of what a `fetch` returned as text. Throws as {@link callFetch} does. */
export async function readText(
  call: Call,
  read: () => Promise<string>,
  isGiven: boolean,
  signal: AbortSignal,
): Promise<string> {
  try {
    const text = await read();
    if (typeof text === 'string') return text;
  } catch (error) {
    throw thrownByFetch(call, error, isGiven, signal);
  }
  throw fetchMistake(call, new TypeError('text() returned no text'));
}

/** Returns what a `fetch` threw: of one that the user has given, what is no failure of the network is a mistake. */
function thrownByFetch(call: Call, error: unknown, isGiven: boolean, signal: AbortSignal): unknown {
  const isMistake = isGiven && !signal.aborted && !isOf(call, error) && !holds(() => isOfNetwork(error));
  return isMistake ? fetchMistake(call, error) : error;
}

/** The part of a response of any `fetch` that says if it can be read. */
interface ReadableResponse {
  readonly status: number;
  readonly headers: unknown;
  readonly body?: unknown;
  readonly bodyUsed?: boolean;
  readonly text: unknown;
}

/**
 * Calls a `fetch`. Throws the error of the call if it returns no response that can be read or, one that the user has given,
 * if it throws what is no failure of the network.
 */
export async function callFetch<Init extends { readonly signal: AbortSignal }, R extends ReadableResponse>(
  call: Call,
  fetch: (url: string, init: Init) => Promise<R>,
  isGiven: boolean,
  url: string,
  init: Init,
): Promise<R> {
  let response: R;
  try {
    response = await fetch(url, init);
  } catch (error) {
    throw thrownByFetch(call, error, isGiven, init.signal);
  }
  if (
    !holds(
      () =>
        Number.isInteger(response.status) &&
        typeof response.text === 'function' &&
        'get' in Object(response.headers),
    )
  )
    throw fetchMistake(call, new TypeError('fetch returned no response'));
  if (response.bodyUsed || Object(response.body).locked)
    throw fetchMistake(call, new TypeError('the body of the response was read before'));
  return response;
}

/** Returns the result of a test of a value of the user's; `false` if the value cannot be read. */
function holds(test: () => boolean): boolean {
  try {
    return test();
  } catch {
    return false;
  }
}

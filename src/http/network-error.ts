import { isPlainObject } from '../core/json.ts';
import type { EmailMarketingError } from '../errors.ts';
import { causes, hasResponse, type Link } from './call-fetch.ts';
import {
  addressOf,
  connectionFailed,
  type FailedCall,
  isNotSent,
  noReason,
  noWholeResponse,
} from './failure.ts';

/**
 * Codes by which Node, undici and Bun report that nothing was sent, and words of texts without such a code, most of Deno,
 * with advice on what to check: the connection refused, the name not resolved, a failed TLS handshake, no socket, a
 * permission that is missing, no route, or a proxy that refuses to connect. workerd reports neither. Codes that an open
 * connection can end with too count only after the system call that connects. Bun says of any error of TLS that the
 * handshake failed, even after the request.
 */
const notSentReasons: readonly (readonly [reason: RegExp, advice: string])[] = [
  [
    /ECONNREFUSED|ConnectionRefused|connection refused/i,
    'Check the base URL, and that a server listens there.',
  ],
  [
    /WRONG_VERSION_NUMBER|SSL_HTTP_REQUEST|PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS_AVAILABLE|NO_APPLICATION_PROTOCOL/i,
    'Check https:// and the port of the base URL: what listens there does not speak TLS, or another version of it or of HTTP.',
  ],
  [
    /CERT_|_CERT|certificate|UNABLE_TO_|UNKNOWN_CA|UNRECOGNIZED_NAME|HANDSHAKE_FAILURE/i,
    'Check the certificate of the server, or of a proxy in between, and NODE_EXTRA_CA_CERTS.',
  ],
  [
    /(?:connect|getaddrinfo) E[MN]FILE/,
    'Too many files or sockets are open: bound the calls with the option throttle.',
  ],
  [
    /ERR_ACCESS_DENIED|NotCapable|UND_MOCK_ERR_MOCK_NOT_MATCHED/,
    'Allow this request here, or pass the option fetch.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|EAI_FAIL|EAI_NONAME|connect (?:EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT)|bind EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|UND_ERR_PRX|FailedToOpenSocket|client error \(Connect\)|are blocked|bad port|HTTP Tunneling/,
    'Check the base URL, the network, and any proxy in between (HTTPS_PROXY).',
  ],
];

/**
 * Turns an error of the network into that of the call, which holds none of it but a code. Messages can repeat the URL,
 * whose text says nothing about the failure.
 */
export function networkError(call: FailedCall, error: unknown): EmailMarketingError {
  const { url, settings, phase } = call;
  const isUnsent = isNotSent(phase);
  const links = causes(error);
  const code = links.map(link => link.code).find(isCode);
  const text = links.map(link => textOf(link, url)).join('\n');
  // An open connection can end with the very codes of one that was never made, and a `fetch` can throw a response, with
  // the code of what failed behind the service.
  const wasSent =
    phase === 'body' ||
    !links.some(isOfRuntime) ||
    links.some(link => link.wasSent || hasResponse(link) || isPlainObject(link)) ||
    // A runtime's `fetch` reports another code if an open connection ends with a TLS alert; node-fetch does not.
    (text.includes('ERR_SSL_') && !links.some(({ name }) => name === 'TypeError'));
  const [reason, advice] = ((isUnsent || !wasSent) && notSentReasons.find(([each]) => each.test(text))) || [];
  const known = code ?? reason?.exec(text)?.[0] ?? links.map(({ name }) => name).find(isOfSignal);
  const shownCode = known === undefined ? undefined : settings.redact(String(known));
  if (!isUnsent && !advice) return broken(call, shownCode);
  // Node says what it tried: another host or port than that of the URL is that of a proxy, or of a `fetch` that goes elsewhere.
  const tried = String(
    links.map(({ hostname, address, port }) => hostname ?? (port && `${address}:${port}`)).find(Boolean) ??
      '',
  );
  const proxy = !addressOf(url).includes(tried.replace(/^.*:/, ':')) && settings.redact(tried);
  const happened = `no connection to ${addressOf(url)}${proxy ? ` by way of ${proxy}` : ''} (${shownCode ?? noReason})`;
  return connectionFailed(call, happened, { outcome: 'not-sent', code: shownCode, advice });
}

/** Creates the error of a response that came and is no HTTP, or cannot be decoded; or of a connection that closed. */
function broken(call: FailedCall, code: string | undefined): EmailMarketingError {
  const [, text] = brokenResponses.find(([each]) => each.test(code ?? '')) ?? [];
  if (!text) return noWholeResponse(call, code);
  const happened = `the response of ${addressOf(call.url)} ${text} (${code})`;
  return connectionFailed(call, happened, { outcome: 'unknown', code });
}

const brokenResponses: readonly (readonly [code: RegExp, text: string])[] = [
  [/^HPE_/, 'is not HTTP'],
  [/^Z_(?!BUF)|ERROR_FORMAT/, 'cannot be decoded'],
  [/^UND_ERR_(?:REQ_RETRY|RESPONSE)$/, 'was hidden by an interceptor of undici'],
];

/** Returns `true` for the names of what a signal of a given `fetch` ended. */
const isOfSignal = (name: unknown): boolean => name === 'AbortError' || name === 'TimeoutError';

/** Returns `false` for the numbers that a `DOMException` has as codes. */
const isCode = (code: unknown): boolean => typeof code === 'string' && /^\w{1,60}$/.test(code);

/**
 * Returns `true` for what only a runtime makes: the `TypeError` of each `fetch`, and errors of the system. Others can have
 * taken their code from a response.
 */
const isOfRuntime = ({ name, syscall, errno }: Link): boolean =>
  ['TypeError', 'NotCapable'].includes(String(name)) || (syscall ?? errno) !== undefined;

/** Returns the system call that failed, which node-fetch 3 names otherwise and node-fetch 2 leaves out. */
const syscallOf = ({ syscall, erroredSysCall }: Link): unknown => syscall ?? erroredSysCall;

/**
 * Returns what a runtime or undici says of an error: its code, or a text that has none. Any other text can be that of a
 * response, which a given `fetch` threw.
 */
function textOf(link: Link, url: URL): string {
  const { code, name, message } = link;
  const text = String(message);
  const ofDeno = `error sending request for url (${url.href}`;
  const isOwnText =
    text.startsWith(ofDeno) ||
    text === `Fetch failed: Requests to port ${url.port} are blocked` ||
    text === 'bad port' ||
    (code === 'UND_ERR_ABORTED' && text.endsWith(' when HTTP Tunneling'));
  // The path and the query follow, without white space.
  const words = isOwnText && text.replace(/^[^(]*\(\S*/, '');
  return [isCode(code) && `${syscallOf(link)} ${code}`, name === 'NotCapable' && name, words].join();
}

import { isCode, NetworkError } from './network-error.ts';

/**
 * Codes with which Node, undici and Bun report that nothing was sent (connection refused, name not resolved,
 * certificate not trusted), and Deno's message for a failed connection. Codes that can also end an open connection
 * count only with the system call `connect`. Used only for errors of a `fetch`.
 */
const notSent =
  /ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_|UND_ERR_CONNECT_TIMEOUT|CERT_|_CERT|UNABLE_TO_|connect (?:EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)|client error \(Connect\)/;

const maxCauses = 5;

interface ErrorLink {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
}

function causesOf(error: unknown): readonly ErrorLink[] {
  const links: ErrorLink[] = [];
  for (let next = error; typeof next === 'object' && next !== null && links.length < maxCauses; ) {
    const link: ErrorLink = next;
    links.push(link);
    next = link.cause ?? link.errors?.[0];
  }
  return links;
}

/**
 * Converts an error of undici, or of the built-in `fetch` of Node, Deno or Bun. If `wasSent` is `undefined`, the codes
 * decide whether anything was sent.
 */
export function nodeErrorOf(thrown: unknown, url: string, wasSent: boolean | undefined): NetworkError {
  const links = causesOf(thrown);
  const text = links.map(link => `${link.syscall} ${link.code}${denoMessage(link, url)}`).join('\n');
  const code = links.map(link => link.code).find(isCode);
  if (wasSent ?? !notSent.test(text)) return new NetworkError({ code });
  // undici reports the status only in its message. If the request may have been sent, a response could contain the same
  // words.
  const proxyStatus = wasSent === false ? links.map(proxyStatusOf).find(Boolean) : undefined;
  return proxyStatus
    ? new NetworkError({ code, wasSent: false, ...proxyRejection(proxyStatus) })
    : new NetworkError({ code, wasSent: false, ...connectionFailure(text, new URL(url)) });
}

/** What to do about a failed connection, and whether it fails until something is fixed. */
type Remedy = Pick<NetworkError, 'advice' | 'isLasting'>;

/** Codes, and Deno's messages, of connections that fail until something is fixed. The first match counts. */
const lastingFailures: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/CERT_HAS_EXPIRED/, 'The certificate of the server has expired.'],
  [/ALTNAME/, 'The certificate of the server is for another host name. Check the base URL.'],
  [
    /CERT|UNABLE_TO_/i,
    'The certificate of the server is not trusted. If a proxy on your network replaces certificates, set NODE_EXTRA_CA_CERTS to its certificate.',
  ],
  [
    /TLSV1_ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/,
    'The server supports no TLS version that is enabled here.',
  ],
  [/WRONG_VERSION_NUMBER/, 'The server does not use TLS on this port.'],
];

function connectionFailure(text: string, { hostname }: URL): Remedy {
  const advice = lastingFailures.find(([pattern]) => pattern.test(text))?.[1];
  if (advice === undefined)
    return { advice: 'Check the base URL, the network, and any proxy in between.', isLasting: false };
  // Only a server on this machine may be used without TLS.
  const isLocal = /^(?:localhost|127\..*|\[::1\])$/.test(hostname);
  const hint = isLocal ? ' Use http: in the base URL.' : ' Check the port in the base URL.';
  return { advice: advice.endsWith('port.') ? advice + hint : advice, isLasting: true };
}

const proxyStatusOf = ({ message }: ErrorLink): number =>
  Number(/^Proxy response \((\d{3})\)/.exec(String(message))?.[1]);

/** A proxy that rejects a tunnel with a 4xx does so until its rules or the credentials change. */
const proxyRejection = (status: number) => ({
  reason: `proxy responded with ${status}`,
  advice:
    status === 407
      ? 'Add a user name and password to the proxy URL.'
      : status < 500
        ? 'The proxy must allow connections to this host.'
        : undefined,
  isLasting: status < 500,
});

/** Returns Deno's message about a request, from after its URL. Other messages could quote a response. */
const denoMessage = ({ message }: ErrorLink, url: string): string =>
  String(message).startsWith(`error sending request for url (${url}`)
    ? String(message).replace(/^[^(]*\(\S*/, '')
    : '';

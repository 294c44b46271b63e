import { isCode, NetworkError } from './network-error.ts';

/**
 * Codes by which Node, undici and Bun report that nothing was sent: the connection refused, the name not resolved, or a
 * certificate that is not trusted; and Deno's word for a connection that it did not make. Codes that an open connection can
 * end with too count only after the system call that connects.
 */
const notSent =
  /ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_|UND_ERR_CONNECT_TIMEOUT|CERT_|_CERT|UNABLE_TO_|connect (?:EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)|client error \(Connect\)/;

const certificateCode = /CERT|^UNABLE_TO_/;

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

/** Reads what the own `fetch` of Node, Deno or Bun threw, or undici, of a request to `url` that `mayBeSent`. */
export function nodeErrorOf(thrown: unknown, url: string, mayBeSent: boolean): NetworkError {
  const links = causesOf(thrown);
  const text = links.map(link => `${link.syscall} ${link.code}${ofDeno(link, url)}`).join('\n');
  const code = links.map(link => link.code).find(isCode);
  if (mayBeSent || !notSent.test(text)) return new NetworkError({ code });
  const advice = certificateCode.test(String(code))
    ? 'The certificate is not trusted: if a proxy in between has its own, pass it by NODE_EXTRA_CA_CERTS.'
    : 'Check the base URL, the network, and any proxy in between.';
  return new NetworkError({ code, wasSent: false, advice });
}

/** Returns what Deno says of a request to this URL, after the URL itself: any other text can be that of a response. */
const ofDeno = ({ message }: ErrorLink, url: string): string =>
  String(message).startsWith(`error sending request for url (${url}`)
    ? String(message).replace(/^[^(]*\(\S*/, '')
    : '';

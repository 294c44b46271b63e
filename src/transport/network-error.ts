import type { Ended } from '../call/attempt.ts';
import {
  addressOf,
  connectionFailed,
  type Described,
  type Failure,
  noReason,
  noWholeResponse,
} from '../call/failure.ts';
import { isPlainObject } from '../core/json.ts';

/**
 * Codes by which Node, undici and Bun report that nothing was sent: the connection refused, the name not resolved, or a
 * certificate that is not trusted; and Deno's word for a connection that it did not make. Codes that an open connection can
 * end with too count only after the system call that connects.
 */
const notSent =
  /ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_|UND_ERR_CONNECT_TIMEOUT|CERT_|_CERT|UNABLE_TO_|connect (?:EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)|client error \(Connect\)/;

const maxCauses = 5;

/** An error in a chain of causes, which any library can have made. */
interface Link {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly name?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
  readonly errno?: unknown;
  readonly status?: unknown;
  readonly response?: unknown;
  /** Of what a dispatcher that retries throws: the body was read before. */
  readonly wasSent?: boolean | undefined;
}

/** Returns an error, its causes and, of an aggregate, the first of its parts. */
function causes(error: unknown): readonly Link[] {
  const links: Link[] = [];
  for (let next = error; typeof next === 'object' && next !== null && links.length < maxCauses; ) {
    const link: Link = next;
    links.push(link);
    next = link.cause ?? link.errors?.[0];
  }
  return links;
}

/**
 * Says what an error of the network means, of which only a code is kept, and a given `cause`. Only what a
 * runtime makes says that nothing was sent: a `fetch` of the user can throw a response, with a code of what failed behind it.
 */
export function networkFailure(
  call: Described,
  { phase, thrown }: Pick<Ended, 'phase' | 'thrown'>,
  cause?: unknown,
): Failure {
  const { url } = call;
  const links = causes(thrown);
  const found = links.map(link => link.code).find(isCode);
  const code = found === undefined ? undefined : call.settings.redact(found);
  const isOfRuntime = links.some(({ name, syscall, errno }) => name === 'TypeError' || (syscall ?? errno));
  const wasSent = phase === 'body' || !isOfRuntime || links.some(link => link.wasSent || isOfResponse(link));
  const text = links.map(link => `${link.syscall} ${link.code}${ofDeno(link, url)}`).join('\n');
  if (wasSent || !notSent.test(text)) return noWholeResponse(call, code, cause);
  const happened = `no connection to ${addressOf(url)} (${code ?? noReason})`;
  const advice = 'Check the base URL, the network, the certificate, and any proxy in between.';
  return connectionFailed(happened, { outcome: 'not-sent', code, advice, cause });
}

/** Returns `true` for an error that holds a response, as wrappers throw it, and for the body of one. */
const isOfResponse = (link: Link): boolean => Boolean(link.status || link.response) || isPlainObject(link);

/** Returns `false` for the numbers that a `DOMException` has as codes. */
const isCode = (code: unknown): code is string => typeof code === 'string' && /^\w{1,60}$/.test(code);

/** Returns what Deno says of a request to this URL, after the URL itself: any other text can be that of a response. */
const ofDeno = ({ message }: Link, { href }: URL): string =>
  String(message).startsWith(`error sending request for url (${href}`)
    ? String(message).replace(/^[^(]*\(\S*/, '')
    : '';

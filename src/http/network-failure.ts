import type { TimeoutPhase } from '../errors.ts';
import type { ConnectedEndpoint } from './endpoint.ts';
import { connectionFailure, type Failure } from './failure.ts';
import type { Redaction } from './secrets/redactor.ts';

/**
 * Codes and texts by which runtimes report that nothing was sent: the name not resolved, the connection refused, no
 * route, no socket, a failed TLS handshake, a proxy that refuses to connect, or a permission that is missing. Node and
 * Bun set codes on the error or its cause, Deno writes texts alone, and workerd reports neither.
 */
const notSentCodes: readonly string[] = [
  'ECONNREFUSED',
  'ConnectionRefused',
  'connection refused',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NONAME',
  'dns error',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
  'connect ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'FailedToOpenSocket',
  'client error (Connect)',
  'bad port',
  'blocked port',
  'are blocked',
  'CERT_',
  '_CERT',
  'UNABLE_TO_',
  'ERR_TLS',
  'ERR_SSL_',
  'TLS handshake',
  'certificate',
  'ERR_ACCESS_DENIED',
  'NO_GLOBAL_FETCH',
  'NotCapable',
  'HTTP Tunneling',
  'UND_MOCK_ERR_MOCK_NOT_MATCHED',
];

/** Longest message of an error that is searched, in characters. */
const searchedLength = 1_000;

/**
 * Turns what a transport threw into a failure that holds none of it but a code. Messages can repeat the URL, whose
 * text says nothing about the failure.
 */
export function networkFailure(
  error: unknown,
  phase: TimeoutPhase,
  { address, baseUrl }: Pick<ConnectedEndpoint, 'address' | 'baseUrl'>,
  redactor: Redaction,
): Failure {
  const links = causes(error);
  const code = links.map(link => link.code).find(value => /^\w{1,60}$/.test(String(value ?? '')));
  const texts = links.map(link => textOf(link, baseUrl).toLowerCase());
  // An open connection can end with the very codes of one that was never made.
  const wasOpen = phase === 'body' || links.some(({ syscall }) => syscall === 'read' || syscall === 'write');
  const isSaid = (each: string) => texts.some(text => text.includes(each.toLowerCase()));
  const match = wasOpen ? undefined : notSentCodes.find(isSaid);
  const known = code ?? match;
  return connectionFailure(
    match ? 'not-sent' : 'unknown',
    known === undefined ? undefined : redactor.text(String(known)),
    address,
  );
}

interface Link {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly name?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
}

/** Returns what an error says, without the URLs of its message. */
function textOf({ code, name, message }: Link, baseUrl: string): string {
  const parts = String(message).slice(0, searchedLength).split(baseUrl);
  const texts = parts.map((part, index) => (index === 0 ? part : part.replace(/\S*/, '')));
  return [code, name, ...texts].join();
}

/** Most causes that are followed. */
const maxCauses = 5;

/** Returns the error, its causes and, of an aggregate, the first of its parts. */
function causes(error: unknown): Link[] {
  const links: Link[] = [];
  for (let next = error; typeof next === 'object' && next !== null && links.length < maxCauses; ) {
    const link: Link = next;
    links.push(link);
    next = link.cause ?? link.errors?.[0];
  }
  return links;
}

import type { TimeoutPhase } from '../errors.ts';
import { connectionFault, type Fault, isFault } from './fault.ts';

/**
 * Codes and words by which runtimes say that nothing was sent: name not resolved, connection refused, no route,
 * no socket to be had, or a failed TLS handshake. Node and Bun put codes on the error or its cause, Deno says it in
 * words alone, and workerd does not tell.
 */
const notSent =
  /ECONNREFUSED|ConnectionRefused|connection refused|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EMFILE|ENFILE|connect ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|FailedToOpenSocket|client error \(Connect\)|bad port|CERT_|_CERT|UNABLE_TO_|ERR_TLS|ERR_SSL_\w*(HANDSHAKE|VERSION|PROTOCOL)|TLS handshake|certificate/i;

/** Turns whatever a `fetch` threw into a fault that holds none of it but a code. */
export function networkFault(error: unknown, phase: TimeoutPhase): Fault {
  if (isFault(error)) return error;
  const links = chain(error);
  const code = links.map(link => link.code).find(value => /^\w+$/.test(String(value ?? '')));
  const words = links.map(link => `${link.code} ${link.name} ${link.message}`).join(' ');
  // An open connection can end with the very codes of one that was never made.
  const open = phase === 'body' || links.some(({ syscall }) => syscall === 'read' || syscall === 'write');
  const said = open ? undefined : notSent.exec(words)?.[0];
  return connectionFault(said ? 'not-sent' : 'unknown', String(code ?? said ?? 'network failure'));
}

interface Link {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly name?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
}

/** The error, its causes and, of an aggregate, the first of its parts. */
function chain(error: unknown): Link[] {
  const links: Link[] = [];
  for (let next = error; typeof next === 'object' && next !== null && links.length < 5; ) {
    const link: Link = next;
    links.push(link);
    next = link.cause ?? link.errors?.[0];
  }
  return links;
}

import type { TimeoutPhase } from '../errors.ts';
import { connectionFault, type Fault, isFault } from './fault.ts';

/**
 * Codes and words by which runtimes say that nothing was sent: name not resolved, connection refused, no route,
 * no socket to be had, or a failed TLS handshake. Node and Bun put codes on the error or its cause; Deno and
 * workerd only say it in words.
 */
const notSent =
  /ECONNREFUSED|ConnectionRefused|connection refused|ENOTFOUND|EAI_|dns error|failed to lookup|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EMFILE|ENFILE|UND_ERR_CONNECT_TIMEOUT|FailedToOpenSocket|tcp connect error|bad port|CERT_|_CERT|ERR_TLS|ERR_SSL|certificate/i;

/** Turns whatever a `fetch` threw into a fault that holds none of it but a code. */
export function networkFault(error: unknown, phase: TimeoutPhase): Fault {
  if (isFault(error)) return error;
  const links = chain(error);
  const code = links.map(link => link.code).find(value => typeof value === 'string');
  const words = links.map(link => `${link.code} ${link.name} ${link.message}`).join(' ');
  const sent = phase === 'body' || !notSent.test(words);
  return connectionFault(
    sent ? 'unknown' : 'not-sent',
    String(code ?? notSent.exec(words)?.[0] ?? 'network failure'),
  );
}

interface Link {
  readonly code?: unknown;
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

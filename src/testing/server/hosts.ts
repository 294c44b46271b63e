/** Which `Host` headers a server accepts, besides loopback names. */
export interface HostRules {
  /** Address that the server is bound to. */
  readonly host: string;
  /** Further host names. */
  readonly allowedHosts: readonly string[];
}

/** Addresses that stand for every interface of the machine. */
const everyInterface: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

const ipv4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** Returns the address at which a server bound to `host` can be called from this machine, as a URL has it. */
export function callableHost(host: string): string {
  const address = everyInterface[host] ?? host;
  return address.includes(':') ? `[${address}]` : address;
}

/**
 * Returns `true` if a request's `Host` names this server. A page on another site that has its own name resolve to this
 * machine (DNS rebinding) sends that name, and is refused. An IP address cannot be rebound: a server bound to every
 * interface accepts them all.
 */
export function isAllowedHost(header: string | null, { host, allowedHosts }: HostRules): boolean {
  const name = hostName(header ?? '');
  if (name === '') return false;
  if (name === 'localhost' || name === '[::1]' || (ipv4.test(name) && name.startsWith('127.'))) return true;
  if (Object.hasOwn(everyInterface, host) && (ipv4.test(name) || name.startsWith('['))) return true;
  const own = [host, ...allowedHosts].map(allowed => allowed.toLowerCase());
  return own.includes(name) || own.includes(name.replace(/^\[|\]$/g, ''));
}

/** Returns the name in a `Host` header without its port, in lower case; empty for a header that is not valid. */
export function hostName(header: string): string {
  const [, name = ''] = /^(\[[0-9a-f:.]{2,45}\]|[^\s:/@[\]]{1,255})(?::\d{1,5})?$/i.exec(header) ?? [];
  return name.toLowerCase();
}

import type { SandboxContext } from '../context.ts';
import { type ListenOptions, listen, type SandboxServer } from './server.ts';
import { siteResponder } from './site.ts';

/** Serves a sandbox, its page and its controls over HTTP. */
export function serveSandbox(
  context: SandboxContext,
  port?: number,
  options?: ListenOptions,
): Promise<SandboxServer> {
  return listen(siteResponder(context), context.maxBodyBytes, port, options);
}

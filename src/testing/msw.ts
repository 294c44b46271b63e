/**
 * The sandbox as request handlers for MSW.
 *
 * @module email-marketing-client/testing/msw
 */

import { HttpResponse, http, type RequestHandler } from 'msw';
import type { SandboxClientOptions } from './create-sandbox.ts';

/**
 * Request handler of MSW. It has a name in this package, so that a module that exports its handlers can be compiled with
 * `declaration`: the name of MSW's own class may not resolve from there.
 */
export interface SandboxHandler extends RequestHandler {}

/** Options of {@link sandboxHandlers}. */
export interface SandboxHandlersOptions {
  /**
   * Base URL of the REST interface that the application calls.
   * @defaultValue the environment variable `EMAIL_MARKETING_BASE_URL`, or the sandbox's own base URL
   */
  readonly baseUrl?: string | undefined;
  /**
   * Base URL of the legacy interface that the application calls.
   * @defaultValue the environment variable `EMAIL_MARKETING_LEGACY_BASE_URL`, unless `baseUrl` is given; else the base URL of REST
   */
  readonly legacyBaseUrl?: string | undefined;
}

/**
 * Returns request handlers for MSW 2 and 3: `setupServer(...sandboxHandlers(sandbox, { baseUrl: 'https://api.example.com' }))`.
 * All other requests are ignored.
 */
export function sandboxHandlers(
  sandbox: { readonly clientOptions: SandboxClientOptions },
  options: SandboxHandlersOptions = {},
): SandboxHandler[] {
  const own = sandbox.clientOptions;
  const rest = options.baseUrl ?? fromEnvironment('EMAIL_MARKETING_BASE_URL');
  // As in the client: the legacy variable belongs to the base URL of the environment.
  const variable =
    options.baseUrl === undefined ? fromEnvironment('EMAIL_MARKETING_LEGACY_BASE_URL') : undefined;
  const legacy = options.legacyBaseUrl ?? variable ?? rest;
  return [
    handler(rest ?? own.baseUrl, '/api/v1/rest/', own),
    handler(legacy ?? own.baseUrl, '/api/v1/', own),
  ];
}

/** Forwards requests below `path` of `baseUrl` to the sandbox. */
function handler(baseUrl: string, path: string, sandbox: SandboxClientOptions): RequestHandler {
  const base = withoutSlash(baseUrl);
  return http.all(`${base}${path}*`, async ({ request }) => {
    const { method, headers, signal } = request;
    const body = method === 'GET' || method === 'HEAD' ? null : await request.clone().arrayBuffer();
    const url = sandbox.baseUrl + request.url.slice(base.length);
    const response = await sandbox.fetch(url, { method, headers, signal, body }).catch(() => undefined);
    return response ?? HttpResponse.error();
  });
}

function withoutSlash(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return origin + pathname.replace(/\/$/, '');
}

/** Returns an environment variable; `undefined` if it is unset or cannot be read. */
function fromEnvironment(name: string): string | undefined {
  try {
    return globalThis.process?.env?.[name] || undefined;
  } catch {
    // Deno throws without the permission to read it.
    return undefined;
  }
}

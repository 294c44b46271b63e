/**
 * The sandbox as request handlers for MSW.
 *
 * @module email-marketing-client/testing/msw
 */

import { HttpResponse, http, type RequestHandler } from 'msw';
import { address } from './options.ts';
import { checkMembers } from './rules.ts';
import type { Sandbox } from './sandbox.ts';

/** Options of {@link handlers}. */
export interface HandlersOptions {
  /**
   * Base URL of the REST interface that the application calls.
   * @defaultValue the environment variable `EMAIL_MARKETING_BASE_URL`, or that of the sandbox's `clientOptions`
   */
  readonly baseUrl?: string | undefined;
  /**
   * Base URL of the legacy interface that the application calls.
   * @defaultValue the environment variable `EMAIL_MARKETING_LEGACY_BASE_URL`, or the base URL of the REST interface
   */
  readonly legacyBaseUrl?: string | undefined;
}

/**
 * Returns request handlers for MSW 2 and 3: `setupServer(...handlers(sandbox, { baseUrl: 'https://api.example.com' }))`.
 * They respond for these base URLs, and ignore all other requests. Throws a `RangeError` for an unusable option.
 */
export function handlers(
  sandbox: Pick<Sandbox, 'clientOptions'>,
  options: HandlersOptions = {},
): RequestHandler[] {
  checkMembers('option', options, { baseUrl: address, legacyBaseUrl: address });
  const own = sandbox.clientOptions;
  const rest = options.baseUrl ?? fromEnvironment('EMAIL_MARKETING_BASE_URL');
  const legacy = options.legacyBaseUrl ?? fromEnvironment('EMAIL_MARKETING_LEGACY_BASE_URL') ?? rest;
  return [
    handler(rest ?? own.baseUrl, own.baseUrl, '/api/v1/rest/', own.fetch),
    handler(legacy ?? own.legacyBaseUrl, own.legacyBaseUrl, '/api/v1/', own.fetch),
  ];
}

/** Returns a handler of the requests below a path of a base URL, which the sandbox gets at its own. */
function handler(
  baseUrl: string,
  ownBaseUrl: string,
  path: string,
  fetch: typeof globalThis.fetch,
): RequestHandler {
  const base = withoutSlash(baseUrl);
  return http.all(new RegExp(`^${escaped(base + path)}`), async ({ request }) => {
    const { method, headers, signal } = request;
    const body = method === 'GET' || method === 'HEAD' ? null : await request.clone().arrayBuffer();
    const url = withoutSlash(ownBaseUrl) + request.url.slice(base.length);
    const response = await fetch(url, { method, headers, signal, body }).catch(() => undefined);
    return response ?? HttpResponse.error();
  });
}

function withoutSlash(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return origin + pathname.replace(/\/$/, '');
}

/** Returns an environment variable, if the runtime has it. */
function fromEnvironment(name: string): string | undefined {
  try {
    return globalThis.process?.env?.[name] || undefined;
  } catch {
    // Deno asks for a permission to read it.
    return undefined;
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

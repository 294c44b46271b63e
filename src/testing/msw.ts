/**
 * The sandbox as request handlers for MSW.
 *
 * @module email-marketing-client/testing/msw
 */

import { HttpResponse, http, type RequestHandler } from 'msw';
import type { Sandbox } from './sandbox.ts';

/**
 * Returns request handlers for MSW 2 and 3: `setupServer(...handlers(sandbox))`. They respond for the sandbox's
 * `baseUrl` and `legacyBaseUrl`, or for any host if it has none, and ignore all other requests.
 */
export function handlers(sandbox: Pick<Sandbox, 'fetch' | 'baseUrl' | 'legacyBaseUrl'>): RequestHandler[] {
  const { baseUrl, legacyBaseUrl = baseUrl } = sandbox;
  const addresses = [...new Set([baseUrl, legacyBaseUrl])];
  return addresses.map(address =>
    http.all(pathsUnder(address), async ({ request }) => {
      const response = await sandbox.fetch(request.clone()).catch(() => undefined);
      return response ?? HttpResponse.error();
    }),
  );
}

/** Returns a pattern of the service's URLs under a base URL, or under any host. */
function pathsUnder(baseUrl: string | undefined): RegExp {
  if (baseUrl === undefined) return /^https?:\/\/[^/]+\/api\/v1\//;
  const { origin, pathname } = new URL(baseUrl);
  return new RegExp(`^${escaped(origin + pathname.replace(/\/$/, ''))}/api/v1/`);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

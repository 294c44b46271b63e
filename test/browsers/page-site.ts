// Serves the page of the checks with what it calls: the service, and handlers of the browser client.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { EmailMarketingClient } from '../../src/index.ts';
import { createProxyHandler, type NodeListener, toNodeListener } from '../../src/proxy/index.ts';
import { createSandbox, type Sandbox } from '../../src/testing/index.ts';
import { makeSandbox } from '../runtimes/expected.ts';
import { servePage } from '../runtimes/page-server.ts';

/** Number of pages that make a call and are left at once. */
export const pagesLeft = 3;

/** Serves the page with its script, and everything that the page calls. */
export async function serveChecks(script: string) {
  const service = makeSandbox();
  const actedOnce = createSandbox();
  const { serve, counted } = closing(toNodeListener(handlerOf(actedOnce)));
  const handler = handlerOf(createSandbox({ seed: { contacts: 250 } }));
  const leaving = leftPages();
  const followed: string[] = [];
  let report = (_: unknown): void => {};
  const reported = new Promise<unknown>(resolve => {
    report = resolve;
  }).then(results => leaving.arrived(results));
  const { url, close } = await servePage({
    files: pagesOf(script),
    listeners: { '/closing': serve },
    handler: async request => {
      const { pathname } = new URL(request.url);
      if (pathname === '/results') report(await request.json());
      else if (pathname === '/elsewhere') followed.push(request.method);
      else if (/^\/signed-out|\/moved$/.test(pathname))
        return new Response(null, { status: 302, headers: { location: '/elsewhere' } });
      else if (pathname === '/leaving') return leaving.handler(request);
      else if (pathname === '/api/email-marketing') return handler(request);
      else if (pathname.startsWith('/api/')) return service.fetch(request);
      return new Response(null, { status: 404 });
    },
  });
  return { url, close, reported, service, actedOnce, counted, left: leaving.service, followed };
}

/** Returns the page of the checks, the one that a visitor leaves, and what comes next. */
function pagesOf(script: string) {
  const html = '<!doctype html><body><script type="module" src="/page.js"></script>';
  const next = '<!doctype html>';
  return { '/index.html': html, '/leaving.html': html, '/left.html': next, '/page.js': script };
}

/** Returns what the pages call that are left at once. Their calls can arrive after the results, while the browser is open. */
function leftPages() {
  const service = createSandbox();
  const respond = handlerOf(service);
  let allArrived = (): void => {};
  const all = new Promise<void>(resolve => {
    allArrived = resolve;
  });
  return {
    service,
    handler: async (request: Request) => {
      const response = await respond(request);
      if (service.requests.length >= pagesLeft) allArrived();
      return response;
    },
    arrived: async (results: unknown) => {
      if (Object(results).leaving === 'left') await all;
      return results;
    },
  };
}

/** Returns a handler that lets pages make a few calls to a sandbox. */
function handlerOf({ apiKey, teamId, fetch }: Sandbox): (request: Request) => Promise<Response> {
  const client = new EmailMarketingClient({ baseUrl: 'https://service.test', apiKey, teamId, fetch });
  return createProxyHandler(client, {
    allow: ['tags.create', 'tags.delete', 'lists.create', 'contacts.list', 'legacy.identify'],
    authorize: 'public',
  });
}

/** Closes a reused connection once the handler has acted on a new call, and counts how often. */
function closing(listener: NodeListener) {
  const ids = new Set<unknown>();
  const reused = new WeakSet<object>();
  const counted = { closed: 0 };
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const { socket, headers } = request;
    const respond = !reused.has(socket) || ids.has(headers['x-call-id']);
    ids.add(headers['x-call-id']);
    reused.add(socket);
    if (respond) return listener(request, response);
    counted.closed += 1;
    const close = () => socket.destroy();
    return listener(request, { writeHead() {}, write() {}, end: close, destroy: close });
  };
  return { serve, counted };
}

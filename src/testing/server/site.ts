import openApiDocument from '../../../docs/openapi.json' with { type: 'json' };
import type { SandboxContext } from '../context.ts';
import type { Reply } from '../dispatcher.ts';
import { Refusal } from '../service/refusal.ts';
import type { ReadRequest } from '../service/service.ts';
import { controls } from './controls.ts';
import { corsHeaders, isPreflight, preflightHeaders } from './cors.ts';
import { streamLive } from './live.ts';
import { MissingRecord } from './records.ts';
import type { Responder, StreamReply } from './server.ts';
import { uiFiles } from './ui-files.ts';

const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  ts: 'text/javascript; charset=utf-8',
};

/** Allows the page its own files and nothing else. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const safetyHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** Serves the page and its controls, and the service for everything else. */
export function siteResponder(context: SandboxContext): Responder {
  return async (request, signal) => {
    const own = respondSite(context, request);
    if (own !== undefined) return own;
    const { method, headers } = request;
    const allowed = corsHeaders(headers.get('origin'), context.corsOrigins);
    if (isPreflight(method, headers) && Object.keys(allowed).length > 0)
      return {
        status: 204,
        headers: { ...allowed, ...preflightHeaders(headers) },
        text: '',
        ending: 'whole',
      };
    const reply = await context.dispatcher.reply(request, signal);
    return { ...reply, headers: { ...reply.headers, ...allowed } };
  };
}

function respondSite(context: SandboxContext, request: ReadRequest): Reply | StreamReply | undefined {
  const { method, url } = request;
  const { pathname } = url;
  if (method === 'GET' && pathname === '/') return file('index.html');
  if (method === 'GET' && pathname === '/openapi.json') return json(200, openApiDocument);
  const [, place, name = '', first = '', second = ''] = pathname.split('/').map(decode);
  if (place !== '_sandbox') return undefined;
  if (method === 'GET' && name === 'ui') return file(first);
  if (isForeign(request)) return notFound();
  if (method === 'GET' && name === 'live') return live(context, url.searchParams);
  const control = Object.hasOwn(controls, `${method} ${name}`) ? controls[`${method} ${name}`] : undefined;
  if (control === undefined) return notFound();
  try {
    return json(200, control(context, { first, second, query: url.searchParams, body: request.body ?? '' }));
  } catch (error) {
    const message = error instanceof Error ? error.message : 'bad request';
    return json(error instanceof MissingRecord ? 404 : 400, { status: 'error', message });
  }
}

/** Returns `true` if a page of another site sent it: that may not change anything here. */
function isForeign({ headers }: ReadRequest): boolean {
  const origin = headers.get('origin');
  return origin !== null && origin !== `http://${headers.get('host')}`;
}

function live(context: SandboxContext, query: URLSearchParams): StreamReply {
  return {
    status: 200,
    headers: { ...safetyHeaders, 'content-type': 'text/event-stream; charset=utf-8' },
    stream: send => streamLive(context, query, send),
  };
}

function file(name: string): Reply {
  const files = uiFiles();
  const text = Object.hasOwn(files, name) ? files[name] : undefined;
  const type = contentTypes[name.split('.').at(-1) ?? ''];
  if (text === undefined || type === undefined) return notFound();
  return { status: 200, headers: { ...safetyHeaders, 'content-type': type }, text, ending: 'whole' };
}

function notFound(): Reply {
  return json(404, new Refusal('unknown').body);
}

function json(status: number, value: unknown): Reply {
  const headers = { ...safetyHeaders, 'content-type': 'application/json; charset=utf-8' };
  return { status, headers, text: JSON.stringify(value), ending: 'whole' };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

import type { Reply } from '../responder.ts';
import { noSuch } from '../rules.ts';
import { ErrorResponse } from '../service/error-response.ts';
import { decode } from '../service/router.ts';
import { maxBodyBytes, type ReadRequest, type RequestHead } from '../service/sandbox-service.ts';
import { uiFile } from '../ui-file.ts';
import { controls, readQuery, type SandboxParts } from './controls.ts';
import { type ListenOptions, listen, type SandboxServer, type Site } from './server.ts';

const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/** Allows the web page to load only its own files. */
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

/** Serves a sandbox, its web page and its controls over HTTP. */
export function serveSandbox(
  parts: SandboxParts,
  port?: number,
  options?: ListenOptions,
): Promise<SandboxServer> {
  const respond: Site['respond'] = async (request, signal) =>
    respondSite(parts, request) ?? parts.responder.reply(request, signal);
  return listen({ maxBytes, respond }, port, options);
}

/** Maximum size of a body for the controls, in bytes: a snapshot of about 100,000 contacts. */
const maxControlBytes = 100_000_000;

/** Returns how much of a body to keep: nothing if a web page of another site sends it to the controls. */
function maxBytes(head: RequestHead): number {
  if (!head.url.pathname.startsWith('/_sandbox/')) return maxBodyBytes;
  return isForeign(head) ? 0 : maxControlBytes;
}

/** Responds to a request to the web page or its controls; to HEAD as to GET, as Node sends no body then. */
function respondSite(parts: SandboxParts, request: ReadRequest): Reply | undefined {
  const { url } = request;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const { pathname } = url;
  if (method === 'GET' && pathname === '/') return file('index.html');
  if (method === 'GET' && pathname === '/openapi.json') return file('openapi.json');
  const [, place, name = '', first = '', second] = pathname.split('/').map(decode);
  if (place !== '_sandbox') return undefined;
  if (method === 'GET' && name === 'ui') return file(first);
  if (isForeign(request)) return json(404, new ErrorResponse('unknown').body);
  const key = `${method} ${name}`;
  const control = Object.hasOwn(controls, key) ? controls[key] : undefined;
  if (control === undefined)
    return json(404, {
      status: 'error',
      message: noSuch('control', key, Object.keys(controls)).message,
    });
  const { body } = request;
  if (body === undefined) return json(413, { status: 'error', message: 'The body is larger than 100 MB.' });
  try {
    const query = readQuery(key, url.searchParams);
    const response = control(parts, { first, second, query, body });
    if (method !== 'GET') parts.recorder.touch();
    return json(200, response);
  } catch (error) {
    const message = error instanceof Error ? error.message : 'Bad request.';
    return json(error instanceof ErrorResponse ? 404 : 400, { status: 'error', message });
  }
}

/** Whether a web page of another site sent the request. It cannot read or change anything here. */
function isForeign({ headers }: RequestHead): boolean {
  const origin = headers.get('origin');
  return origin !== null && origin !== `http://${headers.get('host')}`;
}

function file(name: string): Reply {
  const text = uiFile(name);
  const type = contentTypes[name.split('.').at(-1) ?? ''];
  if (text === undefined || type === undefined)
    return json(404, { status: 'error', message: `The sandbox's page has no file ${name}.` });
  return { status: 200, headers: { ...safetyHeaders, 'content-type': type }, text };
}

function json(status: number, value: unknown): Reply {
  const headers = { ...safetyHeaders, 'content-type': 'application/json; charset=utf-8' };
  return { status, headers, text: JSON.stringify(value) };
}

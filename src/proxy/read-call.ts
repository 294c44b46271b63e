import { callIdHeader, isCallId, retryHeader, retryValue } from '../browser/protocol.ts';
import type { Endpoint } from '../client/endpoint.ts';
import { endpointOf } from '../client/endpoints.ts';
import { isObject, parseJson } from '../core/json.ts';
import type { Issue, Outcome } from '../error-details.ts';
import type { OperationName } from '../resources/operations.ts';
import { isOrigin, type ProxySettings } from './handler-options.ts';
import { invalidInput, rejection, within } from './reply.ts';

/** A call of an operation that the options allow, with a valid input. */
export interface RequestedCall {
  readonly operation: OperationName;
  readonly endpoint: Endpoint;
  /** Input; absent if the operation takes none, even if a web page sends one. */
  readonly input: unknown;
  /** Returns the part of a result that a web page sees. */
  readonly output: (result: unknown, request: Request) => unknown;
  /** Call id; absent if the web page sends none. */
  readonly id: string | undefined;
  /** `true` if an earlier attempt ended with an unknown outcome. */
  readonly retry: boolean;
}

/**
 * Outcome of a request that fails before its id is looked up. Browsers and gateways send some requests twice, so an
 * earlier one with this id may have acted.
 */
const outcomeBeforeLookup = (id: string | undefined): Outcome => (id === undefined ? 'not-sent' : 'unknown');

/** Reads the call of a request. Throws a rejection if it is invalid or not allowed. */
export async function readCall(request: Request, settings: ProxySettings): Promise<RequestedCall> {
  const { headers, method } = request;
  if (!isAllowedHost(request, settings.allowedHosts))
    throw rejection(403, 'This host is not allowed. Add it to allowedHosts.');
  // A gateway may send a GET for an error page after the call took effect.
  if (method !== 'POST') throw rejection(405, 'The method must be POST.', 'unknown');
  if (!isFromOwnPage(request, settings.allowedOrigins))
    throw rejection(403, 'This origin is not allowed. Add it to allowedOrigins.');
  // A form on another site cannot send this type without a preflight request.
  if (!/^application\/json\s*(;|$)/i.test(headers.get('content-type') ?? ''))
    throw rejection(415, 'The content type must be application/json.');
  const id = headers.get(callIdHeader) ?? undefined;
  if (id !== undefined && !isCallId(id)) throw rejection(400, `The header ${callIdHeader} is not a call id.`);
  const { operation, input } = parseCall(await readBody(request, outcomeBeforeLookup(id), settings));
  const call = allowedCall(settings, operation, input);
  const issues = issuesOf(call);
  if (issues.length > 0) throw invalidInput(operation, issues);
  return { ...call, id, retry: headers.get(retryHeader) === retryValue };
}

/** Returns the call of an operation. Throws a rejection if the options do not allow it. */
function allowedCall(
  settings: ProxySettings,
  requested: string,
  sent: unknown,
): Omit<RequestedCall, 'id' | 'retry'> {
  const operation = settings.allow.find(each => each === requested);
  if (!operation) throw rejection(403, 'The operation is not allowed. Add it to allow.');
  const endpoint = endpointOf(operation);
  const input = endpoint.input && sent;
  const { kind } = endpoint;
  // A web page already knows the name that it creates.
  const members = kind === 'create' ? ['id', 'name'] : ['status', 'message'];
  const publicPart = (result: unknown) => (kind === 'read' ? result : pick(result, members));
  const output = (settings.output[operation] as RequestedCall['output'] | undefined) ?? publicPart;
  return { operation, endpoint, input, output };
}

/** Picks members that are strings, numbers or booleans. An object could contain a whole record. */
function pick(result: unknown, members: readonly string[]): object {
  if (!isObject(result)) return {};
  const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
  return Object.fromEntries(
    members.map(member => [member, result[member]]).filter(([, value]) => isScalar(value)),
  );
}

export function issuesOf({ endpoint, input }: Pick<RequestedCall, 'endpoint' | 'input'>): readonly Issue[] {
  const checked = endpoint.input?.validateInput(input);
  return checked?.ok === false ? checked.issues : [];
}

/** Accepts only `operation` and `input`, so that a web page cannot set options of the server's client. */
function parseCall(text: string): { operation: string; input: unknown } {
  const json = parseJson(text);
  const isCall = isObject(json) && Object.keys(json).every(key => key === 'operation' || key === 'input');
  const { operation, input } = isCall ? (json as Record<string, unknown>) : {};
  if (typeof operation === 'string') return { operation, input };
  throw rejection(400, 'The body must be a JSON object with only operation and input.');
}

const bodyIsRead =
  'Other code on the server has read the body. Mount the handler before it, or pass the parsed JSON to toNodeListener as request.body.';

async function readBody(
  request: Request,
  outcome: Outcome,
  { maxBodyBytes, bodyTimeout }: ProxySettings,
): Promise<string> {
  const tooLarge = () => rejection(413, 'The body is too large.');
  if (Number(request.headers.get('content-length')) > maxBodyBytes) throw tooLarge();
  if (request.bodyUsed || request.body?.locked)
    throw rejection(500, bodyIsRead, outcome, new Error(bodyIsRead));
  const reader = request.body?.getReader();
  if (!reader) return '';
  const read = async () => {
    const decoder = new TextDecoder();
    let text = '';
    let bytes = 0;
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw rejection(400, 'The body did not arrive in full.', outcome);
      });
      if (done) return text + decoder.decode();
      bytes += value.byteLength;
      if (bytes > maxBodyBytes) throw tooLarge();
      text += decoder.decode(value, { stream: true });
    }
  };
  const tooLate = () => rejection(408, 'The body did not arrive in time.', outcome);
  try {
    return await within(bodyTimeout, read, tooLate);
  } finally {
    // Not awaited or reported, because the response does not depend on it.
    reader.cancel().catch(() => {});
  }
}

/**
 * Returns `true` for requests from the handler's own origin, `allowedOrigins`, or outside a browser. Browsers send
 * `Origin` with every POST, and web pages cannot forge it or `Sec-Fetch-Site`.
 */
function isFromOwnPage(request: Request, allowed: readonly string[]): boolean {
  const origin = request.headers.get('origin');
  const site = request.headers.get('sec-fetch-site');
  if (origin !== null && allowed.includes(origin)) return true;
  if (site !== null) return site === 'same-origin';
  if (origin === null) return true;
  // Compares only hosts, because the scheme is lost if TLS ends before the server.
  const hosts = [new URL(request.url).host, request.headers.get('host')];
  return isOrigin(origin) && hosts.includes(new URL(origin).host);
}

function isAllowedHost(request: Request, allowed: readonly string[] | undefined): boolean {
  if (!allowed) return true;
  const host = request.headers.get('host') ?? new URL(request.url).host;
  if (!isHost(host) || !URL.canParse(`http://${host}`)) return false;
  const nameOf = (text: string) => new URL(`http://${text}`).hostname;
  return allowed.some(each => nameOf(each) === nameOf(host));
}

/** Returns `true` for a host, with or without a port. */
export const isHost = (text: string): boolean => /^[\w.:[\]-]+$/.test(text);

/** Returns the headers that let web pages of `allowedOrigins` read the response. */
export function corsHeaders(request: Request, { allowedOrigins }: ProxySettings): Record<string, string> {
  const origin = request.headers.get('origin') ?? '';
  if (!allowedOrigins.includes(origin)) return allowedOrigins.length > 0 ? { vary: 'origin' } : {};
  return {
    vary: 'origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': request.headers.get('access-control-request-headers') ?? 'content-type',
    'access-control-max-age': '600',
  };
}

export const isPreflight = (request: Request, { allowedOrigins, allowedHosts }: ProxySettings): boolean =>
  request.method === 'OPTIONS' &&
  allowedOrigins.includes(request.headers.get('origin') ?? '') &&
  isAllowedHost(request, allowedHosts);

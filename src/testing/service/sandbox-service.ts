import { literalOrType } from '../../core/json.ts';
import type { Ambiguities } from './ambiguities.ts';
import type { State } from './collection.ts';
import { ErrorResponse, errorKinds, type ServiceResponse, unknown } from './error-response.ts';
import type { Api, Match, Router } from './router.ts';

/** Keys and team id that requests must contain. */
export interface SandboxKeys {
  /** API key for REST calls. */
  readonly apiKey: string;
  /** API key for legacy calls. */
  readonly legacyApiKey: string;
  /** Team id for legacy calls. */
  readonly teamId: string;
}

export interface ServiceSettings extends SandboxKeys {
  readonly ambiguities: Ambiguities;
  readonly now: () => Date;
}

/** Request without its body. */
export interface RequestHead {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
}

/** Request with its body read. */
export interface ReadRequest extends RequestHead {
  /** The body as text; empty if there is none, `undefined` if it is larger than the limit. */
  readonly body: string | undefined;
}

/** Maximum size of a body, in bytes. The sandbox logs bodies; no request of the service is nearly as large. */
export const maxBodyBytes = 1_000_000;

/** Returns the text of a body. Keeps a byte order mark, as servers do, so that the body is not valid JSON. */
export const textOf = (bytes: ArrayBuffer | Uint8Array): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** Endpoints of a request, or the error response if there is none. */
export interface Target {
  /** A later one responds if the handlers before it return `undefined`. */
  readonly matches: readonly Match[];
  readonly error: ErrorResponse | undefined;
}

/** The service itself: responds to requests as docs/service-rules.md specifies. */
export class Service {
  readonly #settings: ServiceSettings;
  readonly #router: Router;
  readonly #state: State;

  constructor(settings: ServiceSettings, router: Router, state: State) {
    this.#settings = settings;
    this.#router = router;
    this.#state = state;
  }

  /** Finds the endpoint of a request. Checks nothing else. */
  target(method: string, { pathname }: URL): Target {
    const found =
      this.#below(pathname, '/api/v1/rest', 'rest') ?? this.#below(pathname, '/api/v1', 'legacy') ?? [];
    const matches = found.filter(({ route }) => route.method === method);
    if (matches.length > 0) return { matches, error: undefined };
    if (found.length === 0) return { matches, error: unknownPath(pathname) };
    const allow = [...new Set(found.map(({ route }) => route.method))].join(', ');
    const reason = `this path only supports ${allow}`;
    return { matches, error: new ErrorResponse('methodNotAllowed', { reason, headers: { allow } }) };
  }

  /** Responds to a request; never rejects. Does nothing more once the signal has aborted. */
  async respond(request: ReadRequest, target: Target, signal: AbortSignal): Promise<ServiceResponse> {
    try {
      return await this.#act(request, target, signal);
    } catch (error) {
      const { body, headers, reason } = error instanceof ErrorResponse ? error : failureOf(error);
      const status = this.#settings.ambiguities.errorStatus[reason.kind] ?? errorKinds[reason.kind][0];
      return { status, json: body, headers, error: reason };
    }
  }

  async #act(request: ReadRequest, target: Target, signal: AbortSignal) {
    const { method, headers, body } = request;
    const [first] = target.matches;
    if (first === undefined) throw target.error;
    const denied = this.#denial(first.route.api, request);
    if (denied !== undefined) throw new ErrorResponse('unauthorized', { reason: denied });
    if (body === undefined) throw new ErrorResponse('tooLarge');
    const { ambiguities, now, teamId } = this.#settings;
    const query = request.url.searchParams;
    const call = { method, query, headers, body, state: this.#state, ambiguities, now, teamId };
    for (const { route, params } of target.matches) {
      signal.throwIfAborted();
      const response = await route.handle({ ...call, params });
      if (response !== undefined) return response;
    }
    throw new TypeError('a handler returned undefined, but no other endpoint has this path');
  }

  /** Returns why a call is not authenticated; `undefined` if it is. */
  #denial(api: Api, { headers, url }: RequestHead): string | undefined {
    const { apiKey, legacyApiKey, teamId } = this.#settings;
    if (api === 'rest') return denial('header X-Team-ApiKey', headers.get('x-team-apikey'), apiKey);
    return (
      denial('header api_key', headers.get('api_key'), legacyApiKey) ??
      denial('query parameter team_id', url.searchParams.get('team_id'), teamId)
    );
  }

  #below(pathname: string, prefix: string, api: Api): readonly Match[] | undefined {
    return pathname.startsWith(`${prefix}/`)
      ? this.#router.match(api, pathname.slice(prefix.length))
      : undefined;
  }
}

function denial(name: string, received: string | null, expected: string): string | undefined {
  if (received === expected) return undefined;
  return received === null ? `${name} is missing` : `${name} does not match the sandbox's`;
}

function unknownPath(pathname: string): ErrorResponse {
  const reason = pathname.startsWith('/api/v1/')
    ? 'no endpoint has this path'
    : 'the path must start with /api/v1/rest or /api/v1';
  return unknown(reason, '1.1');
}

/** Creates the error response for a handler added with `sandbox.on` that throws. */
function failureOf(error: unknown): ErrorResponse {
  const thrown = error instanceof Error ? `${error.name}: ${error.message}` : literalOrType(error);
  return new ErrorResponse('serverFailure', { reason: `the endpoint's handler threw ${thrown}` });
}

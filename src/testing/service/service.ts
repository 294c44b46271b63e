import type { Ambiguities } from './ambiguities.ts';
import type { Call } from './call.ts';
import { Refusal, type RefusalKind, type ServiceResponse } from './refusal.ts';
import type { Api, Match, Route, Router } from './router.ts';
import type { State } from './state.ts';

/** Who may call, and where the two interfaces are. */
export interface ServiceSettings {
  readonly apiKey: string;
  readonly legacyApiKey: string;
  readonly teamId: string;
  readonly bases: Readonly<Record<Api, { readonly path: string }>>;
  readonly ambiguities: Ambiguities;
  readonly now: () => Date;
}

/** A request whose body has been read. */
export interface ReadRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  /** The body as text; `undefined` when it is larger than allowed. */
  readonly body: string | undefined;
}

/** Where a request leads: to an endpoint, or to a refusal. */
export interface Target {
  readonly route: Route | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly refusal: Refusal | undefined;
}

/** The service itself: responds to requests by the rules of the specification. */
export class Service {
  readonly #settings: ServiceSettings;
  readonly #router: Router;
  readonly #state: State;

  constructor(settings: ServiceSettings, router: Router, state: State) {
    this.#settings = settings;
    this.#router = router;
    this.#state = state;
  }

  /** Finds the endpoint of a request, before anything is checked. */
  target(method: string, { pathname }: URL): Target {
    const { bases } = this.#settings;
    const found =
      this.#below(pathname, `${bases.rest.path}/api/v1/rest`, 'rest') ??
      this.#below(pathname, `${bases.legacy.path}/api/v1`, 'legacy');
    if (found === undefined || found.routes.length === 0)
      return { route: undefined, params: {}, refusal: unknownPath(pathname) };
    const route = found.routes.find(candidate => candidate.method === method);
    if (route !== undefined) return { route, params: found.paramsOf(route), refusal: undefined };
    const allow = [...new Set(found.routes.map(candidate => candidate.method))].join(', ');
    const reason = `this path takes ${allow}`;
    const refusal = new Refusal('methodNotAllowed', { reason, headers: { allow } });
    return { route: undefined, params: {}, refusal };
  }

  /** Responds to a request; never rejects. */
  async respond(request: ReadRequest, target: Target): Promise<ServiceResponse> {
    try {
      return await this.#act(request, target);
    } catch (error) {
      return this.refuse(error instanceof Refusal ? error : failureOf(error));
    }
  }

  /** Returns the response that a refusal becomes. */
  refuse(refusal: Refusal): ServiceResponse {
    const { kind, body, headers, reason } = refusal;
    return { status: this.statusOf(kind), json: body, headers, refusal: reason };
  }

  /** Returns the HTTP status of an error, which the specification does not show. */
  statusOf(kind: RefusalKind): number {
    return this.#settings.ambiguities.errorStatus[kind];
  }

  #act(request: ReadRequest, { route, params, refusal }: Target): ServiceResponse | Promise<ServiceResponse> {
    const { method, headers, body } = request;
    if (route === undefined) throw refusal ?? unknownPath(request.url.pathname);
    const denied = route.api === 'rest' ? this.#restDenial(request) : this.#legacyDenial(request);
    if (denied !== undefined) throw new Refusal('unauthorized', { reason: denied });
    if (body === undefined) throw new Refusal('tooLarge', { reason: 'the body is over maxBodyBytes' });
    const { ambiguities, now, teamId } = this.#settings;
    const query = request.url.searchParams;
    const state = this.#state;
    const call: Call = { method, params, query, headers, body, state, ambiguities, now, teamId };
    return route.rule(call);
  }

  /** Returns why a REST call is not authenticated (section 5), if it is not. */
  #restDenial({ headers }: ReadRequest): string | undefined {
    return denial('header X-Team-ApiKey', headers.get('x-team-apikey'), this.#settings.apiKey);
  }

  /** Returns why a legacy call is not authenticated (section 5), if it is not. */
  #legacyDenial({ headers, url }: ReadRequest): string | undefined {
    return (
      denial('header api_key', headers.get('api_key'), this.#settings.legacyApiKey) ??
      denial('query parameter team_id', url.searchParams.get('team_id'), this.#settings.teamId)
    );
  }

  #below(pathname: string, prefix: string, api: Api): Match | undefined {
    return pathname.startsWith(`${prefix}/`)
      ? this.#router.match(api, pathname.slice(prefix.length))
      : undefined;
  }
}

function denial(name: string, given: string | null, expected: string): string | undefined {
  if (given === expected) return undefined;
  return given === null ? `${name} is missing` : `${name} is not the sandbox's`;
}

function unknownPath(pathname: string): Refusal {
  const reason = pathname.startsWith('/api/v1/')
    ? 'no endpoint has this path'
    : 'the path starts with neither /api/v1/rest nor /api/v1';
  return new Refusal('unknown', { reason, section: 'section 4, Endpoints' });
}

/** Returns the refusal for an error thrown by a rule: only a handler of an added endpoint can throw one. */
function failureOf(error: unknown): Refusal {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new Refusal('serverFailure', { reason: `the endpoint's handler failed: ${reason}` });
}

import type { RefusalKind, Silences } from '../options.ts';
import type { Call } from './call.ts';
import { type Answer, Refusal } from './refusal.ts';
import { match, type Route } from './router.ts';
import type { State } from './state.ts';

/** Who may call, and where the two interfaces are. */
export interface ServiceSettings {
  readonly apiKey: string;
  readonly legacyApiKey: string;
  readonly teamId: string;
  readonly bases: { readonly rest: { readonly path: string }; readonly legacy: { readonly path: string } };
  readonly silences: Silences;
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

/** Where a request leads: to an operation, or to a refusal. */
export interface Target {
  readonly route: Route | undefined;
  readonly identifier: string;
  readonly refusal: Refusal | undefined;
}

/** The service itself: requests in, answers out, by the rules of the specification. */
export class Service {
  readonly #settings: ServiceSettings;

  constructor(settings: ServiceSettings) {
    this.#settings = settings;
  }

  /** Finds what a request leads to, before anything is checked. */
  target(method: string, { pathname }: URL): Target {
    const { bases } = this.#settings;
    const found =
      below(pathname, `${bases.rest.path}/api/v1/rest`, path => match('rest', path)) ??
      below(pathname, `${bases.legacy.path}/api/v1`, path => match('legacy', path));
    if (found === undefined || found.routes.length === 0)
      return { route: undefined, identifier: '', refusal: new Refusal('unknown') };
    const route = found.routes.find(candidate => candidate.method === method);
    const allow = found.routes.map(candidate => candidate.method).join(', ');
    const refusal = route === undefined ? new Refusal('methodNotAllowed', undefined, { allow }) : undefined;
    return { route, identifier: found.identifier, refusal };
  }

  /** Answers a request; never throws. */
  answer(request: ReadRequest, target: Target, state: State): Answer {
    try {
      return this.#act(request, target, state);
    } catch (error) {
      return this.refuse(error instanceof Refusal ? error : new Refusal('serverFailure'));
    }
  }

  /** A refusal as an answer. */
  refuse(refusal: Refusal): Answer {
    return { status: this.statusOf(refusal.kind), json: refusal.body, headers: refusal.headers };
  }

  /** HTTP status of an error, which the specification does not show. */
  statusOf(kind: RefusalKind): number {
    return this.#settings.silences.errorStatus[kind];
  }

  #act(request: ReadRequest, { route, identifier, refusal }: Target, state: State): Answer {
    if (route === undefined) throw refusal ?? new Refusal('unknown');
    if (!this.#mayCall(route.api, request)) throw new Refusal('unauthorized');
    if (request.body === undefined) throw new Refusal('tooLarge');
    const { silences, now, teamId } = this.#settings;
    const query = request.url.searchParams;
    const call: Call = { identifier, query, body: request.body, state, silences, now, teamId };
    return route.rule(call);
  }

  /** Whether the key, and for the legacy interface the team id, are the right ones (section 5). */
  #mayCall(api: Route['api'], { headers, url }: ReadRequest): boolean {
    const { apiKey, legacyApiKey, teamId } = this.#settings;
    if (api === 'rest') return headers.get('x-team-apikey') === apiKey;
    return headers.get('api_key') === legacyApiKey && url.searchParams.get('team_id') === teamId;
  }
}

function below<T>(pathname: string, prefix: string, then: (path: string) => T): T | undefined {
  return pathname.startsWith(`${prefix}/`) ? then(pathname.slice(prefix.length)) : undefined;
}

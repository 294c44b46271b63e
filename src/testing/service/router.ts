import type { EndpointRule, Rule } from './call.ts';
import type { AddedEndpoint, Endpoint, OperationName } from './endpoints.ts';
import { legacyEndpoints } from './legacy.ts';
import { restEndpoints } from './rest.ts';

/** The two interfaces of the service. */
export type Api = 'rest' | 'legacy';

/** One endpoint: its path, and its rule. */
export interface Route {
  readonly endpoint: Endpoint | AddedEndpoint;
  /** Absent for endpoints that were added. */
  readonly operation: OperationName | undefined;
  readonly api: Api;
  readonly method: string;
  /** The path's parts, below the interface's own; a part in braces is a parameter. */
  readonly parts: readonly string[];
  readonly rule: Rule;
}

const serviceRoutes: readonly Route[] = [
  ...table('rest', restEndpoints),
  ...table('legacy', legacyEndpoints),
];

function table(api: Api, rules: Readonly<Record<string, EndpointRule<OperationName>>>): Route[] {
  return Object.entries(rules).map(([endpoint, { operation, rule }]) =>
    routeOf(api, endpoint, rule, operation),
  );
}

/** Creates a route of an endpoint written as `GET /path/{parameter}`. */
export function routeOf(api: Api, endpoint: string, rule: Rule, operation?: OperationName): Route {
  const [method = '', path = ''] = endpoint.split(' ');
  return { endpoint, operation, api, method, parts: path.slice(1).split('/'), rule };
}

/** Where a path leads: its endpoints by method, and the parameters in it. */
export interface Match {
  readonly routes: readonly Route[];
  paramsOf(route: Route): Readonly<Record<string, string>>;
}

/** The endpoints of the service, and those that were added, which take precedence. */
export class Router {
  #added: readonly Route[] = [];

  /** Adds an endpoint; an earlier one of the same method and path is replaced. Returns a function that removes it. */
  add(route: Route): () => void {
    const same = (other: Route) => other.api === route.api && other.endpoint === route.endpoint;
    this.#added = [route, ...this.#added.filter(other => !same(other))];
    return () => {
      this.#added = this.#added.filter(other => other !== route);
    };
  }

  /** Every endpoint that can be named, those of the specification first. */
  get endpoints(): readonly string[] {
    return [...new Set([...serviceRoutes, ...this.#added].map(route => route.endpoint))];
  }

  /** Finds the endpoints of a path below an interface's own; parts are decoded one by one, so `%2F` splits nothing. */
  match(api: Api, path: string): Match {
    const parts = path.split('/').slice(1).map(decode);
    const routes = [...this.#added, ...serviceRoutes].filter(
      route => route.api === api && matches(route.parts, parts),
    );
    return {
      routes: routes.sort((left, right) => parameterCount(left) - parameterCount(right)),
      paramsOf: route => paramsOf(route.parts, parts),
    };
  }
}

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  return (
    pattern.length === parts.length &&
    pattern.every((part, index) => part === parts[index] || (isParameter(part) && parts[index] !== ''))
  );
}

function paramsOf(pattern: readonly string[], parts: readonly string[]): Readonly<Record<string, string>> {
  const pairs = pattern.flatMap((part, index) =>
    isParameter(part) ? [[part.slice(1, -1), parts[index] ?? ''] as const] : [],
  );
  return Object.fromEntries(pairs);
}

function isParameter(part: string): boolean {
  return part.startsWith('{') && part.endsWith('}');
}

function parameterCount({ parts }: Route): number {
  return parts.filter(isParameter).length;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

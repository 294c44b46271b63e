import { legacyEndpoints } from './legacy-endpoints.ts';
import { restEndpoints } from './rest-endpoints.ts';
import type { EndpointTable, RequestHandler } from './service-request.ts';

const specified = { ...restEndpoints, ...legacyEndpoints };

/** Endpoint of the service: method and path, such as `DELETE /tag/{identifier}`. */
export type Endpoint = keyof typeof specified;

/** Operation, as named in the client: `tags.delete`. */
export type OperationName = (typeof specified)[Endpoint][0];

/** Endpoint added with `sandbox.on`: method and path. */
export type AddedEndpoint = `${string} /${string}`;

/** Every operation of the service. */
export const operationNames: readonly OperationName[] = Object.values(specified).map(([name]) => name);

/** The two interfaces of the service. */
export type Api = 'rest' | 'legacy';

interface Route {
  readonly endpoint: Endpoint | AddedEndpoint;
  /** Absent for endpoints that the service does not have. */
  readonly operation: OperationName | undefined;
  readonly api: Api;
  readonly method: string;
  /** Segments of the path, relative to the interface; those in braces are parameters. */
  readonly parts: readonly string[];
  readonly handle: RequestHandler;
}

const serviceRoutes: readonly Route[] = [
  ...table('rest', restEndpoints),
  ...table('legacy', legacyEndpoints),
];

function table(api: Api, entries: EndpointTable<OperationName>): Route[] {
  return Object.entries(entries).map(([endpoint, [operation, handle]]) =>
    routeOf(api, endpoint as Endpoint, handle, operation),
  );
}

function routeOf(
  api: Api,
  endpoint: AddedEndpoint,
  handle: RequestHandler,
  operation?: OperationName,
): Route {
  const [method = '', path = ''] = endpoint.split(' ');
  return { endpoint, operation, api, method, parts: path.slice(1).split('/'), handle };
}

/** Creates the route of an added endpoint such as `GET /path/{parameter}`. One that the service has keeps its operation. */
export function addedRoute(api: Api, endpoint: AddedEndpoint, handle: RequestHandler): Route {
  const route = routeOf(api, endpoint, handle);
  const shape = ({ method, parts }: Route) =>
    [method, ...parts.map(part => (isParameter(part) ? '{}' : part))].join('/');
  const same = serviceRoutes.find(other => other.api === api && shape(other) === shape(route));
  return { ...route, operation: same?.operation };
}

/** Route of a path, and the path's parameters. */
export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the route of a request. Added endpoints take precedence over the service's endpoints. */
export class Router {
  #added: readonly Route[] = [];

  /** Adds or replaces an endpoint. Returns a function that removes it. */
  add(route: Route): () => void {
    const same = (other: Route) => other.api === route.api && other.endpoint === route.endpoint;
    this.#added = [route, ...this.#added.filter(other => !same(other))];
    return () => {
      this.#added = this.#added.filter(other => other !== route);
    };
  }

  /** All endpoints, beginning with the service's. */
  get endpoints(): readonly string[] {
    return [...new Set([...serviceRoutes, ...this.#added].map(route => route.endpoint))];
  }

  /** Finds the routes of a path, with fewest parameters first. Segments are decoded one by one, so `%2F` does not split one. */
  match(api: Api, path: string): readonly Match[] {
    const parts = path.split('/').slice(1).map(decode);
    return [...this.#added, ...serviceRoutes]
      .flatMap(route => {
        const params = route.api === api ? paramsOf(route.parts, parts) : undefined;
        return params === undefined ? [] : [{ route, params }];
      })
      .sort((left, right) => Object.keys(left.params).length - Object.keys(right.params).length);
  }
}

/** Returns the parameters of a path; `undefined` if the path does not match the pattern. */
function paramsOf(pattern: readonly string[], parts: readonly string[]): Match['params'] | undefined {
  if (pattern.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const value = parts[index] ?? '';
    if (isParameter(part) && value !== '') params[part.slice(1, -1)] = value;
    else if (part !== value) return undefined;
  }
  return params;
}

function isParameter(part: string): boolean {
  return part.startsWith('{') && part.endsWith('}');
}

/** Decodes a segment of a path; one that is not valid is returned unchanged. */
export function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

import type { Issue } from '../errors.ts';
import { decimalText } from '../helpers/decimal-text.ts';
import type { EncodedRequest, HttpMethod, Operation } from '../http/call/operation.ts';
import { toJsonText, typeName } from '../http/json.ts';
import { optionIssues } from '../http/options/check-options.ts';
import { aBoolean, anObject, anything, type OptionRules, oneOf } from '../http/options/rules.ts';
import { isStandardSchema, responseParser, type StandardSchema } from '../http/standard-schema.ts';

/** A request to an endpoint of the service that this library has no method for. */
export interface EndpointRequest<Output = unknown> {
  /**
   * Interface that the endpoint belongs to: it decides on the base URL, the key, and `team_id`.
   * @defaultValue 'rest'
   */
  readonly api?: 'rest' | 'legacy' | undefined;
  /** HTTP method. */
  readonly method: HttpMethod;
  /** Path relative to the interface, with its parameters in braces: `/contact/{id}`. */
  readonly path: string;
  /** Value of each parameter of `path`. It is encoded, and cannot be empty. */
  readonly params?: Readonly<Record<string, string | number>> | undefined;
  /** Query parameters. Those that are `undefined` are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** Body, sent as JSON. GET and HEAD have none. */
  readonly body?: unknown;
  /**
   * Standard Schema of the response, such as one of zod, valibot or arktype. Its output is the result, whatever the option
   * `validation` says. Without a schema the result is the parsed JSON, as `unknown`.
   */
  readonly schema?: StandardSchema<Output> | undefined;
  /**
   * `true` if a second request changes nothing, so that the call is retried after an unknown outcome. A retried DELETE
   * can end in a `NotFoundError` although its first attempt deleted the resource.
   * @defaultValue `true` for GET and HEAD, otherwise `false`
   */
  readonly idempotent?: boolean | undefined;
}

const httpMethods: readonly HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'];

const parameter = /\{(\w+)\}/g;

/** Segments of parameters and of characters that no URL changes or gives a meaning to; not the interface's own path. */
const pathPattern = /^(?!\/api\/v1(?:\/|$))(?:\/(?:\{\w+\}|[\w.~!$&'()*+,;=:@-])+)+\/?$/;

/** A URL gives these a meaning, however they are encoded. */
const dotSegment = /\/\.\.?(?:\/|$)/;

const requestRules: OptionRules<keyof EndpointRequest> = {
  api: oneOf(['rest', 'legacy']),
  method: oneOf(httpMethods),
  path: {
    expected:
      'a path relative to the interface, such as /contact/{id}: other values go into params, and a query into query',
    isValid: path => typeof path === 'string' && pathPattern.test(path) && !dotSegment.test(path),
  },
  params: anObject,
  query: anObject,
  body: anything,
  schema: {
    expected: 'a Standard Schema, such as one of zod, valibot or arktype',
    isValid: isStandardSchema,
  },
  idempotent: aBoolean,
};

/** Returns `true` if a request of this method only reads. */
export const isReadMethod = (method: unknown): boolean => method === 'GET' || method === 'HEAD';

/** Returns the names of the parameters of a path. */
export const parameterNames = (path: string): readonly string[] =>
  Array.from(path.matchAll(parameter), ([, name]) => name as string);

/** Creates the operation of a request, or one that is refused. `redact` removes secrets from its name and its path. */
export function endpointOperation(given: unknown, redact: (text: string) => string): Operation<unknown> {
  const refused: Issue[] = [...optionIssues(given, requestRules)];
  for (const name of ['method', 'path'] as const)
    if (Object(given)[name] === undefined)
      refused.push({ path: name, expected: requestRules[name].expected, received: 'undefined' });
  const {
    api = 'rest',
    method,
    path = '',
    schema,
    idempotent = isReadMethod(method),
  } = Object(given) as EndpointRequest;
  const request = refused.length > 0 ? undefined : encodeRequest(given as EndpointRequest, refused);
  const output = responseParser(schema);
  if (request && refused.length === 0)
    return {
      name: redact(`${method} ${path}`),
      api,
      method,
      path: redact(path),
      request,
      idempotent,
      output,
    };
  const input = { validate: () => ({ ok: false, issues: refused }) as const };
  return { name: 'request', api: 'rest', method: 'GET', path: '', idempotent: false, input, output };
}

/** Encodes a request. Adds to `refused` what would send something else than was meant. */
function encodeRequest(
  { api, method, path, params = {}, query = {}, body }: EndpointRequest,
  refused: Issue[],
): EncodedRequest {
  const refuse = (at: string, expected: string, value: unknown) =>
    refused.push({ path: at, expected, received: typeName(value) });
  const encode = (values: object, name: string, of: string) => {
    const value: unknown = Object.hasOwn(values, name) ? values[name as never] : undefined;
    const text = urlText(value);
    if (text === undefined || urlText(name) === undefined)
      refuse(`${of}.${name}`, 'text, a boolean, or an exact number', value);
    return text ?? '';
  };
  const names = Object.keys(query).filter(name => query[name] !== undefined);
  const pairs = names.map(name => `${urlText(name)}=${encode(query, name, 'query')}`);
  const encoded = path.replaceAll(parameter, (_, name: string) => encode(params, name, 'params'));
  const known = parameterNames(path);
  for (const name of Object.keys(params))
    if (!known.includes(name)) refuse(`params.${name}`, `a parameter of ${path}`, params[name]);
    else if (params[name] === '') refuse(`params.${name}`, 'text that is not empty', '');
  if (dotSegment.test(encoded)) refuse('params', 'other than "." and ".."', params);
  if (api === 'legacy' && names.includes('team_id'))
    refuse('query.team_id', 'left out: the option teamId of the client sets it', query.team_id);
  if (body !== undefined && isReadMethod(method)) refuse('body', `left out: ${method} has no body`, body);
  const json = toJsonText(body, 'body');
  if (!json.ok) refused.push(json.issue);
  return { path: encoded, query: pairs.join('&'), body: json.ok ? json.text : undefined };
}

const halfPair = /\p{Surrogate}/u;

/** Encodes text, a boolean or a number for a URL; `undefined` for what it cannot hold. */
function urlText(value: unknown): string | undefined {
  const isExact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (isExact) return decimalText(value as number);
  const isText = typeof value === 'string' && !halfPair.test(value);
  return isText || typeof value === 'boolean' ? encodeURIComponent(value) : undefined;
}

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

const httpMethods: readonly unknown[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'];

const requestRules: OptionRules<keyof EndpointRequest> = {
  ...{ method: anything, path: anything, body: anything, params: anObject, query: anObject },
  api: oneOf(['rest', 'legacy']),
  schema: {
    expected: 'a Standard Schema, such as one of zod, valibot or arktype',
    isValid: isStandardSchema,
  },
  idempotent: aBoolean,
};

/** Returns `true` if a request of this method only reads. */
export const isReadMethod = (method: unknown): boolean => method === 'GET' || method === 'HEAD';

const parameter = /\{(\w+)\}/g;

/** Returns the names of the parameters of a path. */
export const parameterNames = (path: string): readonly string[] =>
  Array.from(path.matchAll(parameter), ([, name]) => name as string);

/** Creates the operation of a request, or one that is refused. `redact` removes secrets from its name and its path. */
export function endpointOperation(given: unknown, redact: (text: string) => string): Operation<unknown> {
  try {
    const invalid = optionIssues(given, requestRules);
    if (invalid.length > 0) refuseFor(invalid);
    const {
      api = 'rest',
      method,
      path,
      schema,
      idempotent = isReadMethod(method),
    } = given as EndpointRequest;
    const request = encodeRequest(given as EndpointRequest);
    const [name, output] = [redact(`${method} ${path}`), responseParser(schema)];
    return { name, api, method, path: redact(path), request, idempotent, output };
  } catch (error) {
    const unreadable = {
      path: '',
      expected: 'an object that can be read and encoded',
      received: typeof given,
    };
    const { issues = [unreadable] } = error as { readonly issues?: readonly Issue[] };
    const input = { validate: () => ({ ok: false, issues }) as const };
    const output = responseParser(undefined);
    return { name: 'request', api: 'rest', method: 'GET', path: '', idempotent: false, input, output };
  }
}

function refuseFor(issues: readonly Issue[]): never {
  throw Object.assign(new Error(), { issues });
}

const refuse = (path: string, expected: string, received: string): never =>
  refuseFor([{ path, expected, received }]);

/** Encodes a request. Refuses what would send something else than was meant. */
function encodeRequest({ api, method, path, params, query = {}, body }: EndpointRequest): EncodedRequest {
  const upper = typeof method === 'string' ? method.toUpperCase() : '';
  const methods = httpMethods.includes(upper) ? `'${upper}'` : `one of ${httpMethods.join(', ')}`;
  if (!httpMethods.includes(method)) refuse('method', methods, shown(method));
  if (api === 'legacy' && query.team_id !== undefined)
    refuse('query.team_id', 'the option teamId of the client', typeName(query.team_id));
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  const encoded = pairs.map(([name, value]) => `${encode(name, 'query')}=${encode(value, `query.${name}`)}`);
  if (body !== undefined && isReadMethod(method))
    refuse('body', `left out: ${method} has no body`, typeName(body));
  const json = toJsonText(body, 'body');
  if (!json.ok) return refuseFor([json.issue]);
  return { path: encodePath(path, params), query: encoded.join('&'), body: json.text };
}

/** Segments of parameters and of characters that no URL changes or gives a meaning to. */
const pathPattern = /^(?:\/(?:\{\w+\}|[\w.~!$&'()*+,;=:@-])+)+\/?$/;
const dotSegment = /\/\.\.?(?:\/|$)/;
const segments =
  'segments of letters and digits, with parameters such as {id}: other values go into params, and a query into query';

function encodePath(path: string, params: Readonly<Record<string, unknown>> = {}): string {
  if (typeof path !== 'string' || !path.startsWith('/'))
    refuse('path', 'a path that begins with /, such as /contact/{id}', shown(path));
  if (/^\/api\/v1(?:\/|$)/.test(path))
    refuse('path', 'relative to the interface: without /api/v1', shown(path));
  if (!pathPattern.test(path) || dotSegment.test(path)) refuse('path', segments, shown(path));
  const names = parameterNames(path);
  const unused = Object.keys(params).find(name => !names.includes(name));
  if (unused !== undefined) refuse(`params.${unused}`, `a parameter of ${path}`, 'another name');
  const encoded = path.replaceAll(parameter, (_, name: string) => {
    const value = Object.hasOwn(params, name) && params[name] !== '' ? params[name] : undefined;
    return encode(value, `params.${name}`);
  });
  // A URL gives `..` a meaning, however it is encoded.
  if (dotSegment.test(encoded)) refuse('params', 'other than "." and ".."', 'one of them');
  return encoded;
}

/** Encodes text, a boolean or a number for a URL. */
function encode(value: unknown, path: string): string {
  const isExact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (isExact) return decimalText(value as number);
  if (typeof value === 'string' || typeof value === 'boolean') return encodeURIComponent(value);
  return refuse(path, 'text, a boolean, or an exact number (a parameter cannot be empty)', typeName(value));
}

const shown = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value) : typeName(value);

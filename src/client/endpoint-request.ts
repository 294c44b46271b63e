import { shown, toJsonText } from '../core/json.ts';
import {
  aBoolean,
  anything,
  aPlainObject,
  type OptionRules,
  oneOf,
  optionIssues,
  required,
} from '../core/options.ts';
import type { Issue } from '../errors.ts';
import { decimalText, isExact } from '../helpers/decimal-text.ts';
import type { EncodedRequest, HttpMethod, Operation } from '../http/operation.ts';
import { isStandardSchema, responseParser, type StandardSchema } from '../http/standard-schema.ts';
import { isReadMethod } from '../http/transport.ts';

/** Request to an endpoint that this library has no method for. */
export interface EndpointRequest<Output = unknown> {
  /**
   * Interface of the endpoint; decides the base URL, the API key, and `team_id`.
   * @defaultValue 'rest'
   */
  readonly api?: 'rest' | 'legacy' | undefined;
  /** HTTP method. */
  readonly method: HttpMethod;
  /** Path relative to the interface, with parameters in braces: `/tag/{id}`. */
  readonly path: string;
  /** Value of each parameter of `path`. Values are URL-encoded, and cannot be empty. */
  readonly params?: Readonly<Record<string, string | number>> | undefined;
  /** Query parameters. Those that are `undefined` are omitted. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** Body, sent as JSON. GET and HEAD have none. */
  readonly body?: unknown;
  /**
   * Standard Schema of the response, for example from zod or valibot. The result is its output, regardless of the option
   * `validation`; neither a time limit nor `signal` ends an asynchronous one. Without a schema, the result is the parsed
   * JSON, typed as `unknown`.
   */
  readonly schema?: StandardSchema<Output> | undefined;
  /**
   * Whether it is safe to repeat the request: if so, the call is retried after an unknown outcome. A retried DELETE can
   * end in a `NotFoundError` even if its first attempt deleted the resource.
   * @defaultValue `true` for GET and HEAD, otherwise `false`
   */
  readonly idempotent?: boolean | undefined;
}

const parameter = /\{(\w+)\}/g;

/** Segments of parameters, and of characters that URLs neither change nor interpret. */
const pathPattern = /^(?:\/(?:\{\w+\}|[\w.~!$&'()*+,;=:@-])+)+\/?$/;

/** The path of the interfaces themselves. */
const ownPath = /^\/api\/v1(?:\/|$)/;

/** A gateway can decode `/` and `\`, so that another path arrives. */
const pathValue = /^[^/\\]+$/;

/** URLs interpret these, however they are encoded. */
const dotSegment = /\/\.\.?(?:\/|$)/;

/**
 * Rules of the members of a request. The calls are marked as pure, so that bundlers can drop them from a program that
 * only uses helpers or errors.
 */
const requestRules: OptionRules<keyof EndpointRequest> = {
  api: /* @__PURE__ */ oneOf(['rest', 'legacy']),
  method: /* @__PURE__ */ required(/* @__PURE__ */ oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'])),
  path: /* @__PURE__ */ required({
    expected: 'a path such as /tag/{id}, without host, /api/v1 and ?: values go into params and query',
    isValid: path =>
      typeof path === 'string' && pathPattern.test(path) && !ownPath.test(path) && !dotSegment.test(path),
  }),
  params: aPlainObject,
  query: aPlainObject,
  body: anything,
  schema: { expected: 'a Standard Schema, such as one of zod or valibot', isValid: isStandardSchema },
  idempotent: aBoolean,
};

/** Creates the operation of a request, or one that is refused. `redact` removes secrets from its name and its path. */
export function endpointOperation(request: unknown, redact: (text: string) => string): Operation<unknown> {
  const issues = [...optionIssues(request, requestRules)];
  const encoded = issues.length > 0 ? undefined : encodeRequest(request as EndpointRequest, issues);
  const { api = 'rest', method, path, schema, idempotent }: EndpointRequest = Object(request);
  const isValid = issues.length === 0;
  return {
    name: isValid ? redact(`${method} ${path}`) : 'request',
    api,
    method,
    path: isValid ? redact(path) : '',
    ...(encoded && { request: encoded }),
    kind: 'write',
    idempotent: idempotent ?? isReadMethod(method),
    input: { validateInput: () => (isValid ? { ok: true, value: undefined } : { ok: false, issues }) },
    output: responseParser(schema),
  };
}

/** Encodes a request. Adds an issue for everything that would not be sent as intended. */
function encodeRequest(request: EndpointRequest, issues: Issue[]): EncodedRequest {
  const { api, method, path, params = {}, query = {}, body } = request;
  const refuse = (at: string, expected: string, value: unknown) =>
    issues.push({ path: at, expected, received: shown(value) });
  const encode = (at: string, value: unknown) =>
    urlText(value) ?? refuse(at, 'a string, a boolean, or an exact number', value);
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : `${encode(`query.${name}`, name)}=${encode(`query.${name}`, value)}`,
  );
  const values = new Map(Object.entries(params));
  const encoded = path.replaceAll(parameter, (_, name) => `${encode(`params.${name}`, values.get(name))}`);
  for (const [name, value] of values)
    if (!path.includes(`{${name}}`)) refuse(`params.${name}`, `in the path, as {${name}}`, value);
    else if (!pathValue.test(String(value)))
      refuse(`params.${name}`, 'a non-empty string without / and \\', value);
  if (dotSegment.test(encoded)) refuse('params', 'anything but "." and ".."', params);
  if (api === 'legacy' && query.team_id !== undefined)
    refuse('query.team_id', 'left out: the option teamId of the client sets it', query.team_id);
  if (body !== undefined && isReadMethod(method)) refuse('body', `left out: ${method} has no body`, body);
  const json = toJsonText(body, 'body');
  if (!json.ok) issues.push(json.issue);
  return { path: encoded, query: pairs.join('&'), body: json.ok ? json.text : undefined };
}

/** Encodes a string, a boolean or a number for a URL; `undefined` if it cannot be encoded exactly. */
function urlText(value: unknown): string | undefined {
  if (isExact(value)) return decimalText(value);
  const isText = typeof value === 'string' && !/\p{Surrogate}/u.test(value);
  return isText || typeof value === 'boolean' ? encodeURIComponent(value) : undefined;
}

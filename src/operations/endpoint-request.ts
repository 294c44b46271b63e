import type { Issue } from '../errors.ts';
import type { EncodedRequest, HttpMethod, Operation } from '../http/call/operation.ts';
import { maxIssues } from '../http/issue-text.ts';
import { isPlainObject, typeName } from '../http/json.ts';
import { toJsonText } from '../http/json-text.ts';
import { isStandardSchema, responseParser, type StandardSchema } from '../http/standard-schema.ts';
import { didYouMean, unknownNames } from '../http/unknown-option.ts';
import { encodePath } from './endpoint-path.ts';
import { scalarText } from './scalar-text.ts';

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
   * Schema of the response: any Standard Schema, such as one of zod, valibot or arktype. Its output is the result. It is
   * applied whatever the option `validation` says.
   * @defaultValue none: the result is the parsed JSON, as `unknown`
   */
  readonly schema?: StandardSchema<Output> | undefined;
  /**
   * `true` if a second request changes nothing, so that the call is retried after an unknown outcome. A retried DELETE
   * can end in a `NotFoundError` although its first attempt deleted the resource.
   * @defaultValue `true` for GET and HEAD, otherwise `false`
   */
  readonly idempotent?: boolean | undefined;
}

/** Interfaces, by their names. */
const apis: readonly unknown[] = ['rest', 'legacy'];

/** Methods that an endpoint can have. */
const httpMethods: readonly unknown[] = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
] satisfies readonly HttpMethod[];

/** Members of a request. */
const requestNames = {
  api: true,
  method: true,
  path: true,
  params: true,
  query: true,
  body: true,
  schema: true,
  idempotent: true,
} satisfies Record<keyof EndpointRequest, true>;

/** Returns `true` if a request of this method only reads. */
export const isReadMethod = (method: unknown): boolean => method === 'GET' || method === 'HEAD';

/**
 * Creates the operation of a request. Never throws: what is wrong with the request are the issues of its input.
 *
 * @param redact - Removes secrets from the name and the path that telemetry and errors show.
 */
export function endpointOperation(request: unknown, redact: (text: string) => string): Operation<unknown> {
  try {
    if (!isPlainObject(request)) return refused([issueOf('', 'an object', request)]);
    return toOperation({ ...request }, redact);
  } catch {
    return refused([{ path: '', expected: 'an object whose members can be read', received: 'another' }]);
  }
}

function toOperation(given: Record<string, unknown>, redact: (text: string) => string): Operation<unknown> {
  const { api = 'rest', method, path, idempotent = isReadMethod(method), schema } = given;
  const [issues, request] = encodeRequest(given);
  if (!apis.includes(api)) issues.unshift(issueOf('api', "'rest' or 'legacy'", api));
  if (typeof idempotent !== 'boolean') issues.push(issueOf('idempotent', 'true or false', idempotent));
  if (schema !== undefined && !isStandardSchema(schema))
    issues.push(issueOf('schema', 'a Standard Schema, such as one of zod, valibot or arktype', schema));
  issues.push(...unknownMembers(given));
  if (issues.length > 0) return refused(issues);
  return {
    name: redact(`${method} ${path}`),
    api: api as string,
    method: method as HttpMethod,
    path: redact(path as string),
    request,
    idempotent: idempotent as boolean,
    output: responseParser(schema as StandardSchema | undefined),
  };
}

/** Creates the operation that fails with these issues before anything is sent. */
const refused = (issues: readonly Issue[]): Operation<unknown> => ({
  name: 'request',
  api: 'rest',
  method: 'GET',
  path: '',
  idempotent: false,
  input: { validate: () => ({ ok: false, issues: issues.slice(0, maxIssues) }) },
  output: responseParser(undefined),
});

const issueOf = (path: string, expected: string, value: unknown): Issue => ({
  path,
  expected,
  received: typeName(value),
});

const unknownMembers = (given: object): Issue[] =>
  unknownNames(given, Object.keys(requestNames)).map(({ name, nearest }) => {
    const hint = didYouMean(nearest);
    const message = `unknown option "${name}"${hint}`;
    return { path: name, expected: `absent: there is no such option${hint}`, received: 'a value', message };
  });

/** Encodes a request, and lists what is wrong with its method, path, parameters, query and body. */
function encodeRequest(given: Record<string, unknown>): [Issue[], EncodedRequest] {
  const { method, path, params = {}, query = {}, body } = given;
  const issues: Issue[] = [];
  if (!httpMethods.includes(method))
    issues.push(issueOf('method', `one of ${httpMethods.join(', ')}`, method));
  if (!isPlainObject(params)) issues.push(issueOf('params', 'an object of texts and numbers', params));
  const encodedPath = encodePath(path, isPlainObject(params) ? params : {});
  if (!encodedPath.ok) issues.push(...encodedPath.issues);
  if (!isPlainObject(query)) issues.push(issueOf('query', 'an object of texts, numbers and booleans', query));
  const encodedQuery = encodeQuery(isPlainObject(query) ? query : {}, given.api === 'legacy', issues);
  const json = toJsonText(body, 'body');
  if (!json.ok) issues.push(json.issue);
  if (body !== undefined && isReadMethod(method))
    issues.push(issueOf('body', `left out: ${method} has no body`, body));
  return [
    issues,
    {
      path: encodedPath.ok ? encodedPath.path : '',
      query: encodedQuery,
      body: json.ok ? json.text : undefined,
    },
  ];
}

function encodeQuery(query: Record<string, unknown>, isLegacy: boolean, issues: Issue[]): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    const path = `query.${name}`;
    const [key, text] = [scalarText(name), scalarText(value)];
    if (isLegacy && name === 'team_id') issues.push(issueOf(path, 'the option teamId of the client', value));
    else if (!key || text === undefined)
      issues.push(issueOf(path, 'text, a boolean, or an exact number', value));
    else pairs.push(`${key}=${text}`);
  }
  return pairs.join('&');
}

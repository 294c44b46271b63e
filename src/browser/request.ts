import type { Issue } from '../errors.ts';
import type { ApiPromise } from '../http/call/api-promise.ts';
import type { HttpClient } from '../http/call/http-client.ts';
import type { Operation, ResponseSchema } from '../http/call/operation.ts';
import type { CallOptions } from '../http/call-options.ts';
import { isObject, typeName } from '../http/json.ts';
import { toJsonText } from '../http/json-text.ts';
import { isStandardSchema, responseParser, type StandardSchema } from '../http/standard-schema.ts';
import type { EndpointRequest } from '../operations/endpoint-request.ts';
import { requestOperation } from '../protocol.ts';
import { readRecord } from './read-record.ts';
import { withCallId } from './resources.ts';

/** Type of the method `request` of a keyless client. */
export type RequestMethod = <Output = unknown>(
  request: EndpointRequest<Output>,
  options?: CallOptions,
) => ApiPromise<NoInfer<Output>>;

/** Creates the method that asks the handler at `path` to call an endpoint. The handler validates the request. */
export const makeRequest =
  (http: HttpClient, path: string): RequestMethod =>
  <Output>(request: EndpointRequest<Output>, options?: CallOptions) =>
    http.call(askForEndpoint(request, path) as Operation<unknown, Output>, undefined, withCallId(options));

/** Call of an endpoint, or the issues of an invalid one. */
type Asked =
  | { readonly name: string; readonly input: string; readonly schema: StandardSchema | undefined }
  | { readonly issue: Issue };

function askForEndpoint(given: unknown, path: string): Operation<unknown> {
  const asked = read(given);
  const isValid = 'name' in asked;
  const input = isValid ? asked.input : '';
  return {
    name: isValid ? asked.name : requestOperation,
    api: 'proxy',
    method: 'POST',
    path,
    request: { path, query: '', body: `{"operation":"${requestOperation}","input":${input}}` },
    idempotent: true,
    oncePerCall: isValid && !asked.name.startsWith('GET '),
    input: {
      validate: () => (isValid ? { ok: true, value: undefined } : { ok: false, issues: [asked.issue] }),
    },
    output: inData(responseParser(isValid ? asked.schema : undefined)),
  };
}

/** Reads a request. Never throws. `schema` and `idempotent` stay in the page. */
function read(given: unknown): Asked {
  try {
    if (!isObject(given)) return { issue: { path: '', expected: 'an object', received: typeName(given) } };
    const { schema, idempotent, ...input }: Record<string, unknown> = { api: 'rest', ...given };
    if (schema !== undefined && !isStandardSchema(schema))
      return { issue: { path: 'schema', expected: 'a Standard Schema', received: typeName(schema) } };
    const json = toJsonText(input, '');
    if (!json.ok) return json;
    return { name: `${input.method} ${input.path}`, input: json.text ?? '', schema };
  } catch {
    return { issue: { path: '', expected: 'an object that can be read', received: 'another' } };
  }
}

/** Parses what the handler sends as the data of its response. */
const inData = (inner: ResponseSchema<unknown>): ResponseSchema<unknown> => ({
  parse(json, validation) {
    const read = readRecord(requestOperation, json);
    return read.ok ? inner.parse(read.value, validation) : read;
  },
});

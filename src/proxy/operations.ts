import type { EmailMarketingClient } from '../client.ts';
import { ConfigurationError, type Issue } from '../errors.ts';
import type { Operation } from '../http/call/operation.ts';
import { invalidRequest } from '../http/issues.ts';
import { isObject } from '../http/json.ts';
import { checkConfiguration, invalidOption } from '../http/options/check-options.ts';
import { aFunction, anObject, anything, isOptions, type OptionRules } from '../http/options/rules.ts';
import type { OperationName } from '../operation-names.ts';
import { endpointOperation, isReadMethod, parameterNames } from '../operations/endpoint-request.ts';
import { operations } from '../operations/index.ts';
import { requestOperation, type WireEndpointRequest } from '../protocol.ts';
import type { AllowedEndpoint, ProxySettings } from './options.ts';

/** A call that the handler may be asked for: of an operation, or of an endpoint in `allow`. */
export interface AllowedCall {
  /** Returns the issues of an input; none if it is valid. */
  readonly issuesOf: (input: unknown) => readonly Issue[];
  /** `false` if the call takes no input: what a web page sends is dropped. */
  readonly takesInput: boolean;
  /** Returns `true` if performing the call twice with this input is the same as performing it once. */
  readonly isIdempotent: (input: unknown) => boolean;
  /** Performs the call with a valid input. */
  readonly perform: (client: EmailMarketingClient, input: unknown) => PromiseLike<unknown>;
  /** Returns the part of a result that a web page sees. */
  readonly output: (result: unknown, request: Request) => unknown;
}

/** Returns the call of an operation and an input that the options allow, or `undefined` if they do not. */
export function allowedCall(settings: ProxySettings, name: string, input: unknown): AllowedCall | undefined {
  if (name === requestOperation) {
    const endpoint = findEndpoint(settings.endpoints, input);
    return endpoint && endpointCall(endpoint);
  }
  return settings.operations.has(name) ? operationCall(settings, name as OperationName) : undefined;
}

function operationCall(settings: ProxySettings, name: OperationName): AllowedCall {
  const operation: Operation = operations[name];
  const { idempotent } = operation;
  const show = settings.output[name] as AllowedCall['output'] | undefined;
  return {
    issuesOf: input => issuesOf(operation, input),
    takesInput: operation.input !== undefined,
    isIdempotent: input => (typeof idempotent === 'function' ? idempotent(input as never) : idempotent),
    perform: (client, input) => client.perform(operation, input),
    output: show ?? (result => defaultOutput(operation, result)),
  };
}

/** A web page gave the name that it creates, and needs the id. */
function defaultOutput({ name, method }: Operation, result: unknown): unknown {
  if (method === 'GET') return result;
  return pick(result, name.endsWith('.create') ? ['id', 'name'] : ['status', 'message']);
}

function endpointCall({ method, idempotent = isReadMethod(method), output }: AllowedEndpoint): AllowedCall {
  return {
    issuesOf: endpointIssues,
    takesInput: true,
    isIdempotent: () => idempotent,
    perform: (client, input) => client.request({ ...(input as WireEndpointRequest), idempotent }),
    output: output ?? (result => (isReadMethod(method) ? result : pick(result, ['status', 'message']))),
  };
}

/** Picks members that are text, a number or a boolean: an object could hold a whole record. */
function pick(result: unknown, members: readonly string[]): object {
  if (!isObject(result)) return {};
  return Object.fromEntries(
    members.map(member => [member, result[member]]).filter(([, value]) => isScalar(value)),
  );
}

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

/** Returns the last entry of `allow` for exactly the interface, method and path of a request. */
function findEndpoint(endpoints: readonly AllowedEndpoint[], input: unknown): AllowedEndpoint | undefined {
  if (!isObject(input)) return undefined;
  const { api = 'rest', method, path } = input;
  return endpoints.findLast(
    entry => (entry.api ?? 'rest') === api && entry.method === method && entry.path === path,
  );
}

/** Members of a request that no web page may send. */
const serverNames = ['schema', 'idempotent'] as const;

function endpointIssues(input: unknown): readonly Issue[] {
  for (const path of serverNames)
    if (isObject(input) && Object.hasOwn(input, path))
      return [{ path, expected: 'absent: the server decides on it', received: 'a value' }];
  return issuesOf(endpointOperation(input, String), undefined);
}

function issuesOf(operation: Operation<never>, input: unknown): readonly Issue[] {
  const checked = operation.input?.validate(input);
  return checked?.ok === false ? checked.issues : [];
}

/** Rules of an endpoint; `endpointOperation` checks all but its `output`. */
const endpointRules: OptionRules<keyof AllowedEndpoint> = {
  api: anything,
  method: anything,
  path: anything,
  idempotent: anything,
  output: aFunction,
};

/** Throws a `ConfigurationError` unless an entry of `allow` is an endpoint. */
export function checkEndpoint(endpoint: AllowedEndpoint): void {
  if (!isOptions(endpoint)) throw invalidOption('allow[]', anObject.expected);
  checkConfiguration('an endpoint in allow', endpoint, endpointRules, { parent: 'allow[].' });
  const { output, ...given } = endpoint;
  const names = typeof given.path === 'string' ? parameterNames(given.path) : [];
  const example = { ...given, params: Object.fromEntries(names.map(name => [name, 'x'])) };
  const issues = issuesOf(endpointOperation(example, String), undefined);
  if (issues.length > 0)
    throw new ConfigurationError(invalidRequest('Option allow', issues).message, { option: 'allow' });
}

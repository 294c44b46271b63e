import { endpoints, operationNames } from '../endpoints.ts';
import type { Issue } from '../errors.ts';
import type { Operation } from '../http/call/operation.ts';
import { isObject } from '../http/json.ts';
import { endpointOperation, isReadMethod } from '../operations/endpoint-request.ts';
import { operations } from '../operations/index.ts';
import { requestOperation } from '../protocol.ts';
import type { AllowedEndpoint, ProxySettings } from './options.ts';

/** A call that the options allow: of an operation, or of an endpoint in `allow`. */
export interface AllowedCall {
  /** Name of an operation, or `request`. */
  readonly name: string;
  readonly operation: Operation<unknown>;
  /** Input; absent if the operation takes none, whatever a web page sends. */
  readonly input: unknown;
  /** Returns the part of a result that a web page sees. */
  readonly output: (result: unknown, request: Request) => unknown;
}

/** Returns the call of an operation and an input, or `undefined` if the options do not allow it. */
export function allowedCall(settings: ProxySettings, name: string, sent: unknown): AllowedCall | undefined {
  if (name === requestOperation) return endpointCall(settings, sent);
  const known = operationNames.find(each => each === name);
  if (!known || !settings.allow.includes(known)) return undefined;
  const operation = operations[known] as Operation<unknown>;
  const input = operation.input && sent;
  const { kind } = endpoints[known];
  // A web page knows the name that it creates, and needs the id.
  const members = kind === 'create' ? ['id', 'name'] : ['status', 'message'];
  const publicPart = (result: unknown) => (kind === 'read' ? result : pick(result, members));
  const output = (settings.output[known] as AllowedCall['output'] | undefined) ?? publicPart;
  return { name, operation, input, output };
}

/** Returns the call of the last entry of `allow` for exactly the interface, method and path of a request. */
function endpointCall({ allow }: ProxySettings, input: unknown): AllowedCall | undefined {
  if (!isObject(input)) return undefined;
  const { api = 'rest', method, path } = input;
  const isAsked = (entry: (typeof allow)[number]): entry is AllowedEndpoint =>
    typeof entry === 'object' &&
    (entry.api ?? 'rest') === api &&
    entry.method === method &&
    entry.path === path;
  const endpoint = allow.findLast(isAsked);
  if (!endpoint) return undefined;
  const isRead = isReadMethod(method);
  const { idempotent = isRead, output } = endpoint;
  return {
    name: requestOperation,
    operation: { ...endpointOperation(input, String), idempotent },
    input,
    output: output ?? (result => (isRead ? result : pick(result, ['status', 'message']))),
  };
}

/** Picks members that are text, a number or a boolean: an object could hold a whole record. */
function pick(result: unknown, members: readonly string[]): object {
  if (!isObject(result)) return {};
  const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
  return Object.fromEntries(
    members.map(member => [member, result[member]]).filter(([, value]) => isScalar(value)),
  );
}

export function issuesOf({ name, operation, input }: AllowedCall): readonly Issue[] {
  if (name === requestOperation && Object.hasOwn(input as object, 'idempotent'))
    return [{ path: 'idempotent', expected: 'absent: the server decides on it', received: 'a value' }];
  const checked = operation.input?.validate(input);
  return checked?.ok === false ? checked.issues : [];
}

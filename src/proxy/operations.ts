import { endpoints, type OperationName, operationNames } from '../endpoints.ts';
import type { Issue } from '../errors.ts';
import type { Operation } from '../http/call/operation.ts';
import { isObject } from '../http/json.ts';
import { operations } from '../resources/operations.ts';
import type { ProxySettings } from './options.ts';

/** A call that the options allow. */
export interface AllowedCall {
  readonly name: OperationName;
  readonly operation: Operation<unknown>;
  /** Input; absent if the operation takes none, whatever a web page sends. */
  readonly input: unknown;
  /** Returns the part of a result that a web page sees. */
  readonly output: (result: unknown, request: Request) => unknown;
}

/** Returns the call of an operation and an input, or `undefined` if the options do not allow it. */
export function allowedCall(settings: ProxySettings, name: string, sent: unknown): AllowedCall | undefined {
  const known = operationNames.find(each => each === name);
  if (!known || !settings.allow.includes(known)) return undefined;
  const operation = operations[known] as Operation<unknown>;
  const input = operation.input && sent;
  const { kind } = endpoints[known];
  // A web page knows the name that it creates, and needs the id.
  const members = kind === 'create' ? ['id', 'name'] : ['status', 'message'];
  const publicPart = (result: unknown) => (kind === 'read' ? result : pick(result, members));
  const output = (settings.output[known] as AllowedCall['output'] | undefined) ?? publicPart;
  return { name: known, operation, input, output };
}

/** Picks members that are text, a number or a boolean: an object could hold a whole record. */
function pick(result: unknown, members: readonly string[]): object {
  if (!isObject(result)) return {};
  const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
  return Object.fromEntries(
    members.map(member => [member, result[member]]).filter(([, value]) => isScalar(value)),
  );
}

export function issuesOf({ operation, input }: AllowedCall): readonly Issue[] {
  const checked = operation.input?.validate(input);
  return checked?.ok === false ? checked.issues : [];
}

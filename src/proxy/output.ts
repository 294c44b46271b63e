import { isObject } from '../http/json.ts';
import type { OperationName } from '../operation-names.ts';
import { isReadMethod } from '../operations/endpoint-request.ts';
import { isRead } from './operations.ts';
import type { AllowedEndpoint } from './options.ts';

/**
 * Returns the part of a result that a page sees where no `output` is given: of a read, all of it; of a creation, `id`
 * and `name`, as the page gave the name and needs the id; of every other write, `status` and `message`.
 */
export function defaultOutput(operation: OperationName, result: unknown): unknown {
  if (isRead(operation)) return result;
  return pick(result, operation.endsWith('.create') ? ['id', 'name'] : ['status', 'message']);
}

/**
 * Returns the part of an endpoint's result that a page sees: what its `output` returns, or else of a read all of it, and
 * of a write `status` and `message`.
 */
export function endpointOutput(
  endpoint: AllowedEndpoint | undefined,
  result: unknown,
  request: Request,
): unknown {
  if (endpoint?.output) return endpoint.output(result, request);
  return isReadMethod(endpoint?.method) ? result : pick(result, ['status', 'message']);
}

/** Picks members that are text, a number or a boolean: an object could hold a whole record. */
function pick(result: unknown, members: readonly string[]): object {
  if (!isObject(result)) return {};
  return Object.fromEntries(
    members.map(member => [member, result[member]]).filter(([, value]) => isScalar(value)),
  );
}

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

import { isObject } from '../http/json.ts';
import type { OperationName } from '../protocol.ts';
import { isRead } from './operations.ts';

/**
 * Returns the part of a result that a page sees where no `output` is given: of a read, all of it; of a creation, `id`
 * and `name`, as the page gave the name and needs the id; of every other write, `status` and `message`.
 */
export function defaultOutput(operation: OperationName, result: unknown): unknown {
  if (isRead(operation)) return result;
  const members = operation.endsWith('.create') ? ['id', 'name'] : ['status', 'message'];
  if (!isObject(result)) return {};
  return Object.fromEntries(
    members.filter(member => Object.hasOwn(result, member)).map(member => [member, result[member]]),
  );
}

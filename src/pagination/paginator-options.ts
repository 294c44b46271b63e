import { invalidRequest } from '../http/issues.ts';
import { isObject } from '../http/json.ts';
import { checkOptions, describe } from '../http/options/check-options.ts';
import {
  aFunction,
  aNumberFromOne,
  anAbortSignal,
  anything,
  type OptionRules,
} from '../http/options/rules.ts';
import { hash, hashesInCheckpoint, hashLength } from './record-hash.ts';

/** Options of each request that loads a page; the request checks them. */
const callOptions: OptionRules = {
  timeout: anything,
  totalTimeout: anything,
  maxRetries: anything,
  headers: anything,
};

/** Throws an `InvalidRequestError` unless the options, the checkpoint among them, are valid. */
export function checkPaginatorOptions(
  operation: string,
  options: unknown,
  largestPage: number,
  source: string,
): void {
  checkOptions(operation, options, {
    pageSize: {
      expected: `a whole number from 1 to ${largestPage}`,
      isValid: value => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= largestPage,
    },
    concurrency: aNumberFromOne,
    checkpoint: { expected: 'the checkpoint of a paginator', isValid: isObject },
    signal: anAbortSignal,
    onProgress: aFunction,
    ...callOptions,
  });
  const { checkpoint } = options as { readonly checkpoint?: object };
  if (checkpoint) checkCheckpoint(operation, checkpoint, source);
}

const tailPattern = /^[0-9a-z]*$/;

/** Throws an `InvalidRequestError` unless a checkpoint, which may come from anywhere, is one of this source. */
function checkCheckpoint(operation: string, checkpoint: object, source: string): void {
  const { offset, tail, ...rest } = checkpoint as Readonly<Record<string, unknown>>;
  const maxTail = hashesInCheckpoint * hashLength;
  const isTail =
    typeof tail === 'string' &&
    tail.length <= maxTail &&
    tail.length % hashLength === 0 &&
    tailPattern.test(tail);
  const issues = [
    rest.source !== source && {
      path: 'checkpoint.source',
      expected: 'that of a paginator over the same records',
      received: typeof rest.source === 'string' ? 'another' : describe(rest.source),
    },
    !(Number.isSafeInteger(offset) && (offset as number) >= 0) && {
      path: 'checkpoint.offset',
      expected: 'a whole number from 0',
      received: describe(offset),
    },
    !isTail && {
      path: 'checkpoint.tail',
      expected: `the text of at most ${hashesInCheckpoint} hashes`,
      received: typeof tail === 'string' ? 'other text' : describe(tail),
    },
  ].filter(issue => issue !== false);
  if (issues.length > 0) throw invalidRequest(operation, issues);
}

/** Names the paginator's own parameters of a page, which no filter may set. */
const pageParameters: readonly string[] = ['offset', 'limit'];

/** Returns the name of an operation and filter that a checkpoint belongs to. Does not show what the filter searches. */
export function sourceName(operation: string, filter: unknown, name: string): string {
  if (!isObject(filter))
    throw invalidRequest(name, [{ path: 'filter', expected: 'an object', received: describe(filter) }]);
  const own = Object.keys(filter).filter(name => pageParameters.includes(name));
  if (own.length > 0)
    throw invalidRequest(
      name,
      own.map(path => ({ path, expected: 'left out: the paginator sets it', received: 'a value' })),
    );
  const fields = Object.entries(filter).filter(([, value]) => value !== undefined);
  const text = fields.map(([name, value]) => `${name}=${typeof value === 'string' ? value : typeof value}`);
  return `${operation} ${hash(text.sort().join('\n'))}`;
}

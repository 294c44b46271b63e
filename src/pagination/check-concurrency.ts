import { invalidRequest } from '../core/invalid-request.ts';

/** Checks how many things are to go on at once. */
export function checkConcurrency(operation: string, concurrency: number): number {
  if (concurrency >= 1) return concurrency;
  throw invalidRequest(operation, [
    { path: 'concurrency', expected: 'a number from 1', received: String(concurrency) },
  ]);
}

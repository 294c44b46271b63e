import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects garbage. */
export const collectGarbage: () => void = runInNewContext('gc');

/**
 * Returns the bytes in use after a garbage collection, of the heap and of buffers outside it. Collects twice: buffers that
 * the first collection finds are freed in another thread, and counted until the second.
 */
export function memoryInUse(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

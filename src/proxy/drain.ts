import { withTimeLimit } from './time-limit.ts';

/** Longest time, in milliseconds, in which the rest of a refused body is read and dropped. */
const drainTimeout = 2_000;

/** Reads and drops the rest of a body. Resolves to `false` when it is longer than `maxBytes`, slow or broken. */
export async function drain(chunks: AsyncIterator<Uint8Array>, maxBytes: number): Promise<boolean> {
  let dropped = 0;
  let stopped = false;
  const readOn = async (): Promise<boolean> => {
    while (!stopped && dropped <= maxBytes) {
      const { done, value } = await chunks.next();
      if (done) return true;
      dropped += value.byteLength;
    }
    return false;
  };
  try {
    return await withTimeLimit(drainTimeout, readOn, Error);
  } catch {
    return false;
  } finally {
    stopped = true;
  }
}

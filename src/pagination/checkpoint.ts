import type { Checkpoint } from '../errors.ts';

/** Number of hashes in a checkpoint: 2.2 kB of text, for more records than a page of contacts contains. */
export const maxHashes = 200;

/** Length of a hash, in characters. */
export const hashLength = 11;

/** Returns a 55-bit hash of a text. Numbers of at most 30 bits convert to text ten times as fast as larger ones. */
export function hash(text: string): string {
  let high = 1;
  let low = 2;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x85ebca6b);
    high ^= low >>> 15;
    low ^= high >>> 13;
  }
  return (high >>> 2).toString(36).padStart(6, '0') + (low >>> 7).toString(36).padStart(5, '0');
}

/** Returns the name of a listing and filter in checkpoints. Does not reveal the search text. */
export function sourceName(operation: string, filter: object): string {
  const fields = Object.entries(filter).filter(([, value]) => value !== undefined);
  const texts = fields.map(([name, value]) => `${name}=${typeof value === 'string' ? value : typeof value}`);
  return `${operation} ${hash(texts.sort().join('\n'))}`;
}

/** Whether a value, which may come from anywhere, is a checkpoint of this source. */
export function isCheckpoint(value: unknown, source: string): value is Checkpoint {
  const { source: found, offset, tail } = Object(value) as Record<string, unknown>;
  const isTail = typeof tail === 'string' && /^(?:[0-9a-z]{11}){0,200}$/.test(tail);
  return found === source && isTail && Number.isSafeInteger(offset) && (offset as number) >= 0;
}

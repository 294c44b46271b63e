import type { Checkpoint } from '../errors.ts';

/** Hashes in a checkpoint: 2.2 kB of text, and more records than a page of contacts holds. */
export const maxHashes = 200;

/** Characters of a hash. */
export const hashLength = 11;

/** Returns a hash of a text, of 55 bits. Numbers of 30 bits are made into text ten times as fast as larger ones. */
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

/** Returns the name that checkpoints have for a listing and filter. Does not show what the filter searches for. */
export function sourceName(operation: string, filter: object): string {
  const fields = Object.entries(filter).filter(([, value]) => value !== undefined);
  const texts = fields.map(([name, value]) => `${name}=${typeof value === 'string' ? value : typeof value}`);
  return `${operation} ${hash(texts.sort().join('\n'))}`;
}

/** Returns `true` for a checkpoint of a source. The value may come from anywhere. */
export function isCheckpoint(value: unknown, source: string): value is Checkpoint {
  const { offset, tail, ...rest } = Object(value) as Record<string, unknown>;
  const isTail = typeof tail === 'string' && /^(?:[0-9a-z]{11}){0,200}$/.test(tail);
  return rest.source === source && isTail && Number.isSafeInteger(offset) && (offset as number) >= 0;
}

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

/** Returns what identifies a listing and filter in checkpoints. Does not reveal the search text. */
export function sourceName(operation: string, filter: object): string {
  const texts = Object.entries(filter).filter(([, value]) => typeof value === 'string');
  return hash([operation, ...texts.sort()].join('\n'));
}

/** The version of the format, the source, the offset and the hashes. Every 1.x of this library reads version 1. */
const format = /^1\.([0-9a-z]{11})\.(\d{1,15})\.((?:[0-9a-z]{11}){0,200})$/;

/** `offset` is the position after the last yielded record, `tail` the hashes by which it is found again, oldest first. */
export const writeCheckpoint = (source: string, offset: number, tail: string): string =>
  `1.${source}.${offset}.${tail}`;

/** Returns offset and hashes of a checkpoint of this source; `undefined` for any other value, which may come from anywhere. */
export function readCheckpoint(value: unknown, source: string): [offset: number, tail: string] | undefined {
  const [, found, offset, tail = ''] = format.exec(typeof value === 'string' ? value : '') ?? [];
  return found === source ? [Number(offset), tail] : undefined;
}

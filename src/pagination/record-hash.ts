/** Characters of one hash: 53 bits in base 36, so that 200 hashes match one of a million foreign records once in 10^7. */
export const hashLength = 11;

/** Hashes in a checkpoint: 2.2 kB of text, and more records than a page of contacts holds. */
export const hashesInCheckpoint = 200;

/** Returns a hash of a text, as text of a fixed length. */
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
  return ((high >>> 11) * 2 ** 32 + (low >>> 0)).toString(36).padStart(hashLength, '0');
}

/** Returns the hashes that a tail holds, oldest first. */
export function splitHashes(tail: string): string[] {
  const count = tail.length / hashLength;
  return Array.from({ length: count }, (_, index) =>
    tail.slice(index * hashLength, (index + 1) * hashLength),
  );
}

/** Adds the hashes of `texts` to those in `tail` and keeps the last 200. */
export function joinHashes(tail: string, texts: readonly string[]): string {
  return (tail + texts.slice(-hashesInCheckpoint).map(hash).join('')).slice(-hashesInCheckpoint * hashLength);
}

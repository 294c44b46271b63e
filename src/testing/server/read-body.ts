/** Size of the buffer at first, in bytes: an ordinary body fits. */
const firstSize = 16_384;

/**
 * Reads a body to its end. Returns its text, or `undefined` if it has more bytes than the limit: those are dropped as they
 * arrive. Chunks are copied together, because a chunk is an object of a hundred bytes, and can be one byte long.
 */
export async function readBody(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<string | undefined> {
  let bytes = new Uint8Array(firstSize);
  let length = 0;
  for await (const chunk of chunks) {
    const end = length + chunk.length;
    if (end > bytes.length && end <= maxBytes) bytes = enlarged(bytes, end);
    if (end <= maxBytes) bytes.set(chunk, length);
    length = end;
  }
  return length > maxBytes ? undefined : textOf(bytes.subarray(0, length));
}

/** Copies bytes to a buffer of at least twice their size, so that many small chunks are copied a few times only. */
function enlarged(bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(size, 2 * bytes.length));
  larger.set(bytes);
  return larger;
}

/** Returns the text of a body. A byte order mark stays, which is not valid JSON, as a server does. */
export const textOf = (bytes: ArrayBuffer | Uint8Array): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

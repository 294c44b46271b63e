/** Reads a body to its end. Returns its text, or `undefined` if it has more bytes than the limit, which are not kept. */
export async function readBody(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<string | undefined> {
  const kept: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length <= maxBytes) kept.push(chunk);
  }
  return length > maxBytes ? undefined : textOf(Buffer.concat(kept));
}

/** Returns the text of a body. Keeps a byte order mark, as servers do, so that the body is not valid JSON. */
export const textOf = (bytes: ArrayBuffer | Uint8Array): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

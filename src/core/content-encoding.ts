type Decoder = 'unzip' | 'brotliDecompress' | 'zstdDecompress';
type Decode = (
  bytes: Uint8Array,
  options: { readonly maxOutputLength: number },
  done: (error: Error | null, result: Uint8Array) => void,
) => void;

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: 'unzip',
  'x-gzip': 'unzip',
  deflate: 'unzip',
  br: 'brotliDecompress',
  zstd: 'zstdDecompress',
};

/** What is asked for; others are undone as well when they come. */
export const acceptedEncodings = 'gzip, br';

/**
 * Undoes what a `content-encoding` header names, on Node. A coding that this Node does not know is left as it is, as
 * `fetch` leaves it. Rejects when more than `maxBytes` would come of it.
 */
export async function undoEncoding(
  bytes: Uint8Array,
  codings: string,
  maxBytes: number,
): Promise<Uint8Array> {
  const zlib = process.getBuiltinModule('node:zlib') as Partial<Record<Decoder, Decode>>;
  let plain = bytes;
  for (const coding of codings.toLowerCase().split(',').reverse()) {
    const decode = zlib[decoders[coding.trim()] ?? 'zstdDecompress'];
    if (!decode || !decoders[coding.trim()] || plain.length === 0) break;
    const encoded = plain;
    plain = await new Promise((resolve, reject) => {
      decode(encoded, { maxOutputLength: maxBytes }, (error, result) =>
        error ? reject(error) : resolve(result),
      );
    });
  }
  return plain;
}

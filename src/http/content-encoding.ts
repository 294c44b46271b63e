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

/** Encodings that are asked for. Others are decoded as well when they come. */
export const acceptedEncodings = 'gzip, br';

/** Most encodings that are decoded, one inside the other: as many as Node's `fetch` accepts. */
const maxEncodings = 5;

/**
 * Decodes a body by its `content-encoding` header, on Node. An encoding that this Node does not know is left as it is,
 * as `fetch` leaves it. Rejects when a layer holds more than `maxBytes`, when there are too many, and, between two of
 * them, once `signal` has aborted.
 */
export async function decodeBody(
  bytes: Uint8Array,
  encodings: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const zlib = process.getBuiltinModule('node:zlib') as Partial<Record<Decoder, Decode>>;
  const names = encodings.toLowerCase().split(',');
  if (names.length > maxEncodings) throw new Error(`more than ${maxEncodings} content encodings`);
  let plain = bytes;
  for (const name of names.reverse()) {
    signal.throwIfAborted();
    const decoder = decoders[name.trim()];
    const decode = decoder && zlib[decoder];
    if (!decode || plain.length === 0) break;
    const encoded = plain;
    plain = await new Promise((resolve, reject) => {
      decode(encoded, { maxOutputLength: maxBytes }, (error, result) =>
        error ? reject(error) : resolve(result),
      );
    });
  }
  return plain;
}

import { BodyTooLargeError } from './http-response.ts';
import { BodyBuffer } from './transport/body-buffer.ts';

/** The part of a response that is read: one of the runtime, or of a package such as node-fetch. */
export interface ReadableResponse {
  /** HTTP status. */
  readonly status: number;
  /** Headers, of which `content-length` and `content-encoding` are read. */
  readonly headers: { get(name: string): string | null };
  /** Body as a web stream or a Node stream; anything else is read through `text`. */
  readonly body?: unknown;
  /** Reads the whole body as text. */
  text(): Promise<string>;
}

/** Reads the body of a response as text. Throws as soon as it is known to be larger than `maxBytes`. */
export async function readBody(response: ReadableResponse, maxBytes: number): Promise<string> {
  const { body, headers, status } = response;
  const length = Number(headers.get('content-length'));
  if (length > maxBytes) {
    await closeBody(body);
    throw new BodyTooLargeError(status);
  }
  // The HTTP layer holds the sender of a plain body to the length it states, unless the body is chunked as well.
  const lengthIsKnown = length > 0 && !headers.get('content-encoding') && !headers.get('transfer-encoding');
  const chunks = lengthIsKnown ? undefined : chunksOf(body);
  const text = chunks ? await joinText(chunks, maxBytes) : await response.text();
  if (text === undefined || text.length > maxBytes) throw new BodyTooLargeError(status);
  return text;
}

/** Joins chunks of UTF-8 as text, and stops with `undefined` once they hold more than `maxBytes`. */
async function joinText(
  chunks: AsyncIterable<Uint8Array | string>,
  maxBytes: number,
): Promise<string | undefined> {
  const body = new BodyBuffer(maxBytes);
  const encoder = new TextEncoder();
  for await (const chunk of chunks)
    if (!body.add(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)) return undefined;
  return body.text();
}

type Chunks = AsyncIterable<Uint8Array | string>;

/** Returns the chunks of a stream of the web or of Node; `undefined` where there is no stream. */
function chunksOf(body: unknown): Chunks | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  if ('getReader' in body) return readerChunks(body as ReadableStream<Uint8Array>);
  return Symbol.asyncIterator in body ? (body as Chunks) : undefined;
}

/** Reads by a reader, as not every browser can iterate over a stream. */
async function* readerChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let ended = false;
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) yield chunk.value;
    ended = true;
  } finally {
    if (!ended) await reader.cancel().catch(() => {});
  }
}

async function closeBody(body: unknown): Promise<void> {
  const stream = (body ?? {}) as { cancel?(): Promise<void>; destroy?(): void };
  stream.destroy?.();
  await stream.cancel?.().catch(() => {});
}

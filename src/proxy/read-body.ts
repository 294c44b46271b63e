import { refusal } from './refusal.ts';
import type { ProxySettings } from './settings.ts';
import { withTimeLimit } from './time-limit.ts';

/** Reads the body of a request as text, within the limits of bytes and of time. */
export async function readBody(request: Request, settings: ProxySettings): Promise<string> {
  const { maxBodyBytes, bodyTimeout } = settings;
  if (Number(request.headers.get('content-length')) > maxBodyBytes) throw tooLarge();
  const reader = request.body?.getReader();
  if (!reader) return '';
  const timeoutError = () => refusal(408, 'The body did not arrive in time.');
  try {
    return await withTimeLimit(bodyTimeout, () => readText(reader, maxBodyBytes), timeoutError);
  } finally {
    // Neither waited for nor reported: the body may be broken, and the response does not depend on it.
    reader.cancel().catch(() => {});
  }
}

const tooLarge = () => refusal(413, 'The body is too large.');

async function readText(reader: ReadableStreamDefaultReader<Uint8Array>, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const chunk = await reader.read().catch(() => {
      throw refusal(400, 'The body did not arrive in full.');
    });
    if (chunk.done) return text + decoder.decode();
    bytes += chunk.value.byteLength;
    if (bytes > maxBytes) throw tooLarge();
    text += decoder.decode(chunk.value, { stream: true });
  }
}

import { Readable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { type ReadableResponse, readBody } from '../../src/http/read-body.ts';

const maxBytes = 10;
const tooLarge = { message: 'the body is too large', status: 418 };

/** A response of these headers, whose `text` is used unless its body is a stream. */
const responseOf = (
  headers: Record<string, string>,
  body: unknown,
  text: () => Promise<string> = async () => {
    throw new Error('text() was called');
  },
): ReadableResponse => ({ status: 418, headers: new Headers(headers), body, text });

/** A stream of the web that sends these chunks and then, unless it is said to end, nothing. */
function webStream(chunks: readonly Uint8Array[], ends = true) {
  const cancel = vi.fn();
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      if (ends) controller.close();
    },
    cancel,
  });
  return { stream, cancel };
}

const bytes = (text: string) => new TextEncoder().encode(text);
const bytewise = (text: string) => [...bytes(text)].map(byte => Uint8Array.of(byte));

describe('a body whose length is stated', () => {
  test.each([{ 'content-length': '10' }, { 'content-length': '9' }])('is read as text: %o', async headers => {
    const { stream } = webStream([]);
    expect(
      await readBody(
        responseOf(headers, stream, async () => '[1,2,3,4]'),
        maxBytes,
      ),
    ).toBe('[1,2,3,4]');
  });

  test.each([
    { 'content-length': '10', 'content-encoding': 'gzip' },
    { 'content-length': '10', 'transfer-encoding': 'chunked' },
    { 'content-length': '0' },
    { 'content-length': 'ten' },
    {},
  ])('is read from its stream where the length says nothing of the text: %o', async headers => {
    const { stream } = webStream([bytes('[1,2'), bytes(',3]')]);
    expect(await readBody(responseOf(headers, stream), maxBytes)).toBe('[1,2,3]');
  });

  test('is not read where it is too large, and its connection is closed', async () => {
    const { stream, cancel } = webStream([bytes('[1]')], false);
    await expect(readBody(responseOf({ 'content-length': '11' }, stream), maxBytes)).rejects.toMatchObject(
      tooLarge,
    );
    expect(cancel).toHaveBeenCalledOnce();
    const nodeStream = new Readable({ read() {} });
    await expect(
      readBody(responseOf({ 'content-length': '11' }, nodeStream), maxBytes),
    ).rejects.toMatchObject(tooLarge);
    expect(nodeStream.destroyed).toBe(true);
  });

  test.each([
    ['no body', null],
    ['a body that cannot be closed', {}],
    ['a body whose cancellation fails', { cancel: () => Promise.reject(new Error('locked')) }],
  ])('is too large also of a response with %s', async (_, body) => {
    await expect(readBody(responseOf({ 'content-length': '11' }, body), maxBytes)).rejects.toMatchObject(
      tooLarge,
    );
  });
});

describe('a body of unknown length', () => {
  const text = '€ 5 👋';
  const bodies = [
    ['a stream of the web', () => webStream(bytewise(text)).stream],
    ['a stream of Node', () => Readable.from(bytewise(text))],
    ['a stream of Node that decodes', () => Readable.from(['€ 5', ' 👋'])],
  ] as const;

  test.each(bodies)('is read from %s, whose characters may be split between chunks', async (_, body) => {
    expect(await readBody(responseOf({}, body()), 20)).toBe(text);
  });

  test('is read from a stream that ends in half a character', async () => {
    const { stream } = webStream([bytes('€').subarray(0, 2)]);
    expect(await readBody(responseOf({}, stream), maxBytes)).toBe('\uFFFD');
  });

  test.each([undefined, null, 'text', {}])('is read as text where the body is no stream: %j', async body => {
    expect(
      await readBody(
        responseOf({}, body, async () => '1234567890'),
        maxBytes,
      ),
    ).toBe('1234567890');
    await expect(
      readBody(
        responseOf({}, body, async () => '12345678901'),
        maxBytes,
      ),
    ).rejects.toMatchObject(tooLarge);
  });

  test('is read to the limit, and no further', async () => {
    const exact = webStream([bytes('12345'), bytes('67890')]);
    expect(await readBody(responseOf({}, exact.stream), maxBytes)).toBe('1234567890');
    const { stream, cancel } = webStream([bytes('12345'), bytes('678901')], false);
    await expect(readBody(responseOf({}, stream), maxBytes)).rejects.toMatchObject(tooLarge);
    expect(cancel).toHaveBeenCalledOnce();
    expect(exact.cancel).not.toHaveBeenCalled();
  });

  test('is too large also where its stream cannot be cancelled', async () => {
    const { stream, cancel } = webStream([bytes('12345678901')], false);
    cancel.mockRejectedValue(new Error('lost'));
    await expect(readBody(responseOf({}, stream), maxBytes)).rejects.toMatchObject(tooLarge);
  });

  test('rejects with the error of its stream', async () => {
    const lost = new Error('lost');
    const stream = new ReadableStream({ pull: controller => controller.error(lost) });
    await expect(readBody(responseOf({}, stream), maxBytes)).rejects.toBe(lost);
  });
});

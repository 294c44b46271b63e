import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { DispatchHandler } from '../../../../../src/http/transport/node/dispatch-handler.ts';
import type { AttemptContext } from '../../../../../src/http/transport/transport.ts';
import { attemptOf } from '../attempt.ts';

const contextWith = (maxBytes: number) => attemptOf({ maxBytes });

const makeHandler = ({ signal } = new AbortController(), context = contextWith(10)) =>
  new DispatchHandler(context, signal);

const bytes = (text: string) => Buffer.from(text, 'latin1');

/** Responds as undici 7 and 8 do. */
async function responding(headers: Record<string, string | string[]>, rawHeaders: unknown) {
  const handler = makeHandler();
  const controller = { abort: vi.fn(), rawHeaders: rawHeaders as never };
  handler.onRequestStart(controller);
  handler.onResponseStart(controller, 103, { link: '</early>' });
  handler.onResponseStart(controller, 200, headers);
  handler.onResponseData(controller, bytes('[]'));
  handler.onResponseEnd();
  return handler.response;
}

describe('a response', () => {
  const headers = { 'retry-after': '7', 'set-cookie': ['a=1', 'b=2'] };

  test.each<[string, unknown]>([
    [
      'of HTTP/1, from raw names and values',
      ['Retry-After', '7', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'].map(bytes),
    ],
    ['of HTTP/2, whose raw headers are an object', headers],
    ['of an interceptor, which has no raw headers', null],
    ['of a dispatcher that knows no raw headers', undefined],
  ])('%s has its headers', async (_, rawHeaders) => {
    const response = await responding(headers, rawHeaders);
    expect(response).toMatchObject({ status: 200, text: '[]' });
    expect(response.headers().get('retry-after')).toBe('7');
    expect(response.headers().getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.headers().has('link')).toBe(false);
  });
});

test('aborts the request at once when it starts after the abort', async () => {
  const abort = new AbortController();
  const reason = new Error('enough');
  abort.abort(reason);
  const handler = makeHandler(abort);
  const controller = { abort: vi.fn() };
  handler.onRequestStart(controller);
  expect(controller.abort).toHaveBeenCalledWith(reason);
  handler.onResponseError(controller, reason);
  await expect(handler.response).rejects.toBe(reason);
});

/** Starts a request whose abort is seen, as undici 6 does. */
function started(context?: AttemptContext) {
  const abort = vi.fn();
  const handler = makeHandler(undefined, context);
  handler.onConnect(abort);
  return { handler, abort };
}

const names = (headers: Headers) => [...headers].map(([name]) => name);

describe('the head of a response', () => {
  test.each([100, 103, 199])('is not that of %i, which precedes it', async status => {
    const context = contextWith(10);
    const { handler } = started(context);
    expect(handler.onHeaders(status, ['X-Early', '1'])).toBe(true);
    expect(context.phase).toBe('head');
    expect(handler.onHeaders(200, ['X-Late', '1'])).toBe(true);
    expect(context.phase).toBe('body');
    handler.onComplete();
    const response = await handler.response;
    expect([response.status, names(response.headers())]).toEqual([200, ['x-late']]);
  });

  test('ends with its last pair of name and value', async () => {
    const { handler } = started();
    handler.onHeaders(200, ['A', '1', 'B', '2', 'C']);
    handler.onComplete();
    expect([...(await handler.response).headers()]).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
  });
});

describe('a body', () => {
  const tooLarge = { failure: { status: 418, outcome: 'unknown' } };

  test.each(['10', 'ten', ''])('that states the length %j is read', async length => {
    const { handler, abort } = started();
    handler.onHeaders(200, ['Content-Length', length, 'X-Other', '99']);
    expect(handler.onData(bytes('12345'))).toBe(true);
    expect(handler.onData(bytes('67890'))).toBe(true);
    handler.onComplete();
    expect(await handler.response).toMatchObject({ text: '1234567890' });
    expect(abort).not.toHaveBeenCalled();
  });

  test('that outgrows the limit is refused, and its connection closed', async () => {
    const { handler, abort } = started();
    handler.onHeaders(418, []);
    handler.onData(bytes('12345'));
    handler.onData(bytes('678901'));
    await expect(handler.response).rejects.toMatchObject(tooLarge);
    expect(abort).toHaveBeenCalledOnce();
  });

  test('is decoded by all encodings that its headers list, in the order in which they were applied', async () => {
    const { handler } = started(contextWith(1_000));
    handler.onHeaders(200, ['Content-Encoding', 'br', 'content-encoding', 'gzip']);
    handler.onData(gzipSync(brotliCompressSync('[1]')));
    handler.onComplete();
    expect(await handler.response).toMatchObject({ status: 200, text: '[1]' });
  });

  test('that is too large once it is decoded is refused with its status', async () => {
    const { handler } = started(contextWith(100));
    handler.onHeaders(418, ['Content-Encoding', 'gzip']);
    handler.onData(gzipSync(' '.repeat(101)));
    handler.onComplete();
    await expect(handler.response).rejects.toMatchObject(tooLarge);
  });

  test('that lists more than five encodings is refused before any is decoded', async () => {
    const unzip = vi.spyOn(process.getBuiltinModule('node:zlib'), 'unzipSync');
    const { handler } = started(contextWith(1_000));
    handler.onHeaders(200, Array.from({ length: 6 }, () => ['content-encoding', 'gzip']).flat());
    handler.onData(gzipSync('[]'));
    handler.onComplete();
    await expect(handler.response).rejects.toThrow('more than 5 content encodings');
    expect(unzip).not.toHaveBeenCalled();
    unzip.mockRestore();
  });

  test('is too large if an inner layer is, whatever it holds', async () => {
    const { handler } = started(contextWith(1_000));
    handler.onHeaders(418, ['content-encoding', 'gzip, x-gzip']);
    handler.onData(gzipSync(gzipSync(' '.repeat(100_000))));
    handler.onComplete();
    await expect(handler.response).rejects.toMatchObject(tooLarge);
  });

  test('of nothing is empty, whatever its encoding', async () => {
    const { handler } = started();
    handler.onHeaders(200, ['content-encoding', 'gzip']);
    handler.onComplete();
    expect(await handler.response).toMatchObject({ text: '' });
  });

  test('that cannot be decoded rejects with the error of the decoder', async () => {
    const { handler } = started(contextWith(100));
    handler.onHeaders(200, ['Content-Encoding', 'gzip']);
    handler.onData(bytes('no gzip'));
    handler.onComplete();
    await expect(handler.response).rejects.toMatchObject({ code: 'Z_DATA_ERROR' });
  });
});

test('a request that is stopped before it starts is aborted when it starts', async () => {
  const controller = new AbortController();
  const handler = makeHandler(controller);
  controller.abort('enough');
  handler.stop('enough');
  await expect(handler.response).rejects.toBe('enough');
  const abort = vi.fn();
  handler.onConnect(abort);
  expect(abort).toHaveBeenCalledWith('enough');
});

import { describe, expect, test, vi } from 'vitest';
import { DispatchHandler } from '../../src/http/dispatch-handler.ts';

const makeHandler = (signal = new AbortController().signal) =>
  new DispatchHandler({ maxBytes: 1_000, idempotent: true, phase: 'head', timeoutMs: 1_000, signal }, signal);

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
  const handler = makeHandler(abort.signal);
  const controller = { abort: vi.fn() };
  handler.onRequestStart(controller);
  expect(controller.abort).toHaveBeenCalledWith(reason);
  handler.onResponseError(controller, reason);
  await expect(handler.response).rejects.toBe(reason);
});

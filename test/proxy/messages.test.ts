// What the handler says to a page whose request it rejects.
import { expect, test } from 'vitest';
import { createBrowserClient } from '../../src/browser/index.ts';
import type { ProxyOptions } from '../../src/proxy/index.ts';
import { failureOf } from '../client/support.ts';
import { makePage } from './page.ts';

/** A request whose body a function controls. */
const bodyOf = (pull: (controller: ReadableStreamDefaultController) => unknown) => ({
  body: new ReadableStream({ pull: controller => void pull(controller) }, { highWaterMark: 0 }),
  duplex: 'half',
});

test.each<[message: string, init: object, headers?: Record<string, string>, options?: Partial<ProxyOptions>]>(
  [
    ['The operation is not allowed here: see the option allow.', {}, {}, { allow: [] }],
    [
      'Pages of this origin are not allowed here: see the option allowedOrigins.',
      {},
      { origin: 'https://shop.test' },
    ],
    [
      'This host is not allowed here: see the option allowedHosts.',
      {},
      { host: 'shop.test' },
      { allowedHosts: ['app.test'] },
    ],
    ['tags.create: not allowed for this request.', {}, {}, { authorize: () => false }],
    ['The header x-call-id is not a call id.', {}, { 'x-call-id': 'a' }],
    ['The method must be POST.', { method: 'PUT' }],
    ['The content type must be application/json.', {}, { 'content-type': 'text/plain' }],
    ['The body must be a JSON object of operation and input, and nothing else.', { body: '[]' }],
    ['The body is too large.', {}, {}, { maxBodyBytes: 5 }],
    ['The body did not arrive in time.', bodyOf(() => {}), {}, { bodyTimeout: 50 }],
    ['The body did not arrive in full.', bodyOf(controller => controller.error(new Error('reset')))],
  ],
)('the page reads: %s', async (message, init, headers = {}, options = {}) => {
  const { handler } = makePage({ allow: ['tags.create'], ...options });
  const page = createBrowserClient({
    url: 'https://app.test/api/email-marketing',
    maxRetries: 0,
    fetch: (url, sent) => {
      // No request with a stream as its body outlives its page.
      const request = new Request(url, { ...sent, ...init, keepalive: false });
      for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
      return handler(request);
    },
  });
  expect(await failureOf(page.tags.create({ name: 'vip' }))).toMatchObject({ message });
});

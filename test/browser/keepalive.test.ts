// Requests that outlive their page: browsers allow 65 536 bytes of bodies in flight, in all.
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createBrowserClient } from '../../src/browser/index.ts';
import type { FetchFunction } from '../../src/index.ts';
import { useNoRetryDelay } from '../client/support.ts';

useNoRetryDelay();

beforeEach(() => {
  vi.stubGlobal('location', new URL('https://app.test/sign-up'));
  onTestFinished(() => void vi.unstubAllGlobals());
});

/** Creates a page whose responses come when `respond` is called, the oldest first. */
function slowPage() {
  const waiting: (() => void)[] = [];
  const sent: { body: string; keepalive: unknown }[] = [];
  const fetch = async (_url: string, { body, keepalive }: RequestInit) => {
    sent.push({ body: String(body), keepalive });
    await new Promise<void>(resolve => waiting.push(resolve));
    return Response.json({ data: { status: 'success' } });
  };
  const { legacy } = createBrowserClient({ url: 'https://app.test/api', fetch });
  return { legacy, sent, respond: () => waiting.shift()?.() };
}

/** Bytes of the body of an `identify` without the text of its company. */
const bytesAround = '{"operation":"legacy.identify","input":{"email":"ada@example.com","company":""}}'.length;

/** Input of an `identify` whose body has this many bytes. */
const inputOf = (bytes: number, character = 'x') => ({
  email: 'ada@example.com',
  company: character.repeat((bytes - bytesAround) / new TextEncoder().encode(character).length),
});

test('a request outside a web page has no keepalive: a framework can pass it on to a mounted handler', async () => {
  vi.unstubAllGlobals();
  const fetch: FetchFunction = async (url, init) => {
    // As Hono does when it mounts a handler.
    const mounted = new Request(`${url}/mounted`, new Request(url, init as RequestInit));
    return Response.json({ data: await mounted.json() });
  };
  const { tags } = createBrowserClient({ url: 'https://app.test/api', fetch, maxRetries: 0 });
  expect(await tags.create({ name: 'vip' })).toMatchObject({ operation: 'tags.create' });
});

test.each<[number, string, boolean]>([
  [60_000, 'x', true],
  [60_001, 'x', false],
  [bytesAround + 80_000, 'é', false],
])('a request with a body of %d bytes, of %s, has keepalive: %s', async (bytes, character, keepalive) => {
  const { legacy, sent, respond } = slowPage();
  const call = legacy.identify(inputOf(bytes, character));
  expect(new TextEncoder().encode(sent[0]?.body).length).toBe(bytes);
  expect(sent[0]?.keepalive).toBe(keepalive);
  respond();
  await call;
});

test('the bodies of all clients in flight count together, until their responses have arrived', async () => {
  const pages = [slowPage(), slowPage()] as const;
  const calls: PromiseLike<unknown>[] = [];
  const send = (page: (typeof pages)[number], bytes: number) => {
    calls.push(page.legacy.identify(inputOf(bytes)));
    return page.sent.at(-1)?.keepalive;
  };
  expect(send(pages[0], 30_000)).toBe(true);
  expect(send(pages[1], 29_500)).toBe(true);
  expect(send(pages[0], 1_000)).toBe(false);
  pages[1].respond();
  await calls[1];
  expect(send(pages[1], 1_000)).toBe(true);
  for (const page of [...pages, ...pages]) page.respond();
  await Promise.all(calls);
  expect(send(pages[0], 60_000)).toBe(true);
  pages[0].respond();
  await Promise.all(calls);
});

// Other scripts may have used up the bytes, and the browser then rejects the request.
test('a retry has no keepalive', async () => {
  const sent: unknown[] = [];
  const fetch = async (_url: string, { keepalive }: RequestInit) => {
    sent.push(keepalive);
    if (keepalive) throw new TypeError('Failed to fetch');
    return Response.json({ data: { status: 'success' } });
  };
  const { legacy } = createBrowserClient({ url: 'https://app.test/api', fetch });
  for (let call = 0; call < 2; call++) await legacy.identify(inputOf(60_000));
  expect(sent).toEqual([true, false, true, false]);
});

test('calls send at once, before the page can be left; no more than 117 in flight have keepalive', async () => {
  const { legacy, sent, respond } = slowPage();
  const calls = Array.from({ length: 130 }, () => legacy.identify(inputOf(100)));
  expect(sent.map(({ keepalive }) => keepalive)).toEqual(calls.map((_, index) => index < 117));
  for (const _ of calls) respond();
  await Promise.all(calls);
});

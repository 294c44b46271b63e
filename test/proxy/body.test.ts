// Bodies of requests to the handler: how they arrive, and how large and how slow they may be.
import { expect, test, vi } from 'vitest';
import type { ProxyOptions } from '../../src/proxy/index.ts';
import { makePage, readReply } from './page.ts';

const call = '{"operation":"tags.create","input":{"name":"café"}}';
const bytes = new TextEncoder().encode(call);
const json = { 'content-type': 'application/json' };
const id = { 'x-call-id': 'a'.repeat(32) };

type Then = (controller: ReadableStreamDefaultController<Uint8Array>) => unknown;

/** Makes a request whose body consists of these chunks, and then of what `then` does. */
function requestOf(
  chunks: readonly Uint8Array[],
  then: Then = controller => controller.close(),
  headers: Record<string, string> = {},
) {
  const cancel = vi.fn();
  const rest = [...chunks];
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const next = rest.shift();
    if (next) controller.enqueue(next);
    else then(controller);
  };
  const body = new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
  const request = new Request('https://app.test/', { ...init, headers: { ...json, ...headers } });
  return { request, cancel, unread: () => rest.length };
}

const silent = () => {};

/** Sends a request to a handler, and returns its reply and the number of requests that the service got. */
async function reply(request: Request, options: Partial<ProxyOptions> = {}) {
  const { handler, sandbox } = makePage({ allow: ['tags.create'], ...options });
  const { status, body } = await readReply(await handler(request));
  return { status, body, requests: sandbox.requests.length };
}

/** Messages of what is wrong with a body, by status. */
const messages = {
  400: expect.stringMatching(/^The body (must be a JSON object|did not arrive in full)/),
  408: 'The body did not arrive in time.',
  413: 'The body is too large.',
};

const rejected = (status: keyof typeof messages) => {
  const error = { name: 'BadRequestError', outcome: 'not-sent', message: messages[status] };
  return { status, requests: 0, body: { error } };
};

test('performs a call whose body arrives in parts, even if they split a character and have no time limit', async () => {
  const cut = bytes.indexOf(0xc3) + 1;
  const { request } = requestOf([bytes.slice(0, cut), bytes.slice(cut)], undefined, id);
  const replied = await reply(request, { bodyTimeout: Number.POSITIVE_INFINITY });
  expect(replied).toMatchObject({ status: 200, body: { data: { name: 'café' } } });
});

test.each<[string, Record<string, string>]>([
  ['of a stated length', { ...id, 'content-length': String(bytes.length) }],
  ['of no stated length', id],
])('accepts a body %s up to the limit, and rejects a longer one', async (_, headers) => {
  const exact = requestOf([bytes], undefined, headers);
  expect(await reply(exact.request, { maxBodyBytes: bytes.length })).toMatchObject({ status: 200 });
  const longer = requestOf([bytes], undefined, headers);
  expect(await reply(longer.request, { maxBodyBytes: bytes.length - 1 })).toMatchObject(rejected(413));
});

test('rejects a body whose stated length exceeds the limit before it reads any of it', async () => {
  const { request, unread } = requestOf([bytes], silent, { 'content-length': '101' });
  expect(await reply(request, { maxBodyBytes: 100 })).toMatchObject(rejected(413));
  expect(unread()).toBe(1);
});

test('stops reading a body that exceeds the limit, and cancels it', async () => {
  const { request, unread, cancel } = requestOf(Array.from({ length: 100 }, () => new Uint8Array(1000)));
  expect(await reply(request, { maxBodyBytes: 10_000 })).toMatchObject(rejected(413));
  expect(unread()).toBeGreaterThan(80);
  expect(cancel).toHaveBeenCalledOnce();
});

test.each<[string, 400 | 408, Then, Record<string, string>]>([
  ['does not arrive in time', 408, () => new Promise(silent), {}],
  ['does not arrive in time', 408, () => new Promise(silent), id],
  ['is cut short', 400, controller => controller.error(new Error('reset')), {}],
  ['is cut short', 400, controller => controller.error(new Error('reset')), id],
])('rejects a body that %s with %i', async (_, status, then, headers) => {
  const { request, cancel } = requestOf([bytes.slice(0, 5)], then, headers);
  const expected = rejected(status);
  // An earlier request with the same id may have acted.
  if (headers === id) expected.body.error.outcome = 'unknown';
  expect(await reply(request, status === 408 ? { bodyTimeout: 20 } : {})).toMatchObject(expected);
  expect(cancel).toHaveBeenCalledTimes(status === 408 ? 1 : 0);
});

test('rejects a request without a body', async () => {
  const empty = new Request('https://app.test/', { method: 'POST', headers: json });
  expect(await reply(empty)).toMatchObject(rejected(400));
});

test.each<[string, (request: Request) => unknown, Record<string, string>, string]>([
  ['reads', request => request.body?.getReader(), {}, 'not-sent'],
  ['has read', request => request.json(), {}, 'not-sent'],
  ['has read', request => request.json(), id, 'unknown'],
])('says that something else on the server %s the body, and reports it', async (_, use, headers, outcome) => {
  const onError = vi.fn();
  const { request } = requestOf([bytes], undefined, headers);
  await use(request);
  const message = expect.stringContaining('Other code on the server has read the body. Mount the handler');
  expect(await reply(request, { onError })).toMatchObject({
    status: 500,
    body: { error: { name: 'ServerError', message, outcome } },
    requests: 0,
  });
  expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message }), 'a request');
});

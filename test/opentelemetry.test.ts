// The spans of `openTelemetryHooks`.
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type ClientOptions, EmailMarketingClient } from '../src/index.ts';
import { openTelemetryHooks } from '../src/opentelemetry.ts';
import { createSandbox } from '../src/testing/index.ts';
import { connect, errorOf, failureOf, useNoRetryDelay } from './client/support.ts';
import { eventually } from './support/eventually.ts';
import * as faults from './support/faults.ts';

const exporter = new InMemorySpanExporter();
let ids = 0;
const nextId = (length: number) => (++ids).toString(16).padStart(length, '0');
const provider = new BasicTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(exporter)],
  // The SDK makes ids by `Math.random`, which is replaced here.
  idGenerator: { generateSpanId: () => nextId(16), generateTraceId: () => nextId(32) },
});
const tracer = provider.getTracer('test');

/** Keeps the active context over `await`, as the SDK for Node does. */
const storage = new AsyncLocalStorage<Context>();
beforeAll(() => {
  const manager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active: Context, run: (...args: unknown[]) => unknown, self?: unknown, ...args: unknown[]) =>
      storage.run(active, () => run.apply(self, args)),
    bind: (_: Context, target: unknown) => target,
    enable: () => manager,
    disable: () => manager,
  };
  context.setGlobalContextManager(manager as Parameters<typeof context.setGlobalContextManager>[0]);
});
afterAll(() => context.disable());

useNoRetryDelay();
afterEach(() => exporter.reset());

const connectTraced = (options: ClientOptions = {}) =>
  connect({ hooks: openTelemetryHooks({ tracer }), ...options });

/** Returns the spans of calls, each with the spans of its attempts. */
function spansByCall() {
  const spans = exporter.getFinishedSpans();
  const calls = spans.filter(({ kind }) => kind === SpanKind.INTERNAL);
  const attemptsOf = (call: ReadableSpan) =>
    spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === call.spanContext().spanId);
  return calls.map(call => ({ call, attempts: attemptsOf(call) }));
}

test('a call is a span, and each of its attempts is a child span with the HTTP attributes', async () => {
  const { server, client } = await connectTraced();
  server.next(faults.tooManyRequests('0'), faults.resetBeforeResponse);
  await client.lists.list({ search: 'private' });
  const [{ call, attempts } = expect.fail()] = spansByCall();
  const port = Number(new URL(server.url).port);
  const place = { 'server.address': '127.0.0.1', 'server.port': port };
  expect(call.name).toBe('lists.list');
  const id = 'email_marketing_client.call_id';
  expect(call.attributes).toEqual({ ...place, [id]: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect(call.status.code).toBe(SpanStatusCode.UNSET);
  const each = {
    ...place,
    'http.request.method': 'GET',
    'url.full': `${server.url}/api/v1/rest/list`,
    'url.template': '/api/v1/rest/list',
  };
  expect(attempts.map(({ attributes }) => attributes)).toEqual([
    { ...each, 'http.response.status_code': 429, 'error.type': '429' },
    { ...each, 'http.request.resend_count': 1, 'error.type': 'ECONNRESET' },
    { ...each, 'http.request.resend_count': 2, 'http.response.status_code': 200 },
  ]);
  const { ERROR, UNSET } = SpanStatusCode;
  expect(attempts.map(({ status }) => status.code)).toEqual([ERROR, ERROR, UNSET]);
  for (const { name, kind } of attempts)
    expect([name, kind]).toEqual(['GET /api/v1/rest/list', SpanKind.CLIENT]);
});

test('a span has the id of a record in its URL, but not in its name', async () => {
  const { server, client } = await connectTraced();
  await client.tags.delete('tag_A1b2C3d4E5f6G7h8I9j0K1');
  await client.request({ method: 'GET', path: '/contact/{id}', params: { id: 'ada' } }).safe();
  const [known, other] = spansByCall();
  expect(known?.attempts.map(({ name }) => name)).toEqual(['DELETE /api/v1/rest/tag/{identifier}']);
  expect(known?.attempts[0]?.attributes['url.full']).toBe(
    `${server.url}/api/v1/rest/tag/tag_A1b2C3d4E5f6G7h8I9j0K1`,
  );
  expect(other?.call.name).toBe('GET /contact/{id}');
  expect(other?.attempts.map(({ name }) => name)).toEqual(['GET /api/v1/rest/contact/{id}']);
});

test('a failed call is a failed span with the class of its error and its outcome', async () => {
  const { server, client } = await connectTraced();
  server.next(faults.status(400), faults.notJson);
  await errorOf(client.tags.create({ name: 'n' }));
  await errorOf(client.senders.list());
  const [refused, unreadable] = spansByCall();
  expect(refused?.call.attributes).toMatchObject({
    'error.type': 'BadRequestError',
    'email_marketing_client.outcome': 'refused',
  });
  expect(refused?.call.status.code).toBe(SpanStatusCode.ERROR);
  expect([refused, unreadable].map(span => span?.attempts[0]?.attributes)).toMatchObject([
    { 'http.response.status_code': 400, 'error.type': '400' },
    { 'http.response.status_code': 200, 'error.type': 'InvalidResponseError' },
  ]);
});

test('an abort with any reason ends both spans', async () => {
  for (const [reason, type] of [
    [undefined, 'AbortError'],
    ['enough', '_OTHER'],
  ] as const) {
    exporter.reset();
    const { server, client } = await connectTraced();
    server.next(faults.neverResponds);
    const controller = new AbortController();
    const failure = failureOf(client.lists.list({}, { signal: controller.signal }));
    await eventually(() => expect(server.received).toHaveLength(1));
    controller.abort(reason);
    await failure;
    const [{ call, attempts } = expect.fail()] = spansByCall();
    expect(call.attributes['error.type']).toBe(type);
    expect(attempts.map(({ attributes }) => attributes['error.type'])).toEqual([type]);
  }
});

test.each([
  ['n', 'EmailMarketingError'],
  ['', 'InvalidRequestError'],
])(
  'a call that fails before it sends anything is one failed span without attempts: %j',
  async (name, type) => {
    const { client } = await connectTraced({ apiKey: () => Promise.reject(new Error('no key')) });
    await errorOf(client.tags.create({ name }));
    const [{ call, attempts } = expect.fail()] = spansByCall();
    const attributes = { 'error.type': type, 'email_marketing_client.outcome': 'not-sent' };
    expect(call.attributes).toMatchObject(attributes);
    expect(attempts).toEqual([]);
  },
);

test('the span of each concurrent call is a child of the span that was active when it was made', async () => {
  const { server, client } = await connectTraced({ throttle: { concurrency: 1 } });
  server.next(faults.tooManyRequests('0'));
  const parents = ['one', 'two'].map(name => tracer.startSpan(name));
  await Promise.all(
    parents.map(span =>
      context.with(trace.setSpan(ROOT_CONTEXT, span), async () => await client.senders.list()),
    ),
  );
  const found = spansByCall().map(({ call }) => call.parentSpanContext?.spanId);
  expect(found.sort()).toEqual(parents.map(span => span.spanContext().spanId).sort());
});

// A page that the iteration no longer needs is not a failure.
test('an iteration with prefetched pages that is left ends every span, and reports no failure', async () => {
  const sandbox = createSandbox({ seed: { contacts: 950 } });
  const [onError, started] = [vi.fn(), vi.spyOn(tracer, 'startSpan')];
  const hooks = [{ onError, onRetry: onError }, openTelemetryHooks({ tracer })];
  const client = new EmailMarketingClient({ ...sandbox.clientOptions, hooks });
  await client.contacts.all({}, { concurrency: 8 }).toArray({ max: 250 });
  await new Promise(resolve => setImmediate(resolve));
  const spans = exporter.getFinishedSpans();
  // Three pages hold 250 contacts, with two spans each: others were prefetched, and have none or one for an attempt.
  expect(spans.length).toBeGreaterThan(2 * 3);
  expect(started).toHaveBeenCalledTimes(spans.length);
  started.mockRestore();
  expect(new Set(spans.map(({ status }) => status.code))).toEqual(new Set([SpanStatusCode.UNSET]));
  expect(onError).not.toHaveBeenCalled();
});

test('no attribute, name or event shows a key, a team id, a query or a body', async () => {
  const apiKey = 'key-that-nobody-may-see';
  const teamId = 'team-that-nobody-may-see';
  const { server, client } = await connectTraced({ apiKey, teamId });
  const echo = JSON.stringify({ status: 'error', message: `${apiKey} ${teamId} private` });
  server.otherwise(faults.status(400, { 'x-echo': apiKey }, echo));
  await errorOf(client.legacy.track({ email: 'private@x.test', addTags: ['private'] }));
  await errorOf(client.request({ method: 'GET', path: `/${teamId}/{key}`, params: { key: apiKey } }));
  const seen = exporter
    .getFinishedSpans()
    .map(({ name, attributes, events, status }) => ({ name, attributes, events, status }));
  expect(seen).toHaveLength(4);
  expect(JSON.stringify(seen)).not.toMatch(/nobody-may-see|private/);
});

test('the global provider makes the spans if no tracer is set', async () => {
  trace.setGlobalTracerProvider(provider);
  const { client } = await connectTraced({ hooks: openTelemetryHooks() });
  await client.senders.list();
  expect(spansByCall()[0]?.call.instrumentationScope.name).toBe('email-marketing-client');
  trace.disable();
});

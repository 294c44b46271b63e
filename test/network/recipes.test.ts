import { trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type FaultServer, startFaultServer } from '../support/fault-server.ts';
import * as faults from '../support/faults.ts';
import { connect, errorOf, failureOf } from './support.ts';

/** The examples make a client of their own as they are imported. */
let service: FaultServer;
beforeAll(async () => {
  service = await startFaultServer();
  vi.stubEnv('EMAIL_MARKETING_BASE_URL', service.url);
  vi.stubEnv('EMAIL_MARKETING_API_KEY', 'key');
  vi.spyOn(console, 'log').mockImplementation(() => {});
});
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await service.close();
});

test('the recipe for OpenTelemetry makes a span per call and a child span per attempt', async () => {
  const { tracing } = await import('../../examples/opentelemetry.ts');
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  );
  const { server, client } = await connect({ hooks: tracing() });
  server.next(faults.tooManyRequests('0'));
  await client.senders.list();
  server.next(faults.status(400));
  await errorOf(client.tags.create({ name: 'n' }));
  const controller = new AbortController();
  server.next(faults.neverResponds);
  const failure = failureOf(client.lists.list({}, { signal: controller.signal }));
  await vi.waitFor(() => expect(server.received).toHaveLength(4));
  controller.abort();
  await failure;

  const spans = exporter.getFinishedSpans();
  const calls = spans.filter(span => span.parentSpanContext === undefined);
  expect(calls.map(({ name }) => name)).toEqual(['senders.list', 'tags.create', 'lists.list']);
  const triesOf = (index: number) => {
    const id = calls[index]?.spanContext().spanId;
    return spans.filter(span => span.parentSpanContext?.spanId === id).map(({ attributes }) => attributes);
  };
  expect(triesOf(0)).toMatchObject([
    { 'http.response.status_code': 429, 'http.request.resend_count': 0, 'url.path': '/api/v1/rest/sender' },
    { 'http.response.status_code': 200, 'http.request.resend_count': 1 },
  ]);
  expect(triesOf(1)).toMatchObject([{ 'http.request.method': 'POST', 'http.response.status_code': 400 }]);
  expect(calls[1]?.attributes).toEqual({ 'error.type': 'BadRequestError' });
  expect(triesOf(2)).toHaveLength(1);
  expect(calls[2]?.attributes).toEqual({ 'error.type': 'aborted' });
});

test('the recipe for a shared limiter keeps the rate limit of all clients, and a cancelled call does not wait', async () => {
  const { sharedLimiter } = await import('../../examples/shared-limiter.ts');
  const limiter = new RateLimiterMemory({ points: 3, duration: 3600 });
  const throttle = sharedLimiter(limiter, 'team');
  const one = await connect({ throttle });
  const other = await connect({ throttle });
  await Promise.all([one.client.senders.list(), other.client.senders.list(), one.client.senders.list()]);
  const controller = new AbortController();
  const fourth = failureOf(other.client.senders.list({ signal: controller.signal }));
  const fifth = await errorOf(one.client.senders.list({ totalTimeout: 100 }));
  expect(fifth).toMatchObject({
    name: 'TimeoutError',
    limit: 'totalTimeout',
    phase: 'queue',
    outcome: 'not-sent',
  });
  controller.abort('enough');
  expect(await fourth).toBe('enough');
  expect(one.server.received.length + other.server.received.length).toBe(3);
  await limiter.delete('team');
  expect(await other.client.senders.list()).toHaveLength(1);
});

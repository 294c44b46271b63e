// Both formats in one process, as when a dependency of a program requires the package.
import { createRequire } from 'node:module';
import { SpanKind } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import * as imported from 'email-marketing-client';
import { openTelemetryHooks } from 'email-marketing-client/opentelemetry';
import { createSandbox } from 'email-marketing-client/testing';
import { expect, test } from 'vitest';

const required: typeof imported = createRequire(import.meta.url)('email-marketing-client');

test('calls of two copies have a call id and a span each', async () => {
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  const tracer = new BasicTracerProvider({ spanProcessors }).getTracer('test');
  const ids = new Set<unknown>();
  const hooks: imported.Hooks[] = [
    openTelemetryHooks({ tracer }),
    { onRequest: ({ callId }) => ids.add(callId) },
  ];
  const { clientOptions } = createSandbox();
  const clients = [imported, required].map(
    ({ EmailMarketingClient }) => new EmailMarketingClient({ ...clientOptions, hooks }),
  );
  await Promise.all(clients.map(client => client.senders.list()));
  expect(ids.size).toBe(2);
  const calls = exporter.getFinishedSpans().filter(({ kind }) => kind === SpanKind.INTERNAL);
  expect(calls.map(({ name }) => name)).toEqual(['senders.list', 'senders.list']);
});

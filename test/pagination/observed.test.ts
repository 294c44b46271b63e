// What hooks, the log and spans say of an iteration: nothing of pages that it no longer wants.
import { SpanStatusCode } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { expect, test } from 'vitest';
import { EmailMarketingClient, type Hooks } from '../../src/index.ts';
import { openTelemetryHooks } from '../../src/opentelemetry.ts';
import { createSandbox } from '../../src/testing/index.ts';

function connect(tracing: Hooks = {}) {
  const sandbox = createSandbox({ seed: { contacts: 950 } });
  const reported: string[] = [];
  const note = (text: string) => () => void reported.push(text);
  const client = new EmailMarketingClient({
    ...sandbox.clientOptions,
    hooks: [{ onError: note('onError'), onRetry: note('onRetry') }, tracing],
    logger: { debug() {}, info: note('info'), warn: note('warn') },
    logLevel: 'debug',
  });
  return { sandbox, client, reported };
}

const iterations: readonly [string, (client: EmailMarketingClient) => Promise<unknown>][] = [
  ['an iteration to the end', client => client.contacts.all({}, { concurrency: 8 }).toArray()],
  ['toArray with max', client => client.contacts.all({}, { concurrency: 8 }).toArray({ max: 250 })],
  [
    'a loop that is left',
    async client => {
      for await (const page of client.contacts.all({}, { concurrency: 8 }).pages())
        if (page.length < 100) break;
    },
  ],
];

test.each(iterations)('%s ends every span, and reports no failure', async (_, iterate) => {
  const exporter = new InMemorySpanExporter();
  let started = 0;
  const count = {
    onStart() {
      started += 1;
    },
    onEnd() {},
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const provider = new BasicTracerProvider({ spanProcessors: [count, new SimpleSpanProcessor(exporter)] });
  const { client, sandbox, reported } = connect(openTelemetryHooks({ tracer: provider.getTracer('test') }));
  await iterate(client);
  await new Promise(resolve => setImmediate(resolve));
  const spans = exporter.getFinishedSpans();
  expect(started).toBeGreaterThanOrEqual(2 * sandbox.requests.length);
  expect(spans).toHaveLength(started);
  expect(new Set(spans.map(({ status }) => status.code))).toEqual(new Set([SpanStatusCode.UNSET]));
  expect(reported).toEqual([]);
});

test('an abort by the caller is reported as before', async () => {
  const { client, reported, sandbox } = connect();
  const controller = new AbortController();
  sandbox.hold('contacts.list');
  const iterated = client.contacts.all({}, { signal: controller.signal }).toArray();
  await new Promise(resolve => setImmediate(resolve));
  controller.abort('enough');
  await expect(iterated).rejects.toBe('enough');
  expect(reported).toContain('onError');
});

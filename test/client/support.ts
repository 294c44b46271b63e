// Server and client of the tests on a hostile network.
import { afterEach, beforeEach, expect, onTestFinished } from 'vitest';
import { type ClientOptions, EmailMarketingClient, EmailMarketingError } from '../../src/index.ts';
import { type FaultServer, startFaultServer } from '../support/fault-server.ts';

/** Starts a server for this test, and makes a client of it. */
export async function connect(
  options: ClientOptions = {},
): Promise<{ server: FaultServer; client: EmailMarketingClient }> {
  const server = await startFaultServer();
  onTestFinished(() => server.close());
  return { server, client: clientOf(server.url, options) };
}

export function clientOf(baseUrl: string, options: ClientOptions = {}): EmailMarketingClient {
  return new EmailMarketingClient({ baseUrl, apiKey: 'key', teamId: 'team', logLevel: 'off', ...options });
}

/** Returns the error of the library that a call rejects with. */
export async function errorOf(call: PromiseLike<unknown>): Promise<EmailMarketingError> {
  const error = await failureOf(call);
  if (EmailMarketingError.isInstance(error)) return error;
  throw new Error('not an error of the library', { cause: error });
}

/** Returns the value that a call rejects with. */
export async function failureOf(call: PromiseLike<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await call;
  } catch (error) {
    return error;
  }
  throw new Error(`the call was expected to fail, and gave ${JSON.stringify(value)}`);
}

/** Fails each test of the calling file that leaves a rejection unhandled: on Node, one of them ends the process. */
export function useRejectionWatch(): void {
  let rejections: unknown[] = [];
  const keep = (error: unknown) => void rejections.push(error);
  beforeEach(() => {
    rejections = [];
    process.on('unhandledRejection', keep).on('uncaughtExceptionMonitor', keep);
  });
  afterEach(async () => {
    // Rejections are reported once all microtasks have run.
    await new Promise(resolve => setTimeout(resolve, 20));
    process.off('unhandledRejection', keep).off('uncaughtExceptionMonitor', keep);
    expect(rejections).toEqual([]);
  });
}

/** Replaces the dispatcher that Node's `fetch` sends through until the test ends. `dispatch` gets Node's own first. */
export function replaceDispatcher(
  dispatch: (nodes: (...input: unknown[]) => boolean, ...input: unknown[]) => boolean,
): void {
  const key = Symbol.for('undici.globalDispatcher.1');
  const place = globalThis as unknown as Record<symbol, { dispatch: (...input: unknown[]) => boolean }>;
  const nodes = place[key];
  if (nodes === undefined) throw new Error('Node has made no dispatcher yet: make a call first');
  place[key] = { dispatch: (...input) => dispatch((...given) => nodes.dispatch(...given), ...input) };
  onTestFinished(() => {
    place[key] = nodes;
  });
}

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

type Dispatch = (...input: unknown[]) => boolean;

/** The places in which versions of undici keep the dispatcher of a program, by the symbols' last part. */
const dispatchers = globalThis as unknown as Record<symbol, { dispatch: Dispatch }>;

/** Puts a dispatcher into a place until the test ends. `dispatch` first gets that of the dispatcher which was there. */
export function replaceDispatcher(
  dispatch: (nodes: Dispatch, ...input: unknown[]) => boolean,
  // As measured: `fetch` of Node 26, with undici 8, looks in the second place.
  place = Number(process.versions.node.split('.')[0]) >= 26 ? '2' : '1',
): void {
  const key = Symbol.for(`undici.globalDispatcher.${place}`);
  const nodes = dispatchers[key] as { dispatch: Dispatch };
  dispatchers[key] = { dispatch: (...input) => dispatch((...given) => nodes.dispatch(...given), ...input) };
  onTestFinished(() => {
    dispatchers[key] = nodes;
  });
}

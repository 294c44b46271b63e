// Helpers of the tests: a server that fails on request, a client of it, the errors of calls, and programs.
import { spawn } from 'node:child_process';
import { type Dispatcher, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterEach, beforeEach, expect, onTestFinished, vi } from 'vitest';
import { type ClientOptions, EmailMarketingClient, EmailMarketingError } from '../../src/index.ts';
import { type FaultServer, startFaultServer } from '../support/fault-server.ts';

/** Starts a server for this test, and creates a client that sends to it. */
export async function connect(
  options: ClientOptions = {},
): Promise<{ server: FaultServer; client: EmailMarketingClient }> {
  const server = await startFaultServer();
  onTestFinished(() => server.close());
  return { server, client: clientOfServer(server.url, options) };
}

export function clientOfServer(baseUrl: string, options: ClientOptions = {}): EmailMarketingClient {
  return new EmailMarketingClient({ baseUrl, apiKey: 'key', teamId: 'team', logLevel: 'off', ...options });
}

/** Creates the client of a service that responds with this. Text is sent unchanged, anything else as JSON. */
export function clientOfResponse(
  body: unknown,
  status = 200,
  { headers = {}, ...options }: Omit<ClientOptions, 'headers'> & { headers?: Record<string, string> } = {},
): EmailMarketingClient {
  const text = async () => (typeof body === 'string' ? body : JSON.stringify(body));
  // The class `Response` rejects a status below 200.
  const fetch = async () => ({ status, headers: new Headers(headers), text });
  return clientOfServer('https://api.example.com', { fetch, maxRetries: 0, ...options });
}

/** Ways to send, as the option `fetch`. Runtimes other than Node always send through `fetch`. */
export const ways: readonly (readonly [name: string, given: ClientOptions['fetch']])[] = [
  ["Node's dispatcher", undefined],
  ['a given `fetch`', (url, init) => fetch(url, init)],
];

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
  throw new Error(`the call was expected to fail, but returned ${JSON.stringify(value)}`);
}

/** Runs a program with a client of these options, such as `{ maxRetries: 0 }`, and waits for it to end by itself. */
export async function runProgram(
  options: string,
  program: string,
  { flags = [], env = {} }: { flags?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<{ code: unknown; output: string }> {
  const script = `
    import { EmailMarketingClient } from '${new URL('../../src/index.ts', import.meta.url).href}';
    const client = new EmailMarketingClient({ apiKey: 'key', logLevel: 'off', ...${options} });
    ${program}`;
  const always = ['--conditions=repository', '--no-warnings', '--experimental-strip-types'];
  const child = spawn(process.execPath, [...always, ...flags, '--input-type=module', '--eval', script], {
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill());
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk));
  const code = await new Promise(done => child.on('close', done));
  return { code, output: output.trim() };
}

/** Makes the calling file's tests retry without delay: full jitter draws 0. */
export function useNoRetryDelay(): void {
  beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
  afterEach(() => void vi.restoreAllMocks());
}

/** Fails each test of the calling file that leaves a rejection unhandled, which would end a Node process. */
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

/** Sets a dispatcher of undici for the program until the test ends, in the place that `fetch` uses. */
export function useDispatcher<D extends Dispatcher>(dispatcher: D): D {
  const nodes = getGlobalDispatcher();
  setGlobalDispatcher(dispatcher);
  onTestFinished(() => setGlobalDispatcher(nodes));
  return dispatcher;
}

type Dispatch = (...input: unknown[]) => boolean;

const dispatchers = globalThis as unknown as Record<symbol, { dispatch: Dispatch }>;

/**
 * Replaces the global dispatcher of undici until the test ends. `dispatch` receives the original function first.
 * `place` is the end of the symbol under which a version of undici keeps the dispatcher: from Node 26 on, it is 2.
 */
export function replaceDispatcher(
  dispatch: (nodes: Dispatch, ...input: unknown[]) => boolean,
  place = Number(process.versions.node.split('.')[0]) >= 26 ? '2' : '1',
): void {
  const key = Symbol.for(`undici.globalDispatcher.${place}`);
  const nodes = dispatchers[key] as { dispatch: Dispatch };
  dispatchers[key] = { dispatch: (...input) => dispatch((...given) => nodes.dispatch(...given), ...input) };
  onTestFinished(() => {
    dispatchers[key] = nodes;
  });
}

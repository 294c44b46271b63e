// Server and client of the tests on a hostile network.
import { onTestFinished } from 'vitest';
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

import { onTestFinished } from 'vitest';
import { type ClientOptions, EmailMarketingClient, EmailMarketingError } from '../../src/index.ts';
import { type FaultServer, startFaultServer } from '../support/fault-server.ts';

/** A server for this test, and a client of it. */
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

/** The library's error that a call ends with. */
export async function errorOf(call: PromiseLike<unknown>): Promise<EmailMarketingError> {
  const error = await failureOf(call);
  if (EmailMarketingError.isInstance(error)) return error;
  throw new Error('not an error of the library', { cause: error });
}

/** Whatever a call rejects with. */
export async function failureOf(call: PromiseLike<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await call;
  } catch (error) {
    return error;
  }
  throw new Error(`the call was expected to fail, and gave ${JSON.stringify(value)}`);
}

// What users' code infers from the types, with each supported TypeScript. The blocks of the guides show more tasks.
import {
  bulk,
  ConflictError,
  EmailMarketingClient,
  EmailMarketingError,
  type IdentifyParams,
  increment,
  parseDkimConfig,
  RateLimitError,
  type Tag,
} from 'email-marketing-client';
import { openTelemetryHooks } from 'email-marketing-client/opentelemetry';

export const client = new EmailMarketingClient({
  logger: {
    warn: (message, { operation }) => console.warn(message, operation),
    info: () => {},
    debug: () => {},
  },
  hooks: [openTelemetryHooks(), { onError: ({ operation, outcome }) => console.log(operation, outcome) }],
});

export const signUp = async (email: string, name?: string) =>
  (await client.legacy.identify({ email, firstName: name, customFields: { points: increment(5) } })).data
    ?.tags;

export const recordsOf = async (name: string) => {
  const { dkim, dkimConfig, updated } = await client.domains.create({ name });
  return [dkim.host, parseDkimConfig(dkimConfig).Selector, updated?.slice(0, 10)];
};

export const limits = async () =>
  (await client.senders.list().withResponse()).response.headers.get('x-ratelimit-remaining');

export async function importRows(rows: AsyncIterable<IdentifyParams>): Promise<IdentifyParams[]> {
  const failed: IdentifyParams[] = [];
  const send = (row: IdentifyParams, { signal }: { signal: AbortSignal }) =>
    client.legacy.identify(row, { signal });
  for await (const result of bulk(rows, send, { concurrency: 16, key: row => row.email, ordered: false }))
    if (!result.ok) failed.push(result.input);
  return failed;
}

export async function createOnce(name: string): Promise<Tag | undefined> {
  try {
    return await client.tags.create({ name });
  } catch (error) {
    if (ConflictError.isInstance(error)) return undefined;
    if (error instanceof RateLimitError) await new Promise(done => setTimeout(done, error.retryAfterMs));
    if (EmailMarketingError.isInstance(error) && error.outcome === 'unknown') console.log(error.attempts);
    throw error;
  }
}

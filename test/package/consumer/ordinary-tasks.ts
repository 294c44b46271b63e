// Twenty tasks as most users write them, compiled against the published declarations.
import { readFile, writeFile } from 'node:fs/promises';
import {
  bulk,
  ConfigurationError,
  ConflictError,
  type ContactId,
  customField,
  EmailMarketingClient,
  EmailMarketingError,
  epochNanoseconds,
  type IdentifyParams,
  increment,
  type List,
  NotFoundError,
  parseDkimConfig,
  RateLimitError,
  type Tag,
} from 'email-marketing-client';
import { createBrowserClient } from 'email-marketing-client/browser';
import { openTelemetryHooks } from 'email-marketing-client/opentelemetry';
import { createProxyHandler, toNodeListener } from 'email-marketing-client/proxy';
import { createSandbox } from 'email-marketing-client/testing';

const client = new EmailMarketingClient({ totalTimeout: 20_000 });

/** 1: a signup. */
export async function signUp(form: { readonly email: string; readonly name?: string }): Promise<string[]> {
  const { data } = await client.legacy.identify({
    email: form.email,
    firstName: form.name,
    tags: ['newsletter'],
    customFields: { plan: 'pro', points: increment(5) },
  });
  return data?.tags ?? [];
}

/** 2: tags of a person. */
export const buy = (email: string) =>
  client.legacy.track({ email, addTags: ['customer'], removeTags: ['trial'] });

/** 3: an event. */
export const order = (id: ContactId, total: number) =>
  client.events.record({ name: 'Order placed', identifier: id, data: { total }, time: new Date() });

/** 4: a sending domain, and its records. */
export async function setUpDomain(name: string): Promise<readonly string[]> {
  const domain = await client.domains.create({ name });
  const { Selector } = parseDkimConfig(domain.dkimConfig);
  console.log(Selector, epochNanoseconds(domain.created) > 0n, domain.updated?.slice(0, 10));
  const { dkim, returnPath, dmarc } = domain;
  return [dkim, returnPath, dmarc].map(({ host, type, textValue }) => `${host} ${type} ${textValue}`);
}

/** 5: one page. */
export const search = async (text: string) =>
  (await client.contacts.list({ search: text, limit: 30, offset: 0 })).map(({ email }) => email).sort();

/** 6: every contact. */
export async function count(): Promise<number> {
  let unsubscribed = 0;
  for await (const contact of client.contacts.all()) if (contact.unsubscribed) unsubscribed += 1;
  return unsubscribed;
}

/** 7: a person by address, with a field. */
export async function planOf(email: string): Promise<string | undefined> {
  const contact = await client.contacts.findByEmail(email);
  return contact && customField(contact, 'field_8sK2mQ9xB4nT6vR1wZ7yLp');
}

/** 8: cleaning up. */
export async function deleteTests(): Promise<void> {
  for await (const list of client.lists.all({ search: 'test' })) await client.lists.delete(list.id);
}

/** 9: an import. */
export async function importRows(rows: AsyncIterable<IdentifyParams>): Promise<IdentifyParams[]> {
  const failed: IdentifyParams[] = [];
  const send = (row: IdentifyParams, { signal }: { signal: AbortSignal }) =>
    client.legacy.identify(row, { signal });
  for await (const result of bulk(rows, send, { concurrency: 16, key: row => row.email, ordered: false }))
    if (!result.ok) failed.push(result.input);
  return failed;
}

/** 10: an export that continues where it stopped. */
export async function exportTo(file: string): Promise<void> {
  const checkpoint = await readFile(file, 'utf8').catch(() => undefined);
  const contacts = client.contacts.all({}, { checkpoint, pageSize: 100, concurrency: 4 });
  for await (const page of contacts.pages()) {
    console.log(page.length);
    await writeFile(file, contacts.checkpoint);
  }
}

/** 11: a logger. */
export const logged = new EmailMarketingClient({
  logLevel: 'debug',
  logger: {
    warn: (message, { operation }) => console.warn(message, operation),
    info: message => console.info(message),
    debug: () => {},
  },
});

/** 12: metrics beside spans. */
export const measured = new EmailMarketingClient({
  hooks: [
    openTelemetryHooks(),
    { onError: ({ operation, outcome, durationMs }) => console.log(operation, outcome, durationMs) },
  ],
});

/** 13: errors by class. */
export async function createOnce(name: string): Promise<Tag | undefined> {
  try {
    return await client.tags.create({ name });
  } catch (error) {
    if (ConflictError.isInstance(error)) return undefined;
    if (error instanceof NotFoundError) console.log(error.status);
    if (error instanceof RateLimitError) await new Promise(done => setTimeout(done, error.retryAfterMs));
    if (EmailMarketingError.isInstance(error) && error.outcome === 'unknown') console.log(error.attempts);
    throw error;
  }
}

/** 14: results instead of exceptions. */
export async function remove(list: List): Promise<string> {
  const result = await client.lists.delete(list.id).safe();
  if (result.ok) return result.data.status;
  return result.error.name === 'RateLimitError' ? `${result.error.retryAfterMs} ms` : result.error.message;
}

/** 15: headers of a response. */
export const limits = async () =>
  (await client.senders.list().withResponse()).response.headers.get('x-ratelimit-remaining');

/** 16: limits and headers of one call. */
export const hurried = (signal: AbortSignal) =>
  client.contacts.list(undefined, {
    signal,
    timeout: 2_000,
    maxRetries: 0,
    headers: { 'x-request-id': 'a' },
  });

/** 17: a handler for a page. */
export const listener = toNodeListener(
  createProxyHandler(client, {
    allow: ['legacy.identify'],
    allowedOrigins: ['https://app.example.com'],
    authorize: (request, { input }) =>
      request.headers.has('cookie') && { input: { email: 'ada@example.com', firstName: input.firstName } },
  }),
);

/** 18: a page. */
export const fromPage = (email: string) =>
  createBrowserClient({ url: '/api/email-marketing' }).legacy.identify({ email });

/** 19: a test. */
export async function testSignUp(): Promise<boolean> {
  const sandbox = createSandbox({ seed: { contacts: [{ email: 'ada@example.com' }] } });
  const fault = sandbox.fail('legacy.identify', { status: 503, retryAfter: 0, times: 1 });
  await new EmailMarketingClient(sandbox.clientOptions).legacy.identify({ email: 'ada@example.com' });
  return fault.hits === 1 && sandbox.requests.count('legacy.identify') === 2;
}

/** 20: settings that can be missing. */
export function connect(url: string | undefined, apiKey: string | undefined): EmailMarketingClient {
  if (url === undefined || apiKey === undefined) throw new ConfigurationError('not configured');
  return new EmailMarketingClient({ baseUrl: url, apiKey, throttle: { requestsPerSecond: 20 } });
}

// A user's project, which every supported TypeScript compiles against the published declarations. The blocks of the guides
// show more tasks.
import {
  type ApiPromise,
  bulk,
  ConflictError,
  type Contact,
  customField,
  EmailMarketingClient,
  EmailMarketingError,
  type IdentifyParams,
  increment,
  type ListId,
  parseDkimConfig,
  RateLimitError,
  type SafeResult,
  type Tag,
} from 'email-marketing-client';
import { openTelemetryHooks } from 'email-marketing-client/opentelemetry';
import { createSandbox, type Sandbox } from 'email-marketing-client/testing';

const sandbox: Sandbox = createSandbox({ seed: { contacts: 3 } });
const client = new EmailMarketingClient({
  baseUrl: 'https://sandbox.test',
  apiKey: async () => sandbox.apiKey,
  teamId: sandbox.teamId,
  fetch: sandbox.fetch,
  logger: { warn: (message, { operation }) => console.warn(message, operation), info() {}, debug() {} },
  hooks: [openTelemetryHooks(), { onRetry: ({ attempt, waitMs }) => console.log(attempt, waitMs) }],
});

const creation: ApiPromise<Tag> = client.tags.create({ name: 'vip' });
const safe: SafeResult<Tag> = await creation.safe();
if (safe.ok) console.log(safe.data.id, safe.response.headers.get('x-request-id'));
else console.log(safe.error.message);

for await (const contact of client.contacts.all({ search: 'ada' }, { pageSize: 50 })) show(contact);
for await (const result of bulk(['a@x.test'], (email, { signal }) =>
  client.legacy.identify({ email }, { signal }),
))
  if (!result.ok) console.log(result.index, result.input.toUpperCase(), result.error);

const send = (row: IdentifyParams, { signal }: { signal: AbortSignal }) =>
  client.legacy.identify({ ...row, customFields: { points: increment(5) } }, { signal });
export async function sendAll(rows: AsyncIterable<IdentifyParams>): Promise<void> {
  for await (const result of bulk(rows, send, { concurrency: 16, key: row => row.email }))
    console.log(result.input.email, result.ok && result.data.data?.tags);
}

const { dkim, dkimConfig, updated } = await client.domains.create({ name: 'mail.example.com' });
console.log(dkim.host, parseDkimConfig(dkimConfig).Selector, updated?.slice(0, 10));

function show({ email, customFields, lists }: Contact): readonly ListId[] {
  console.log(email, customField({ customFields }, 'field_x')?.length);
  return lists;
}

try {
  const [list] = await client.lists.list();
  if (list) await client.lists.delete(list.id);
  // @ts-expect-error -- the id of a list is not an id of a tag
  if (list) await client.tags.delete(list.id);
  // @ts-expect-error -- a tag lacks this field
  await client.tags.create({ name: 'vip', colour: 'red' });
} catch (error) {
  if (ConflictError.isInstance(error)) console.log(error.response.status.toFixed());
  if (error instanceof RateLimitError) console.log(error.retryAfterMs?.toFixed());
  if (EmailMarketingError.isInstance(error)) console.log(error.name, error.outcome, error.attempts);
}

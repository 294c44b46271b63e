// A user's project, which every supported TypeScript compiles against the published declarations.
import {
  type ApiPromise,
  bulk,
  ConflictError,
  type Contact,
  customField,
  EmailMarketingClient,
  EmailMarketingError,
  type ListId,
  type SafeResult,
  type Tag,
} from 'email-marketing-client';
import { createSandbox, type Sandbox } from 'email-marketing-client/testing';

const sandbox: Sandbox = createSandbox({ seed: { contacts: 3 } });
const client = new EmailMarketingClient({
  baseUrl: 'https://sandbox.test',
  apiKey: async () => sandbox.apiKey,
  teamId: sandbox.teamId,
  fetch: sandbox.fetch,
  hooks: { onRetry: ({ operation, attempt, waitMs }) => console.log(operation, attempt, waitMs) },
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

function show({ email, customFields, lists }: Contact): readonly ListId[] {
  console.log(email, customField({ customFields }, 'field_x')?.length);
  return lists;
}

try {
  const [list] = await client.lists.list();
  if (list) await client.lists.delete(list.id);
  // @ts-expect-error -- the id of a list is no id of a tag
  if (list) await client.tags.delete(list.id);
  // @ts-expect-error -- there is no such field
  await client.tags.create({ name: 'vip', colour: 'red' });
} catch (error) {
  if (ConflictError.isInstance(error)) console.log(error.status.toFixed());
  if (EmailMarketingError.isInstance(error)) console.log(error.name, error.outcome);
}

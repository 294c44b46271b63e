import {
  AuthenticationError,
  bulk,
  ConflictError,
  EmailMarketingClient,
  EmailMarketingError,
} from 'email-marketing-client';
import type { Sandbox } from 'email-marketing-client/testing';
import type { Report } from './report.ts';

/** Context of every part of the demo. */
export interface Desk {
  readonly client: EmailMarketingClient;
  readonly baseUrl: string;
  /** Sandbox, which the demo slows down so that there is something to watch. */
  readonly sandbox: Sandbox;
  /** Environment of the commands. */
  readonly environment: NodeJS.ProcessEnv;
  /** Folder of the demo's files. */
  readonly folder: string;
  readonly report: Report;
}

/** Registers a sending domain and prints what to publish in its DNS. */
export async function setUpDomain({ client, report }: Desk, name: string): Promise<void> {
  report.heading(`A sending domain: ${name}`);
  const domain = await client.domains.create({ name });
  const { dkim, returnPath, track, dmarc, gpt } = domain;
  report.table([
    ['record', 'type', 'host', 'value'],
    ...Object.entries({ dkim, returnPath, track, dmarc, gpt }).map(([record, { type, host, textValue }]) => [
      record,
      type,
      host,
      textValue.length > 60 ? `${textValue.slice(0, 57)}...` : textValue,
    ]),
  ]);
  report.check(`created ${domain.id} at ${domain.created}`, domain.name === name && !domain.verified);
  report.check('its private key prints as [redacted]', `${domain.dkimConfig}` === '[redacted]');
}

/** Tags some contacts, removes a tag again, and records events. */
export async function tagAndRecord({ client, report }: Desk, emails: readonly string[]): Promise<void> {
  report.heading('Tags and events');
  await client.tags.create({ name: 'vip' });
  const failures: unknown[] = [];
  const each = async (some: readonly string[], call: (email: string) => PromiseLike<unknown>) => {
    for await (const result of bulk(some, call, { ordered: false }))
      if (!result.ok) failures.push(result.error);
  };
  await each(emails, email => client.legacy.track({ email, addTags: ['vip'] }));
  await each(emails.slice(20), email => client.legacy.track({ email, removeTags: ['vip'] }));
  await each(emails, identifier =>
    client.events.record({ name: 'upgraded', identifier, data: { plan: 'gold' }, time: new Date() }),
  );
  report.check(`tagged ${emails.length} people, untagged ${emails.slice(20).length}`, failures.length === 0);
  report.check(`recorded ${emails.length} events`, failures.length === 0);
}

/** Shows the errors of a name in use and of a wrong key. */
export async function showErrors({ client, baseUrl, report }: Desk, usedName: string): Promise<void> {
  report.heading('Errors');
  const conflict = await client.domains.create({ name: usedName }).safe();
  report.check(
    'a name already used is a ConflictError',
    !conflict.ok && shows(report, conflict.error, ConflictError),
  );
  const stranger = new EmailMarketingClient({ baseUrl, apiKey: 'wrong-key' });
  const refused = await stranger.senders.list().safe();
  report.check(
    'a wrong key is an AuthenticationError',
    !refused.ok && shows(report, refused.error, AuthenticationError),
  );
}

/** Prints an error. Returns `true` if it is of this class and holds no key. */
function shows(report: Report, error: unknown, wanted: typeof EmailMarketingError): boolean {
  if (!EmailMarketingError.isInstance(error)) return false;
  report.error(`${error}`);
  console.log(`  (operation ${error.operation}, outcome ${error.outcome})`);
  return wanted.isInstance(error) && !String(error).includes('wrong-key');
}

/** Deletes a list, and checks that it is gone while the contacts stay. */
export async function deleteList({ client, report }: Desk): Promise<void> {
  report.heading('Delete a list');
  const list = await client.lists.create({ name: 'Last year' });
  const { message } = await client.lists.delete(list.id);
  console.log(`  ${message}`);
  const left = await client.lists.all().toArray({ max: 1000 });
  const [contact] = await client.contacts.list({ limit: 1 });
  const gone = left.every(({ id }) => id !== list.id) && contact !== undefined;
  report.check(`deleted ${list.id}; its contacts stay`, gone);
}

// Calls of all operations over any service, in a fixed order, with what is known of each.
import type { ApiPromise, EmailMarketingClient } from '../../src/index.ts';
import { listingsInPages, row as rowOf, rows } from '../endpoints.ts';
import type { AnyService } from './any-service.ts';
import type { Expected } from './expectations.ts';
import { namesOf } from './legacy.ts';
import type { Fields } from './replies.ts';
import { folderOf } from './state.ts';

export type Check = (title: string, call: () => ApiPromise<unknown>, expected: Expected) => Promise<void>;

const unknown = 'Zz9yX8wV7uT6sR5qP4oN3m';

/** The first id that the service lets delete, or refuses to. */
const idOf = ({ deletable }: AnyService, folder: string, state: 'usual' | 'system') =>
  [...(deletable[folder] ?? [])].find(([, found]) => found === state)?.[0];

const plain = (id: string): string => id.slice(id.lastIndexOf('_') + 1);

/** A contact with an email, if there is one. */
export const someone = ({ contacts }: AnyService): Fields | undefined =>
  contacts.find(({ email }) => email !== '');

/** A record as the client returns it: ids are text, and nothing is `null`. */
export const read = (record: Fields): Fields => ({ ...record, id: String(record.id) });

async function checkCreates(service: AnyService, client: EmailMarketingClient, check: Check): Promise<void> {
  for (const each of rows.filter(({ name }) => name.endsWith('.create'))) {
    const { name, body = '', call } = each;
    await check(name, () => call(client), { changes: 1, data: JSON.parse(body) });
    const fails = service.isUnique(folderOf(each));
    await check(`${name} again`, () => call(client), { fails, mayPass: true, changes: 1 });
  }
}

/** Resource of a row, whose method the row calls. */
const resourceOf = <Name extends string>({ name }: { readonly name: string }) => name.split('.')[0] as Name;

async function checkDeletes(service: AnyService, client: EmailMarketingClient, check: Check): Promise<void> {
  const acknowledged = { data: { status: 'success' } };
  for (const row of rows.filter(({ method }) => method === 'DELETE')) {
    const remove = (id: string) => client[resourceOf<'tags'>(row)].delete(id);
    const folder = folderOf(row);
    const refused = idOf(service, folder, 'system');
    if (refused) await check(`${row.name} of what must stay`, () => remove(refused), { fails: true });
    for (const write of [String, plain]) {
      const id = write(idOf(service, folder, 'usual') ?? '');
      await check(`${row.name} by ${id}`, () => remove(id), { changes: 1, ...acknowledged });
    }
    const succeeds = folder === 'campaign' && service.decisions.unknownCampaign === 'succeed';
    const ofNothing = succeeds ? acknowledged : { fails: true, mayPass: true };
    await check(`${row.name} of nothing`, () => remove(unknown), ofNothing);
  }
}

async function checkReads(service: AnyService, client: EmailMarketingClient, check: Check): Promise<void> {
  const { emptyListing, offsetAtEnd } = service.decisions;
  const listed = (records: readonly Fields[], isError = emptyListing === 'not found'): Expected =>
    isError && records.length === 0 ? { fails: true } : { data: records.map(read) };
  for (const row of rows.filter(({ method, fields }) => method === 'GET' && !fields.query)) {
    const records = service.recordsOf(row);
    if (row.returns === 'listing') await check(row.name, () => row.call(client), listed(records));
    else {
      const get = (id: string) => client[resourceOf<'postTags'>(row)].get(id);
      for (const record of records.slice(0, 1))
        for (const id of [`${record.id}`, plain(`${record.id}`)])
          await check(`${row.name} by ${id}`, () => get(id), { data: read(record) });
      await check(`${row.name} of nothing`, () => get(unknown), { fails: true });
    }
  }
  for (const { resource } of listingsInPages) {
    const page = service.inOrder(service.recordsOf(rowOf(`${resource}.list`))).slice(3, 13);
    await check(
      `${resource}.list`,
      () => client[resource].list({ offset: 3, limit: 10 }),
      listed(page, emptyListing === 'not found' || offsetAtEnd !== undefined),
    );
  }
}

async function checkEvents(service: AnyService, client: EmailMarketingClient, check: Check): Promise<void> {
  const { acceptsEventOfUnknown } = service.decisions;
  const contact = someone(service);
  const event = { name: 'Order placed', data: { total: 12.5 } };
  const identifier = `${contact?.email ?? 'nobody@example.com'}`;
  const known = contact || acceptsEventOfUnknown ? ({ changes: 1 } as const) : { fails: true };
  await check('events.record', () => client.events.record({ ...event, identifier, time: -1 }), known);
  await check('events.record without data', () => client.events.record({ name: 'e', identifier }), known);
  const nobody = { ...event, identifier: 'nobody@example.com' };
  await check(
    'events.record of nobody',
    () => client.events.record(nobody),
    acceptsEventOfUnknown ? { changes: 1 } : { fails: true },
  );
}

async function checkLegacy(service: AnyService, client: EmailMarketingClient, check: Check): Promise<void> {
  const email = 'new+1@example.com';
  const retried = { changes: 1, idempotent: true } as const;
  // Without the contact, which a call before may have failed to create.
  const tracked = { ...retried, mayChangeNothing: service.decisions.trackOfUnknown === 'ignore' };
  const data = { email, firstName: 'Ada', lastName: '', birthday: '1990-02-28', tags: ['vip'] };
  const person = {
    email,
    firstName: 'Ada',
    birthday: '1990-02-28',
    tags: ['vip'],
    customFields: { points: 5 },
  };
  await check('legacy.identify', () => client.legacy.identify(person), { ...retried, data: { data } });
  const more = { email, customFields: { points: '++3' } };
  await check('legacy.identify with ++', () => client.legacy.identify(more), { changes: 1 });
  await check('legacy.track', () => client.legacy.track({ email, addTags: ['a'] }), tracked);
  await check(
    'legacy.track of both',
    () => client.legacy.track({ email, addTags: ['b'], removeTags: ['a'] }),
    tracked,
  );
  await check(
    'legacy.track of removed tags',
    () => client.legacy.track({ email, removeTags: ['vip'] }),
    tracked,
  );
  const newEmail = 'new+2@example.com';
  await check('legacy.identify with newEmail', () => client.legacy.identify({ email, newEmail }), {
    changes: 1,
  });
  await checkUnknownEmails(service, client, check);
}

async function checkUnknownEmails(
  service: AnyService,
  client: EmailMarketingClient,
  check: Check,
): Promise<void> {
  const email = 'new+2@example.com';
  const other = someone(service);
  if (other && other.email !== email)
    await check(
      'legacy.identify with a newEmail of another',
      () => client.legacy.identify({ email, newEmail: `${other.email}` }),
      { fails: true },
    );
  const { trackOfUnknown } = service.decisions;
  const nobody = { email: 'nobody2@example.com', addTags: ['a'] };
  await check('legacy.track of nobody', () => client.legacy.track(nobody), {
    ...(trackOfUnknown === 'refuse' && { fails: true }),
    ...(trackOfUnknown === 'create' && { changes: 1 }),
    idempotent: true,
  });
}

/** Makes calls of every operation, and lets `check` judge each. */
export async function checkEveryOperation(
  service: AnyService,
  client: EmailMarketingClient,
  check: Check,
): Promise<void> {
  await checkReads(service, client, check);
  await checkCreates(service, client, check);
  await checkDeletes(service, client, check);
  await checkEvents(service, client, check);
  await checkLegacy(service, client, check);
}

/** Tags and points of the contact that {@link checkEveryOperation} identifies last. */
export function finalState(service: AnyService): Fields {
  const contact = service.find('new+2@example.com');
  const { tags, customFields } = contact ? namesOf(contact) : { tags: [], customFields: {} };
  return { firstName: contact?.firstName, tags, customFields };
}

// Calls of all operations over any service, in a fixed order, with the expected result of each.
import type { ApiPromise, EmailMarketingClient } from '../../src/index.ts';
import { listingsInPages, row as rowOf, rows } from '../endpoints.ts';
import type { NamedRow } from '../support/operation-row.ts';
import type { AnyService } from './any-service.ts';
import type { Expected } from './expectations.ts';
import { namesOf } from './legacy.ts';
import type { Fields } from './replies.ts';
import { folderOf } from './state.ts';

export type Check = (title: string, call: () => ApiPromise<unknown>, expected: Expected) => Promise<void>;

const unknown = 'Zz9yX8wV7uT6sR5qP4oN3m';
const plain = (id: string): string => id.slice(id.lastIndexOf('_') + 1);

/** A contact with an email, if there is one. */
export const someone = ({ contacts }: AnyService): Fields | undefined =>
  contacts.find(({ email }) => email !== '');

/** A record as the client returns it, with its id as text. */
const read = (record: Fields): Fields => ({ ...record, id: String(record.id) });

/** Resource of a row, whose method the row calls. */
const resourceOf = <Name extends string>({ name }: NamedRow) => name.split('.')[0] as Name;

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
    const expected = listed(page, emptyListing === 'not found' || offsetAtEnd !== undefined);
    await check(`${resource}.list`, () => client[resource].list({ offset: 3, limit: 10 }), expected);
  }
}

async function checkCreates(service: AnyService, client: EmailMarketingClient, check: Check): Promise<void> {
  for (const row of rows.filter(({ name }) => name.endsWith('.create'))) {
    const { name, body = '', call } = row;
    await check(name, () => call(client), { changes: 1, data: JSON.parse(body) });
    const fails = service.isUnique(folderOf(row));
    await check(`${name} again`, () => call(client), { fails, mayPass: true, changes: 1 });
  }
}

async function checkDeletes(service: AnyService, client: EmailMarketingClient, check: Check): Promise<void> {
  const acknowledged = { data: { status: 'success' } };
  for (const row of rows.filter(({ method }) => method === 'DELETE')) {
    const remove = (id: string) => client[resourceOf<'tags'>(row)].delete(id);
    const folder = folderOf(row);
    const ids = [...(service.deletable[folder] ?? [])];
    for (const [id] of ids.filter(([, state]) => state === 'system'))
      await check(`${row.name} of what must stay`, () => remove(id), { fails: true });
    for (const [index, [usual]] of ids
      .filter(([, state]) => state === 'usual')
      .slice(0, 2)
      .entries()) {
      const id = index === 0 ? usual : plain(usual);
      await check(`${row.name} by ${id}`, () => remove(id), { changes: 1, ...acknowledged });
    }
    const succeeds = folder === 'campaign' && service.decisions.unknownCampaign === 'succeed';
    const ofNothing = succeeds ? acknowledged : { fails: true, mayPass: true };
    await check(`${row.name} of nothing`, () => remove(unknown), ofNothing);
  }
}

async function checkEvents(service: AnyService, client: EmailMarketingClient, check: Check): Promise<void> {
  const { acceptsEventOfUnknown } = service.decisions;
  const contact = someone(service);
  const identifier = `${contact?.email ?? 'nobody@example.com'}`;
  const changed: Expected = { changes: 1 };
  const ofSomeone: Expected = contact || acceptsEventOfUnknown ? changed : { fails: true };
  const event = { name: 'Order placed', identifier, data: { total: 12.5 }, time: -1 };
  await check('events.record', () => client.events.record(event), ofSomeone);
  await check('events.record without data', () => client.events.record({ name: 'e', identifier }), ofSomeone);
  const nobody = { ...event, identifier: 'nobody@example.com' };
  const ofNobody: Expected = acceptsEventOfUnknown ? changed : { fails: true };
  await check('events.record of nobody', () => client.events.record(nobody), ofNobody);
}

async function checkLegacy(
  service: AnyService,
  { legacy }: EmailMarketingClient,
  check: Check,
): Promise<void> {
  const { trackOfUnknown } = service.decisions;
  const email = 'new+1@example.com';
  const newEmail = 'new+2@example.com';
  const other = `${someone(service)?.email ?? ''}`;
  const retried = { changes: 1, idempotent: true } as const;
  // If an earlier call has failed to create the contact, Track changes nothing.
  const tracked = { ...retried, mayChangeNothing: trackOfUnknown === 'ignore' };
  const fields = { email, firstName: 'Ada', birthday: '1990-02-28', tags: ['vip'] };
  const person = { ...fields, customFields: { points: 5 } };
  const identified = { ...retried, data: { data: { ...fields, lastName: '' } } };
  await check('legacy.identify', () => legacy.identify(person), identified);
  const more = { email, customFields: { points: '++3' } };
  await check('legacy.identify with ++', () => legacy.identify(more), { changes: 1 });
  for (const [title, tags] of [
    ['legacy.track of added tags', { addTags: ['a'] }],
    ['legacy.track of both', { addTags: ['b'], removeTags: ['a'] }],
    ['legacy.track of removed tags', { removeTags: ['vip'] }],
  ] as const)
    await check(title, () => legacy.track({ email, ...tags }), tracked);
  await check('legacy.identify with newEmail', () => legacy.identify({ email, newEmail }), { changes: 1 });
  if (other) {
    const taken = { email: newEmail, newEmail: other };
    await check('legacy.identify with a used newEmail', () => legacy.identify(taken), { fails: true });
  }
  const nobody = { email: 'nobody2@example.com', addTags: ['a'] };
  const ofNobody: Expected =
    trackOfUnknown === 'refuse' ? { fails: true } : { changes: trackOfUnknown === 'create' ? 1 : 0 };
  await check('legacy.track of nobody', () => legacy.track(nobody), { ...ofNobody, idempotent: true });
}

/** Makes calls of every operation, and passes each to `check`. */
export async function checkEveryOperation(
  service: AnyService,
  client: EmailMarketingClient,
  check: Check,
): Promise<void> {
  for (const checkSome of [checkReads, checkCreates, checkDeletes, checkEvents, checkLegacy])
    await checkSome(service, client, check);
}

/** Tags and points of the contact that {@link checkEveryOperation} identifies last. */
export function finalState(service: AnyService): Fields {
  const contact = service.find('new+2@example.com');
  const { tags, customFields } = contact ? namesOf(contact) : { tags: [], customFields: {} };
  return { firstName: contact?.firstName, tags, customFields };
}

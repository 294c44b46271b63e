// Calls of all operations over any service, in a fixed order, with what is known of each.
import type { ApiPromise, EmailMarketingClient } from '../../src/index.ts';
import { listingsInPages } from '../operations.ts';
import type { AnyService } from './any-service.ts';
import type { Expected } from './expectations.ts';
import { namesOf } from './legacy.ts';
import type { Fields } from './replies.ts';

export type Check = (title: string, call: () => ApiPromise<unknown>, expected: Expected) => Promise<void>;

const unknown = 'Zz9yX8wV7uT6sR5qP4oN3m';

/** The first or last id that the service lets delete, or refuses to. */
const idOf = (service: AnyService, folder: string, state: 'usual' | 'system'): string =>
  String([...(service.deletable[folder] ?? [])].find(([, found]) => found === state)?.[0]);

const plain = (id: string): string => id.slice(id.lastIndexOf('_') + 1);

/** A contact with an email, if there is one. */
export const someone = ({ contacts }: AnyService): Fields | undefined =>
  contacts.find(({ email }) => email !== '');

/** A record as the client returns it: ids are text, and nothing is `null`. */
export const read = (record: Fields): Fields => ({ ...record, id: String(record.id) });

async function checkCreates(service: AnyService, client: EmailMarketingClient, check: Check): Promise<void> {
  const { uniqueListNames, uniqueCategoryNames, updated } = service.decisions;
  const domain = {
    name: 'mail.example.com',
    verified: false,
    dkim: { host: 'x.mail.example.com', type: 'TXT', textValue: 'v=DKIM1' },
    created: '2025-12-22T09:04:10.613907001Z',
    updated: updated === '0' ? null : '2025-12-22T09:04:10.613907001Z',
  };
  const creates: [string, (name: string) => ApiPromise<unknown>, isUnique: boolean, data?: object][] = [
    ['domains.create', name => client.domains.create({ name }), true, domain],
    ['lists.create', name => client.lists.create({ name }), uniqueListNames],
    ['tags.create', name => client.tags.create({ name }), true],
    ['postCategories.create', name => client.postCategories.create({ name }), uniqueCategoryNames],
  ];
  for (const [title, create, isUnique, data] of creates) {
    const name = 'mail.example.com';
    await check(title, () => create(name), { changes: 1, data: { name, ...data } });
    await check(`${title} again`, () => create(name), { fails: isUnique, mayPass: true, changes: 1 });
  }
}

async function checkDeletes(service: AnyService, client: EmailMarketingClient, check: Check): Promise<void> {
  const { unknownCampaign } = service.decisions;
  const deletes: [string, string, (id: string) => ApiPromise<unknown>][] = [
    ['lists.delete', 'list', id => client.lists.delete(id)],
    ['tags.delete', 'tag', id => client.tags.delete(id)],
    ['templates.delete', 'template/email', id => client.templates.delete(id)],
    ['campaigns.delete', 'campaign', id => client.campaigns.delete(id)],
  ];
  for (const [title, folder, remove] of deletes) {
    const acknowledged = { changes: 1, data: { status: 'success' } } as const;
    if (folder !== 'tag') {
      const refused = idOf(service, folder, 'system');
      await check(`${title} of what must stay`, () => remove(refused), { fails: true });
    }
    const [first, second] = [idOf(service, folder, 'usual'), () => plain(idOf(service, folder, 'usual'))];
    await check(title, () => remove(first), acknowledged);
    const withoutPrefix = second();
    await check(`${title} without prefix`, () => remove(withoutPrefix), acknowledged);
    const succeeds = folder === 'campaign' && unknownCampaign === 'succeed';
    await check(
      `${title} of nothing`,
      () => remove(unknown),
      succeeds ? { data: { status: 'success' } } : { fails: true, mayPass: true },
    );
  }
}

async function checkReads(service: AnyService, client: EmailMarketingClient, check: Check): Promise<void> {
  const { senders, postTags } = service;
  const { emptyListing, offsetAtEnd } = service.decisions;
  const listed = (records: readonly Fields[], isError = emptyListing === 'not found'): Expected =>
    isError && records.length === 0 ? { fails: true } : { data: records.map(read) };
  await check('senders.list', () => client.senders.list(), listed(senders));
  await check('postTags.list', () => client.postTags.list(), listed(postTags));
  const [postTag] = postTags;
  if (postTag) {
    const id = String(postTag.id);
    await check('postTags.get', () => client.postTags.get(id), { data: read(postTag) });
    await check('postTags.get without prefix', () => client.postTags.get(plain(id)), { data: read(postTag) });
  }
  await check('postTags.get of nothing', () => client.postTags.get(unknown), { fails: true });
  for (const { resource } of listingsInPages) {
    const page = service.inOrder(service[resource]).slice(3, 13);
    await check(
      `${resource}.list`,
      () => client[resource].list({ offset: 3, limit: 10 }),
      listed(page, emptyListing === 'not found' || offsetAtEnd !== undefined),
    );
  }
}

async function checkEvents(service: AnyService, client: EmailMarketingClient, check: Check): Promise<void> {
  const { eventRequires, acceptsEventOfUnknown } = service.decisions;
  const contact = someone(service);
  const event = { name: 'Order placed', data: { total: 12.5 } };
  const identifier = `${contact?.email ?? 'nobody@example.com'}`;
  const known = contact || acceptsEventOfUnknown ? ({ changes: 1 } as const) : { fails: true };
  await check('events.record', () => client.events.record({ ...event, identifier, time: -1 }), known);
  const without = eventRequires.includes('data') ? { fails: true } : known;
  await check('events.record without data', () => client.events.record({ name: 'e', identifier }), without);
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

// Calls of all sixteen operations over any service, in a fixed order, with what is known of each.
import { expect } from 'vitest';
import { ApiError, type ApiPromise, type EmailMarketingClient, type ErrorName } from '../../src/index.ts';
import type { AnyService, Fields } from './any-service.ts';

/** What is known of a call before it is made. */
interface Expected {
  /** `true` if the service must respond with an error. */
  readonly fails?: boolean;
  /** Number of changes that the call makes if it succeeds. */
  readonly changes?: 0 | 1;
  /** The result. */
  readonly data?: object;
}

/** Error classes by HTTP status, if the message is not a documented one. A deletion of what is in use has no name. */
const byStatus: Readonly<Record<number, ErrorName>> = {
  400: 'BadRequestError',
  403: 'PermissionError',
  404: 'NotFoundError',
  422: 'BadRequestError',
};

/** The class of the error of the REST interface that the service responded with last. */
function expectedName({ refused }: AnyService): ErrorName | undefined {
  if (!refused || refused.condition === 'legacy') return undefined;
  const { condition, status } = refused;
  if (status >= 500) return 'ServerError';
  if (status === 404 || condition === 'unknown') return 'NotFoundError';
  return condition === 'used' ? 'ConflictError' : (byStatus[status] ?? 'ApiError');
}

/** Makes a call: its result must be right, or a typed error that is true. */
async function check(
  service: AnyService,
  title: string,
  call: () => ApiPromise<unknown>,
  { fails = false, changes = 0, data }: Expected,
): Promise<void> {
  const before = service.acted;
  const result = await call().safe();
  const said = `${title}: ${result.ok || result.error}`;
  expect(result.ok, said).toBe(!fails);
  expect(service.acted - before, said).toBe(fails ? 0 : changes);
  if (result.ok) {
    if (data) expect(result.data, said).toMatchObject(data);
    return;
  }
  const { error } = result;
  expect(error, said).toBeInstanceOf(ApiError);
  expect(error.name, said).toBe(expectedName(service) ?? error.name);
  expect(error.outcome, said).toBe(error.name === 'ServerError' ? 'unknown' : 'refused');
}

const unknown = 'Zz9yX8wV7uT6sR5qP4oN3m';

/** The first id that the service lets delete, or refuses to. */
const idOf = (service: AnyService, folder: string, state: 'usual' | 'system'): string =>
  String([...(service.deletable[folder] ?? [])].find(([, found]) => found === state)?.[0]);

const plain = (id: string): string => id.slice(id.lastIndexOf('_') + 1);

/** A record as the client returns it: ids are text, and nothing is `null`. */
const read = (record: Fields): Fields => ({ ...record, id: String(record.id) });

async function checkCreates(service: AnyService, client: EmailMarketingClient): Promise<void> {
  const { uniqueListNames, uniqueCategoryNames } = service.decisions;
  const domain = {
    dkim: { host: 'x.mail.example.com', type: 'TXT', textValue: 'v=DKIM1' },
    created: '2025-12-22T09:04:10.613907001Z',
    updated: null,
  };
  const creates: [string, (name: string) => ApiPromise<unknown>, isUnique: boolean, data?: object][] = [
    ['domains.create', name => client.domains.create({ name }), true, domain],
    ['lists.create', name => client.lists.create({ name }), uniqueListNames],
    ['tags.create', name => client.tags.create({ name }), true],
    ['postCategories.create', name => client.postCategories.create({ name }), uniqueCategoryNames],
  ];
  for (const [title, create, isUnique, data] of creates) {
    const name = 'mail.example.com';
    await check(service, title, () => create(name), { changes: 1, data: { name, ...data } });
    await check(service, `${title} again`, () => create(name), { fails: isUnique, changes: 1 });
  }
}

async function checkDeletes(service: AnyService, client: EmailMarketingClient): Promise<void> {
  const deletes: [string, string, (id: string) => ApiPromise<unknown>][] = [
    ['lists.delete', 'list', id => client.lists.delete(id)],
    ['tags.delete', 'tag', id => client.tags.delete(id)],
    ['templates.delete', 'template/email', id => client.templates.delete(id)],
    ['campaigns.delete', 'campaign', id => client.campaigns.delete(id)],
  ];
  for (const [title, folder, remove] of deletes) {
    const data = { status: 'success' };
    const system = idOf(service, folder, 'system');
    await check(service, `${title} of what must stay`, () => remove(system), { fails: true });
    const first = idOf(service, folder, 'usual');
    await check(service, title, () => remove(first), { changes: 1, data });
    const second = plain(idOf(service, folder, 'usual'));
    await check(service, `${title} without prefix`, () => remove(second), { changes: 1, data });
    const succeeds = folder === 'campaign' && service.decisions.unknownCampaign === 'succeed';
    await check(service, `${title} of nothing`, () => remove(unknown), succeeds ? { data } : { fails: true });
  }
}

async function checkReads(service: AnyService, client: EmailMarketingClient): Promise<void> {
  const { senders, postTags } = service;
  await check(service, 'senders.list', () => client.senders.list(), { data: senders.map(read) });
  await check(service, 'postTags.list', () => client.postTags.list(), { data: postTags.map(read) });
  for (const record of postTags)
    await check(service, 'postTags.get', () => client.postTags.get(`${record.id}`), { data: read(record) });
  await check(service, 'postTags.get of nothing', () => client.postTags.get(unknown), { fails: true });
  const page = { offset: 3, limit: 10 };
  const pageOf = (records: readonly Fields[]) => service.inOrder(records).slice(3, 13).map(read);
  await check(service, 'contacts.list', () => client.contacts.list(page), { data: pageOf(service.contacts) });
  await check(service, 'lists.list', () => client.lists.list(page), { data: pageOf(service.lists) });
}

/** Makes calls of every operation. */
export async function checkEveryOperation(service: AnyService, client: EmailMarketingClient): Promise<void> {
  await checkReads(service, client);
  await checkCreates(service, client);
  await checkDeletes(service, client);
  const { refusesTrackOfUnknown } = service.decisions;
  const email = 'new+1@example.com';
  const addTags = ['a'];
  const known = { email, firstName: 'Ada', tags: ['vip'] };
  const data = { data: { ...known, lastName: '' } };
  const event = { name: 'Order placed', identifier: email };
  await check(
    service,
    'legacy.track of nobody',
    () => client.legacy.track({ email: 'nobody@x.test', addTags }),
    {
      fails: refusesTrackOfUnknown,
      changes: 1,
    },
  );
  await check(service, 'legacy.identify', () => client.legacy.identify(known), { changes: 1, data });
  await check(service, 'legacy.track', () => client.legacy.track({ email, addTags }), { changes: 1 });
  await check(service, 'events.record', () => client.events.record(event), { changes: 1 });
}

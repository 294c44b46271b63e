// The service's endpoints, typed out by hand from its specification: a row per operation says how the client is called, what is
// sent, what comes back, and which errors are documented. `endpoints.test.ts` calls each.
import { type OperationName, Secret } from '../src/index.ts';
import type { ListingResource } from '../src/resources/operations.ts';
import {
  type DocumentedError,
  type NamedRow,
  named,
  type Row,
  withVariants,
} from './support/operation-row.ts';
import type { pageQuery } from './support/specified-fields.ts';
import * as fields from './support/specified-fields.ts';

/** Bodies of the documented errors. Which HTTP status comes with each is not documented. */
export const errorBodies = {
  wrongKey: { status: 401, message: 'team id or API key not valid' },
  nameUsed: { status: 'error', message: 'resource with this name already exists' },
  malformedBody: { status: 'error', message: 'request body not in proper format' },
  notFound: { status: 'error', message: 'resource not found' },
  serverFailure: { status: 'error', message: 'internal server error occurred' },
} satisfies Record<DocumentedError, object>;

const rest = { authentication: 'X-Team-ApiKey' } as const;
const get = { ...rest, method: 'GET', retriedAfterUnknown: true } as const;
const post = { ...rest, method: 'POST', retriedAfterUnknown: false } as const;
const remove = { ...rest, method: 'DELETE', retriedAfterUnknown: true } as const;
const legacy = {
  authentication: 'api_key',
  method: 'POST',
  retriedAfterUnknown: true,
  returns: 'legacy result',
  // The specification shows no error of the legacy interface.
  errors: [],
} as const;

const email = 'zoe+news@example.com';
const created = '2025-12-22T09:04:10Z';
const updated = '2025-12-23T10:00:00Z';
const deleted = { status: 'success', message: 'The resource was deleted.' };

/** As text, because JavaScript would round its times. */
export const domain = `{
  "id": "domain_A1b2C3d4E5f6G7h8I9j0K1",
  "name": "mail.example.com",
  "verified": false,
  "returnPathVerified": false,
  "dkimVerified": true,
  "trackVerified": false,
  "dmarcVerified": false,
  "gptVerified": false,
  "dkim": { "host": "k1._domainkey", "type": "TXT", "textValue": "v=DKIM1; p=abc" },
  "returnPath": { "host": "bounce", "type": "CNAME", "textValue": "bounce.example.net" },
  "track": { "host": "track", "type": "CNAME", "textValue": "track.example.net" },
  "dmarc": { "host": "_dmarc", "type": "TXT", "textValue": "v=DMARC1; p=none" },
  "gpt": { "host": "@", "type": "TXT", "textValue": "" },
  "dkimConfig": "{\\"Domain\\":\\"mail.example.com\\",\\"PrivKey\\":\\"CANARY-private-key\\"}",
  "dmarcFailureReason": "",
  "created": 1766394250613907001,
  "updated": 0
}`;

export const contact = {
  id: 'contact_A1b2C3d4E5f6G7h8I9j0K1',
  firstName: 'Zoë',
  lastName: 'Ångström',
  email,
  company: 'Örebro Kafé, AB',
  customFields: { custom_field_A1b2C3d4E5f6G7h8I9j0K1: 'gold' },
  lists: ['list_A1b2C3d4E5f6G7h8I9j0K1'],
  tags: ['tag_A1b2C3d4E5f6G7h8I9j0K1'],
  unsubscribed: false,
  bounced: false,
  spam: true,
  blocked: false,
  dropped: false,
  created,
  updated,
  trackData: 'utm_source=news',
  contactSource: 2,
  pageSource: '',
  lastTrackedIp: '192.0.2.7',
  ltv: 1999,
};

const list = { id: 'list_B1b2C3d4E5f6G7h8I9j0K1', name: 'a & b/ü+', type: 1, created, updated };
const postTags = [
  { id: 'post_tag_B1b2C3d4E5f6G7h8I9j0K1', name: 'Plan', created, updated },
  { id: 'post_tag_C1b2C3d4E5f6G7h8I9j0K1', name: 'News', created, updated },
];
const senders = [
  { id: 'sender_A1b2C3d4E5f6G7h8I9j0K1', name: 'Ann', email: 'ann@example.com', isWhitelisted: true },
];

/** Matches a secret that reveals this text. */
const secretOf = (text: string) => ({
  asymmetricMatch: (value: unknown) => value instanceof Secret && value.reveal() === text,
});

/** Every operation by its name. The compiler reports a missing one. */
const operations = {
  'domains.create': {
    ...post,
    path: '/api/v1/rest/domain',
    call: (client, options) => client.domains.create({ name: 'mail.example.com' }, options),
    body: '{"name":"mail.example.com"}',
    returns: 'record',
    response: domain,
    result: {
      ...JSON.parse(domain),
      dkimConfig: secretOf('{"Domain":"mail.example.com","PrivKey":"CANARY-private-key"}'),
      created: '2025-12-22T09:04:10.613907001Z',
      updated: null,
    },
    errors: ['wrongKey', 'nameUsed', 'malformedBody', 'serverFailure'],
    fields: { body: fields.createBody },
  },
  'lists.create': {
    ...post,
    path: '/api/v1/rest/list',
    call: (client, options) => client.lists.create({ name: 'Newsletter' }, options),
    body: '{"name":"Newsletter"}',
    returns: 'record',
    response: { id: 'list_A1b2C3d4E5f6G7h8I9j0K1', name: 'Newsletter', type: 0, created, updated },
    errors: ['wrongKey', 'serverFailure'],
    fields: { body: fields.createBody },
  },
  'lists.list': {
    ...get,
    path: '/api/v1/rest/list',
    call: (client, options) => client.lists.list({ offset: 1, limit: 500, search: 'a & b/ü+' }, options),
    query: '?offset=1&limit=500&search=a+%26+b%2F%C3%BC%2B',
    returns: 'listing',
    response: [list],
    errors: ['wrongKey', 'serverFailure'],
    fields: { query: fields.pageQuery(500, { search: fields.characters(2, 100) }) },
    // One that the search does not find, one that the call skips, and one.
    seed: { lists: [{ name: 'Other' }, { name: 'a & b/ü+ 0' }, list] },
  },
  'lists.delete': {
    ...remove,
    path: '/api/v1/rest/list/{identifier}',
    identifier: 'list_A1b2C3d4E5f6G7h8I9j0K1',
    call: (client, options) => client.lists.delete('list_A1b2C3d4E5f6G7h8I9j0K1', options),
    returns: 'acknowledgement',
    response: deleted,
    errors: ['wrongKey', 'malformedBody', 'notFound', 'serverFailure'],
    fields: { identifier: fields.identifier('list_') },
    seed: { lists: [{ id: 'list_A1b2C3d4E5f6G7h8I9j0K1', name: 'News' }] },
  },
  'tags.create': {
    ...post,
    path: '/api/v1/rest/tag',
    call: (client, options) => client.tags.create({ name: 'vip "gold"' }, options),
    body: '{"name":"vip \\"gold\\""}',
    returns: 'record',
    response: { id: 'tag_A1b2C3d4E5f6G7h8I9j0K1', name: 'vip "gold"', created, updated },
    errors: ['wrongKey', 'nameUsed', 'malformedBody', 'serverFailure'],
    fields: { body: fields.createBody },
  },
  'tags.delete': {
    ...remove,
    path: '/api/v1/rest/tag/{identifier}',
    identifier: 'A1b2C3d4E5f6G7h8I9j0K1',
    call: (client, options) => client.tags.delete('A1b2C3d4E5f6G7h8I9j0K1', options),
    returns: 'acknowledgement',
    response: deleted,
    errors: ['wrongKey', 'malformedBody', 'notFound', 'serverFailure'],
    fields: { identifier: fields.identifier('tag_') },
    seed: { tags: [{ id: 'tag_A1b2C3d4E5f6G7h8I9j0K1', name: 'old' }] },
  },
  'contacts.list': {
    ...get,
    path: '/api/v1/rest/contact',
    call: (client, options) => client.contacts.list({ offset: 0, limit: 100, search: email }, options),
    query: '?offset=0&limit=100&search=zoe%2Bnews%40example.com',
    returns: 'listing',
    response: [contact],
    errors: ['wrongKey', 'serverFailure'],
    fields: { query: fields.pageQuery(100, { search: fields.characters(2, 255) }) },
    seed: {
      contacts: [{ email, tags: ['c'], customFields: { plan: 'pro' } }, { email: 'bob@example.com' }],
    },
  },
  'postTags.list': {
    ...get,
    path: '/api/v1/rest/post/tag',
    call: (client, options) => client.postTags.list(options),
    returns: 'listing',
    response: postTags,
    errors: ['wrongKey', 'serverFailure'],
    fields: {},
    seed: { postTags },
  },
  'postTags.get': {
    ...get,
    path: '/api/v1/rest/post/tag/{identifier}',
    identifier: 'post_tag_A1b2C3d4E5f6G7h8I9j0K1',
    call: (client, options) => client.postTags.get('post_tag_A1b2C3d4E5f6G7h8I9j0K1', options),
    returns: 'record',
    response: { id: 'post_tag_A1b2C3d4E5f6G7h8I9j0K1', name: 'Howto', created, updated },
    errors: ['wrongKey', 'notFound', 'serverFailure'],
    fields: { identifier: fields.identifier('post_tag_') },
    seed: { postTags: [{ id: 'post_tag_A1b2C3d4E5f6G7h8I9j0K1', name: 'Howto', created, updated }] },
  },
  'postCategories.create': {
    ...post,
    path: '/api/v1/rest/post/category',
    call: (client, options) => client.postCategories.create({ name: 'Guides' }, options),
    body: '{"name":"Guides"}',
    returns: 'record',
    response: {
      id: 'post_category_A1b2C3d4E5f6G7h8I9j0K1',
      name: 'Guides',
      created: '2025-12-22T09:04:10.123Z',
      updated: '2025-12-23T10:00:00.456Z',
    },
    errors: ['wrongKey', 'serverFailure'],
    fields: { body: fields.createBody },
  },
  'senders.list': {
    ...get,
    path: '/api/v1/rest/sender',
    call: (client, options) => client.senders.list(options),
    returns: 'listing',
    response: senders,
    errors: ['wrongKey', 'serverFailure'],
    fields: {},
    seed: { senders },
  },
  'templates.delete': {
    ...remove,
    path: '/api/v1/rest/template/email/{identifier}',
    identifier: 'template_A1b2C3d4E5f6G7h8I9j0K1',
    call: (client, options) => client.templates.delete('template_A1b2C3d4E5f6G7h8I9j0K1', options),
    returns: 'acknowledgement',
    response: deleted,
    errors: ['wrongKey', 'notFound', 'serverFailure'],
    fields: { identifier: fields.identifier('template_') },
    seed: { templates: [{ id: 'template_A1b2C3d4E5f6G7h8I9j0K1' }] },
  },
  'campaigns.delete': {
    ...remove,
    path: '/api/v1/rest/campaign/{identifier}',
    identifier: 'campaign_A1b2C3d4E5f6G7h8I9j0K1',
    call: (client, options) => client.campaigns.delete('campaign_A1b2C3d4E5f6G7h8I9j0K1', options),
    returns: 'acknowledgement',
    response: deleted,
    // The specification leaves this endpoint out of every list of errors.
    errors: [],
    fields: { identifier: fields.identifier('campaign_') },
    seed: { campaigns: [{ id: 'campaign_A1b2C3d4E5f6G7h8I9j0K1' }] },
  },
  'events.record': {
    ...post,
    path: '/api/v1/rest/events/custom',
    call: (client, options) => {
      const time = new Date('2025-12-22T09:04:10.613Z');
      return client.events.record(
        { name: 'signup', identifier: email, data: { plan: 'gold' }, time },
        options,
      );
    },
    body: '{"name":"signup","identifier":"zoe+news@example.com","data":{"plan":"gold"},"time":1766394250}',
    returns: 'acknowledgement',
    response: { status: 'success', message: 'The event was tracked.' },
    errors: ['wrongKey', 'malformedBody', 'serverFailure'],
    fields: { body: fields.eventBody },
  },
  'legacy.identify': {
    ...legacy,
    path: '/api/v1/contact/identify',
    call: (client, options) => {
      const name = { firstName: 'Zoë', lastName: 'Å', company: 'Kafé', birthday: '1990-02-28' };
      return client.legacy.identify(
        { email, ...name, customFields: { plan: 'gold' }, tags: ['vip'] },
        options,
      );
    },
    query: '?team_id=team-7',
    body: '{"email":"zoe+news@example.com","firstName":"Zoë","lastName":"Å","company":"Kafé","birthday":"1990-02-28","customFields":{"plan":"gold"},"tags":["vip"]}',
    response: {
      status: '200',
      message: 'OK',
      data: {
        encryptedTeamId: 't9',
        encryptedId: 'c9',
        firstName: 'Zoë',
        lastName: '',
        email,
        company: '',
        birthday: '1990-02-28',
        tags: ['vip'],
        customFields: { plan: 'gold' },
      },
    },
    fields: { body: fields.identifyBody },
    variants: [
      {
        title: 'with ++',
        retriedAfterUnknown: false,
        call: (client, options) =>
          client.legacy.identify({ email, customFields: { visits: '++5' } }, options),
        body: '{"email":"zoe+news@example.com","customFields":{"visits":"++5"}}',
      },
      {
        title: 'with newEmail',
        retriedAfterUnknown: false,
        call: (client, options) => client.legacy.identify({ email, newEmail: 'zoe@example.com' }, options),
        body: '{"email":"zoe+news@example.com","newEmail":"zoe@example.com"}',
      },
    ],
  },
  'legacy.track': {
    ...legacy,
    path: '/api/v1/contact/track',
    call: (client, options) =>
      client.legacy.track({ email, addTags: ['a'], removeTags: ['b', 'c'] }, options),
    query: '?email=zoe%2Bnews%40example.com&team_id=team-7',
    body: '{"addTags":["a"],"removeTags":["b","c"]}',
    response: { status: 'success', message: 'OK', data: 'Tags were updated.' },
    fields: { query: fields.trackQuery, body: fields.trackBody },
  },
} satisfies Record<OperationName, Row>;

/** One row per operation. */
export const rows: readonly NamedRow[] = Object.entries(operations).map(([name, row]) =>
  named(name as OperationName, row),
);

/** Listings in pages, by their resource, with the path and the maximum of `limit`. */
export const listingsInPages = rows.flatMap(({ name, endpoint, fields }) => {
  const { limit } = (fields.query ?? {}) as Partial<ReturnType<typeof pageQuery>>;
  return limit
    ? { resource: name.replace('.list', '') as ListingResource, endpoint, maxLimit: limit.maximum }
    : [];
});

/** One row per method and result, on which it depends how a call reads its response. */
export const onePerMethodAndResult: readonly NamedRow[] = rows.filter(
  ({ method, returns }, index) =>
    rows.findIndex(other => other.method === method && other.returns === returns) === index,
);

/** One row per operation and per variant of it. */
export const calls: readonly NamedRow[] = rows.flatMap(withVariants);

/** Row of the operation with this name. */
export const row = (name: OperationName): NamedRow => named(name, operations[name]);

// The table of all operations for tests, typed out by hand from docs/service-rules.md.
import type { OperationName } from '../src/index.ts';
import type { ListingResource } from '../src/resources/operations.ts';
import { type NamedRow, named, type Row, withVariants } from './support/operation-row.ts';
import type { pageQuery } from './support/specified-fields.ts';
import * as fields from './support/specified-fields.ts';
import {
  contact,
  deleted,
  domainResult,
  domainText,
  legacyContact,
  namedRecord,
  second,
  suffix,
  third,
} from './support/specified-records.ts';

const rest = { authentication: 'X-Team-ApiKey' } as const;
const read = { ...rest, method: 'GET', retriedAfterUnknown: true, notFoundIsSuccess: false } as const;
const write = { ...rest, method: 'POST', retriedAfterUnknown: false, notFoundIsSuccess: false } as const;
const remove = {
  ...rest,
  method: 'DELETE',
  retriedAfterUnknown: true,
  notFoundIsSuccess: true,
  returns: 'acknowledgement',
  response: deleted,
} as const;
const legacy = {
  authentication: 'api_key',
  method: 'POST',
  retriedAfterUnknown: true,
  notFoundIsSuccess: false,
  returns: 'legacy result',
} as const;

const sender = { id: `sender_${suffix}`, name: 'Ann', email: 'ann@example.com', isWhitelisted: true };
const email = 'zoe+news@example.com';

/** Every operation by its name. The compiler reports a missing one. */
const operations = {
  'domains.create': {
    ...write,
    path: '/api/v1/rest/domain',
    call: (client, options) => client.domains.create({ name: 'mail.example.com' }, options),
    body: '{"name":"mail.example.com"}',
    returns: 'record',
    response: domainText('"created":1766394250613907001,"updated":0'),
    result: domainResult,
    invalid: { call: client => client.domains.create({ name: '' }), path: 'name' },
    fields: { body: fields.createBody, response: fields.domain },
  },
  'lists.create': {
    ...write,
    path: '/api/v1/rest/list',
    call: (client, options) => client.lists.create({ name: 'Newsletter' }, options),
    body: '{"name":"Newsletter"}',
    returns: 'record',
    response: { ...namedRecord('list', 'Newsletter'), type: 0 },
    invalid: { call: client => client.lists.create({ name: '' }), path: 'name' },
    fields: { body: fields.createBody, response: fields.list },
  },
  'lists.list': {
    ...read,
    path: '/api/v1/rest/list',
    call: (client, options) => client.lists.list({ offset: 20, limit: 500, search: 'a & b/ü+' }, options),
    query: '?offset=20&limit=500&search=a+%26+b%2F%C3%BC%2B',
    returns: 'listing',
    response: [{ ...namedRecord('list', 'a & b/ü+', second), type: 1 }],
    invalid: { call: client => client.lists.list({ limit: 501 }), path: 'limit' },
    fields: { query: fields.pageQuery(500, { search: fields.characters(2, 100) }), response: fields.list },
    // Another, as many as the call skips, and one.
    seed: {
      lists: [
        { name: 'Other' },
        ...Array.from({ length: 20 }, (_, index) => ({ name: `a & b/ü+ ${index}` })),
        { ...namedRecord('list', 'a & b/ü+', second), type: 1 },
      ],
    },
  },
  'lists.delete': {
    ...remove,
    path: '/api/v1/rest/list/{identifier}',
    identifier: `list_${suffix}`,
    call: (client, options) => client.lists.delete(`list_${suffix}`, options),
    invalid: { call: client => client.lists.delete(`tag_${suffix}`), path: '' },
    fields: { identifier: fields.identifier('list_'), response: fields.acknowledgement },
    seed: { lists: [{ id: `list_${suffix}`, name: 'News' }] },
  },
  'tags.create': {
    ...write,
    path: '/api/v1/rest/tag',
    call: (client, options) => client.tags.create({ name: 'vip "gold"' }, options),
    body: '{"name":"vip \\"gold\\""}',
    returns: 'record',
    response: namedRecord('tag', 'vip "gold"'),
    invalid: { call: client => client.tags.create({ name: '' }), path: 'name' },
    fields: { body: fields.createBody, response: fields.tag },
  },
  'tags.delete': {
    ...remove,
    path: '/api/v1/rest/tag/{identifier}',
    identifier: suffix,
    call: (client, options) => client.tags.delete(suffix, options),
    invalid: { call: client => client.tags.delete(`list_${suffix}`), path: '' },
    fields: { identifier: fields.identifier('tag_'), response: fields.acknowledgement },
    seed: { tags: [{ id: `tag_${suffix}`, name: 'old' }] },
  },
  'contacts.list': {
    ...read,
    path: '/api/v1/rest/contact',
    call: (client, options) => client.contacts.list({ offset: 0, limit: 100, search: email }, options),
    query: '?offset=0&limit=100&search=zoe%2Bnews%40example.com',
    returns: 'listing',
    response: [contact],
    invalid: { call: client => client.contacts.list({ limit: 101 }), path: 'limit' },
    fields: { query: fields.pageQuery(100, { search: fields.characters(2, 255) }), response: fields.contact },
    seed: {
      contacts: [
        { email, firstName: 'Zoë', tags: ['new', 'c'], lists: ['News'], customFields: { plan: 'pro' } },
        { email: 'bob@example.com' },
      ],
    },
  },
  'postTags.list': {
    ...read,
    path: '/api/v1/rest/post/tag',
    call: (client, options) => client.postTags.list(options),
    returns: 'listing',
    response: [namedRecord('post_tag', 'Plan', second), namedRecord('post_tag', 'News', third)],
    invalid: null,
    fields: { response: fields.postTag },
    seed: { postTags: [namedRecord('post_tag', 'Plan', second), namedRecord('post_tag', 'News', third)] },
  },
  'postTags.get': {
    ...read,
    path: '/api/v1/rest/post/tag/{identifier}',
    identifier: `post_tag_${suffix}`,
    call: (client, options) => client.postTags.get(`post_tag_${suffix}`, options),
    returns: 'record',
    response: namedRecord('post_tag', 'Howto'),
    invalid: { call: client => client.postTags.get(`tag_${suffix}`), path: '' },
    fields: { identifier: fields.identifier('post_tag_'), response: fields.postTag },
    seed: { postTags: [namedRecord('post_tag', 'Howto')] },
  },
  'postCategories.create': {
    ...write,
    path: '/api/v1/rest/post/category',
    call: (client, options) => client.postCategories.create({ name: 'Guides' }, options),
    body: '{"name":"Guides"}',
    returns: 'record',
    response: { ...namedRecord('post_category', 'Guides'), created: '2025-12-22T09:04:10.123Z' },
    invalid: { call: client => client.postCategories.create({ name: '' }), path: 'name' },
    fields: { body: fields.createBody, response: fields.postCategory },
  },
  'senders.list': {
    ...read,
    path: '/api/v1/rest/sender',
    call: (client, options) => client.senders.list(options),
    returns: 'listing',
    response: [sender],
    invalid: null,
    fields: { response: fields.sender },
    seed: { senders: [sender] },
  },
  'templates.delete': {
    ...remove,
    path: '/api/v1/rest/template/email/{identifier}',
    identifier: `template_${suffix}`,
    call: (client, options) => client.templates.delete(`template_${suffix}`, options),
    invalid: { call: client => client.templates.delete(`campaign_${suffix}`), path: '' },
    fields: { identifier: fields.identifier('template_'), response: fields.acknowledgement },
    seed: { templates: [{ id: `template_${suffix}` }] },
  },
  'campaigns.delete': {
    ...remove,
    path: '/api/v1/rest/campaign/{identifier}',
    identifier: `campaign_${suffix}`,
    call: (client, options) => client.campaigns.delete(`campaign_${suffix}`, options),
    invalid: { call: client => client.campaigns.delete(`template_${suffix}`), path: '' },
    fields: { identifier: fields.identifier('campaign_'), response: fields.acknowledgement },
    seed: { campaigns: [{ id: `campaign_${suffix}` }] },
  },
  'events.record': {
    ...write,
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
    invalid: { call: client => client.events.record({ name: 'e', identifier: '' }), path: 'identifier' },
    fields: { body: fields.eventBody, response: fields.acknowledgement },
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
    response: { status: '200', message: 'OK', data: legacyContact },
    invalid: { call: client => client.legacy.identify({ email, birthday: '1990-02-30' }), path: 'birthday' },
    fields: { body: fields.identifyBody, response: fields.identifyResponse },
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
    invalid: { call: client => client.legacy.track({ email, addTags: [''] }), path: 'addTags' },
    fields: { query: fields.trackQuery, body: fields.trackBody, response: fields.trackResponse },
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

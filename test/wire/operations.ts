import { expect } from 'vitest';
import { type EmailMarketingClient, Secret } from '../../src/index.ts';

/** One operation of the specification, as its sections 2 and 4 write it. */
export interface Row {
  readonly name: string;
  readonly call: (client: EmailMarketingClient) => Promise<unknown>;
  /** Method and path. */
  readonly endpoint: string;
  /** Encoded, with its `?`. */
  readonly query?: string;
  /** As JSON text. */
  readonly body?: string;
  /** The body of a successful answer, as text where it holds what `JSON.stringify` cannot write. */
  readonly answer: unknown;
  /** What the call resolves to, where that is not the answer as it came. */
  readonly result?: unknown;
}

export const suffix = 'A1b2C3d4E5f6G7h8I9j0K1';
const created = '2025-12-22T09:04:10Z';
const updated = '2025-12-23T10:00:00Z';
const named = (prefix: string, name: string) => ({ id: `${prefix}_${suffix}`, name, created, updated });
const deleted = { status: 'success', message: 'The resource was deleted.' };
const dns = (host: string, type: string, textValue: string) => ({ host, type, textValue });

/** A domain as sent, without the members that JavaScript cannot hold: its times. */
const domain = {
  id: `domain_${suffix}`,
  name: 'mail.example.com',
  verified: false,
  returnPathVerified: false,
  dkimVerified: true,
  trackVerified: false,
  dmarcVerified: false,
  gptVerified: false,
  dkim: dns('k1._domainkey', 'TXT', 'v=DKIM1; p=abc'),
  returnPath: dns('bounce', 'CNAME', 'bounce.example.net'),
  track: dns('track', 'CNAME', 'track.example.net'),
  dmarc: dns('_dmarc', 'TXT', 'v=DMARC1; p=none'),
  gpt: dns('@', 'TXT', ''),
  dkimConfig: '{"Domain":"mail.example.com","PrivKey":"private"}',
  dmarcFailureReason: '',
};

/** The domain's JSON text with these times. */
export const domainText = (times: string): string => `${JSON.stringify(domain).slice(0, -1)},${times}}`;

export const contact = {
  id: `contact_${suffix}`,
  firstName: 'Zoë',
  lastName: 'Ångström',
  email: 'zoe+news@example.com',
  company: 'Örebro Kafé, AB',
  customFields: { [`custom_field_${suffix}`]: 'gold' },
  lists: [`list_${suffix}`],
  tags: [`tag_${suffix}`],
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

const legacyContact = {
  encryptedTeamId: 't9',
  encryptedId: 'c9',
  firstName: 'Zoë',
  lastName: '',
  email: 'zoe+news@example.com',
  company: '',
  birthday: '1990-02-28',
  tags: ['vip'],
  customFields: { plan: 'gold' },
};

export const rows: readonly Row[] = [
  {
    name: 'domains.create',
    call: client => client.domains.create({ name: 'mail.example.com' }),
    endpoint: 'POST /api/v1/rest/domain',
    body: '{"name":"mail.example.com"}',
    answer: domainText('"created":1766394250613907001,"updated":0'),
    result: {
      ...domain,
      dkimConfig: expect.any(Secret),
      created: '2025-12-22T09:04:10.613907001Z',
      updated: null,
    },
  },
  {
    name: 'lists.create',
    call: client => client.lists.create({ name: 'Newsletter' }),
    endpoint: 'POST /api/v1/rest/list',
    body: '{"name":"Newsletter"}',
    answer: { ...named('list', 'Newsletter'), type: 0 },
  },
  {
    name: 'lists.list',
    call: client => client.lists.list({ offset: 20, limit: 500, search: 'a & b/ü+' }),
    endpoint: 'GET /api/v1/rest/list',
    query: '?offset=20&limit=500&search=a+%26+b%2F%C3%BC%2B',
    answer: [{ ...named('list', 'a & b/ü+'), type: 1 }],
  },
  {
    name: 'lists.delete',
    call: client => client.lists.delete(`list_${suffix}`),
    endpoint: `DELETE /api/v1/rest/list/list_${suffix}`,
    answer: deleted,
  },
  {
    name: 'tags.create',
    call: client => client.tags.create({ name: 'vip "gold"' }),
    endpoint: 'POST /api/v1/rest/tag',
    body: '{"name":"vip \\"gold\\""}',
    answer: named('tag', 'vip "gold"'),
  },
  {
    name: 'tags.delete',
    call: client => client.tags.delete(suffix),
    endpoint: `DELETE /api/v1/rest/tag/${suffix}`,
    answer: deleted,
  },
  {
    name: 'contacts.list',
    call: client => client.contacts.list({ offset: 0, limit: 100, search: 'zoe+news@example.com' }),
    endpoint: 'GET /api/v1/rest/contact',
    query: '?offset=0&limit=100&search=zoe%2Bnews%40example.com',
    answer: [contact],
  },
  {
    name: 'postTags.list',
    call: client => client.postTags.list(),
    endpoint: 'GET /api/v1/rest/post/tag',
    answer: [named('post_tag', 'Howto'), named('post_tag', 'News')],
  },
  {
    name: 'postTags.get',
    call: client => client.postTags.get(`post_tag_${suffix}`),
    endpoint: `GET /api/v1/rest/post/tag/post_tag_${suffix}`,
    answer: named('post_tag', 'Howto'),
  },
  {
    name: 'postCategories.create',
    call: client => client.postCategories.create({ name: 'Guides' }),
    endpoint: 'POST /api/v1/rest/post/category',
    body: '{"name":"Guides"}',
    answer: { ...named('post_category', 'Guides'), created: '2025-12-22T09:04:10.123Z' },
  },
  {
    name: 'senders.list',
    call: client => client.senders.list(),
    endpoint: 'GET /api/v1/rest/sender',
    answer: [{ id: `sender_${suffix}`, name: 'Ann', email: 'ann@example.com', isWhitelisted: false }],
  },
  {
    name: 'templates.delete',
    call: client => client.templates.delete(`template_${suffix}`),
    endpoint: `DELETE /api/v1/rest/template/email/template_${suffix}`,
    answer: deleted,
  },
  {
    name: 'campaigns.delete',
    call: client => client.campaigns.delete(`campaign_${suffix}`),
    endpoint: `DELETE /api/v1/rest/campaign/campaign_${suffix}`,
    answer: deleted,
  },
  {
    name: 'events.record',
    call: client =>
      client.events.record({
        name: 'signup',
        identifier: 'zoe+news@example.com',
        data: { plan: 'gold' },
        time: new Date('2025-12-22T09:04:10.613Z'),
      }),
    endpoint: 'POST /api/v1/rest/events/custom',
    body: '{"name":"signup","identifier":"zoe+news@example.com","data":{"plan":"gold"},"time":1766394250}',
    answer: { status: 'success', message: 'The event was tracked.' },
  },
  {
    name: 'legacy.identify',
    call: client =>
      client.legacy.identify({
        email: 'zoe+news@example.com',
        newEmail: 'zoe@example.com',
        firstName: 'Zoë',
        lastName: 'Å',
        company: 'Kafé',
        birthday: '1990-02-28',
        customFields: { plan: 'gold', visits: '++1' },
        tags: ['vip'],
      }),
    endpoint: 'POST /api/v1/contact/identify',
    query: '?team_id=team-7',
    body: '{"email":"zoe+news@example.com","newEmail":"zoe@example.com","firstName":"Zoë","lastName":"Å","company":"Kafé","birthday":"1990-02-28","customFields":{"plan":"gold","visits":"++1"},"tags":["vip"]}',
    answer: { status: '200', message: 'OK', data: legacyContact },
  },
  {
    name: 'legacy.track',
    call: client =>
      client.legacy.track({ email: 'zoe+news@example.com', addTags: ['a'], removeTags: ['b', 'c'] }),
    endpoint: 'POST /api/v1/contact/track',
    query: '?email=zoe%2Bnews%40example.com&team_id=team-7',
    body: '{"addTags":["a"],"removeTags":["b","c"]}',
    answer: { status: 'success', message: 'OK', data: 'Tags were updated.' },
  },
];

/** The operation of this name. */
export function row(name: string): Row {
  const found = rows.find(each => each.name === name);
  if (!found) throw new Error(`no operation ${name}`);
  return found;
}

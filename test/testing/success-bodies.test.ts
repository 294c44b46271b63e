// The success of each operation, typed out to its last member from docs/service.md, and valid by docs/openapi.json.
import { expect, test } from 'vitest';
import { createSandbox, type Seed } from '../../src/testing/index.ts';
import { published, responseSchema, schemaChecks } from '../openapi/published.ts';
import { rows } from '../operations.ts';
import { legacy, rest } from './http.ts';

const { document, operations } = published();
const check = schemaChecks(document);

const suffix = 'A1b2C3d4E5f6G7h8I9j0K1';
const time = '2025-06-01T12:00:00Z';
const times = { created: time, updated: time };

/** Fields of a contact that are the same in a seed and over REST. */
const ada = {
  id: `contact_${suffix}`,
  email: 'ada@x.test',
  firstName: 'Ada',
  lastName: 'Lovelace',
  company: 'Engines',
  unsubscribed: true,
  bounced: true,
  spam: true,
  blocked: true,
  dropped: true,
  ltv: 1250,
  contactSource: 4,
  trackData: 'utm_source=x',
  pageSource: 'https://x.test/',
  lastTrackedIp: '192.0.2.7',
};

const seed: Seed = {
  customFields: [{ id: `custom_field_${suffix}`, name: 'points', type: 'number' }],
  lists: [{ id: `list_${suffix}`, name: 'News', type: 3 }],
  tags: [{ id: `tag_${suffix}`, name: 'vip' }],
  senders: [
    { id: `sender_${suffix}`, name: 'Ada', email: 'ada@x.test', isWhitelisted: true },
    { id: `sender_${suffix.replace('A', 'B')}`, name: 'Bob', email: 'bob@x.test' },
  ],
  postTags: [{ id: `post_tag_${suffix}`, name: 'Howto' }],
  templates: [{ id: `template_${suffix}` }],
  campaigns: [{ id: `campaign_${suffix}` }],
  contacts: [
    {
      ...ada,
      birthday: '1815-12-10',
      tags: ['vip'],
      lists: ['News'],
      customFields: { points: '10' },
    },
    { id: `contact_${suffix.replace('A', 'B')}`, email: 'bob@x.test' },
  ],
};

const empty = {
  firstName: '',
  lastName: '',
  company: '',
  customFields: {},
  lists: [],
  tags: [],
  unsubscribed: false,
  bounced: false,
  spam: false,
  blocked: false,
  dropped: false,
  ...times,
  trackData: '',
  contactSource: 1,
  pageSource: '',
  lastTrackedIp: '',
  ltv: 0,
};
const contacts = [
  {
    ...ada,
    ...times,
    customFields: { [`custom_field_${suffix}`]: '10' },
    lists: [`list_${suffix}`],
    tags: [`tag_${suffix}`],
  },
  { ...empty, id: `contact_${suffix.replace('A', 'B')}`, email: 'bob@x.test' },
];
const postTag = { id: `post_tag_${suffix}`, name: 'Howto', ...times };
const success = (message: string) => ({ status: 'success', message });
const category = '2025-06-01T12:00:00.250Z';

/** Identifiers of what a request creates, by the member that shows them. */
interface Created {
  readonly id: string;
  readonly encryptedTeamId: string;
  readonly encryptedId: string;
}

const identified = (message: string, created: Created, changes: object) => ({
  status: 'success',
  message,
  data: {
    encryptedTeamId: created.encryptedTeamId,
    encryptedId: created.encryptedId,
    firstName: '',
    lastName: '',
    email: 'new@x.test',
    company: '',
    birthday: '',
    tags: [],
    customFields: {},
    ...changes,
  },
});

const domain = ({ id }: Created) => ({
  id,
  name: 'mail.x.test',
  verified: false,
  returnPathVerified: false,
  dkimVerified: false,
  trackVerified: false,
  dmarcVerified: false,
  gptVerified: false,
  dkim: { host: 'sb1._domainkey.mail.x.test', type: 'TXT', textValue: `k=rsa; p=sandbox${id.slice(-12)}` },
  returnPath: { host: 'bounce.mail.x.test', type: 'CNAME', textValue: 'bounce.sandbox.example' },
  track: { host: 'track.mail.x.test', type: 'CNAME', textValue: 'track.sandbox.example' },
  dmarc: { host: '_dmarc.mail.x.test', type: 'TXT', textValue: 'v=DMARC1; p=none' },
  gpt: { host: 'mail.x.test', type: 'TXT', textValue: '' },
  dkimConfig: JSON.stringify({
    Domain: 'mail.x.test',
    PubKey: `sandbox${id.slice(-12)}`,
    PrivKey: `not-a-real-private-key-sandbox${id.slice(-12)}`,
    Selector: 'sb1',
    Headers: ['from', 'to', 'subject'],
  }),
  dmarcFailureReason: '',
  updated: 0,
});

const known = { email: 'ada@x.test', firstName: 'Ada', lastName: 'Lovelace', company: 'Engines' };

const responses: readonly [string, object | undefined, (created: Created) => unknown][] = [
  ['POST /domain', { name: 'mail.x.test' }, domain],
  ['POST /list', { name: 'New' }, ({ id }) => ({ id, name: 'New', type: 0, ...times })],
  ['GET /list', undefined, () => [{ id: `list_${suffix}`, name: 'News', type: 3, ...times }]],
  [`DELETE /list/list_${suffix}`, undefined, () => success('list was deleted')],
  ['POST /tag', { name: 'new' }, ({ id }) => ({ id, name: 'new', ...times })],
  [`DELETE /tag/${suffix}`, undefined, () => success('tag was deleted')],
  ['GET /contact', undefined, () => contacts],
  ['GET /post/tag', undefined, () => [postTag]],
  [`GET /post/tag/${suffix}`, undefined, () => postTag],
  [
    'POST /post/category',
    { name: 'Guides' },
    ({ id }) => ({ id, name: 'Guides', created: category, updated: category }),
  ],
  [
    'GET /sender',
    undefined,
    () => [
      { id: `sender_${suffix}`, name: 'Ada', email: 'ada@x.test', isWhitelisted: true },
      { id: `sender_${suffix.replace('A', 'B')}`, name: 'Bob', email: 'bob@x.test', isWhitelisted: false },
    ],
  ],
  [`DELETE /template/email/template_${suffix}`, undefined, () => success('template was deleted')],
  [`DELETE /campaign/campaign_${suffix}`, undefined, () => success('campaign was deleted')],
  ['POST /events/custom', { name: 'paid', identifier: suffix }, () => success('event tracked')],
  ['POST /contact/identify', { email: 'new@x.test' }, created => identified('contact created', created, {})],
  [
    'POST /contact/identify',
    {
      email: 'ada@x.test',
      newEmail: 'ada@y.test',
      tags: ['new'],
      customFields: { points: '++5', plan: 'pro' },
    },
    created =>
      identified('contact updated', created, {
        ...known,
        email: 'ada@y.test',
        birthday: '1815-12-10',
        tags: ['vip', 'new'],
        customFields: { points: '15', plan: 'pro' },
      }),
  ],
  [
    'POST /contact/track?email=ada%40x.test',
    { addTags: ['new'], removeTags: ['vip'] },
    () => ({ status: 'success', message: 'contact tracked', data: 'success' }),
  ],
];

test.each(rows)('the response of $name is here', ({ method, path }) => {
  const [prefix, pattern] = [/^\/api\/v1(\/rest)?/, path.replace('{identifier}', '[^/]+')];
  const request = new RegExp(`^${method} ${pattern.replace(prefix, '')}(\\?|$)`);
  expect(responses.map(([name]) => name)).toContainEqual(expect.stringMatching(request));
});

test.each(responses)(
  '%s responds with every documented member and no other',
  async (request, body, expected) => {
    const sandbox = createSandbox({ seed, now: () => new Date('2025-06-01T12:00:00.250Z') });
    const call = request.startsWith('POST /contact/') ? legacy : rest;
    const answer = await call(sandbox, request, body);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    const { operation } = sandbox.requests[0] ?? {};
    const described = operations.find(({ operation: { operationId } }) => operationId === operation);
    expect(check(responseSchema(described?.operation ?? expect.fail(), 200), answer.body)).toBe('');
    const { created: _, ...members } = answer.body as Partial<Created> & { created: unknown; data?: Created };
    const created = { id: '', encryptedTeamId: '', encryptedId: '', ...members, ...members.data };
    if (request.startsWith('POST') && created.id !== '')
      expect(created.id).toMatch(/^[a-z_]+_[a-zA-Z0-9]{22}$/);
    if (created.encryptedId !== '') expect(created.encryptedId).not.toBe(created.encryptedTeamId);
    // JavaScript rounds the number.
    if (request === 'POST /domain')
      expect(answer.text).toMatch(/,"created":1748779200250\d{6},"updated":0}$/);
    expect(request === 'POST /domain' ? members : answer.body).toEqual(expected(created));
  },
);

// The success of each operation, valid by docs/openapi.json: what its row in the table of tests says comes back, to its last
// member; typed out from docs/service-rules.md where that depends on what the sandbox holds.
import { describe, expect, test } from 'vitest';
import type { OperationName } from '../../src/index.ts';
import { createSandbox, type Seed } from '../../src/testing/index.ts';
import { contact, rows } from '../endpoints.ts';
import { published, responseSchema, schemaChecks } from '../openapi/published.ts';
import type { NamedRow } from '../support/operation-row.ts';
import { emptyContact, second, suffix } from '../support/specified-records.ts';
import { type Answered, legacy, rest, send } from './http.ts';

const { document, operations } = published();
const check = schemaChecks(document);

/** Expects the success of an operation, in the form that docs/openapi.json describes. */
function expectSuccess(name: OperationName, { status, headers, body }: Answered): void {
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  const described = operations.find(({ operation: { operationId } }) => operationId === name);
  if (!described) throw new Error(`docs/openapi.json has no ${name}: run \`npm run generate\``);
  expect(check(responseSchema(described.operation, 200), body)).toBe('');
}

/** What a sandbox with the row's seed responds with. A new record has an id and times of its own, messages any words. */
function expectedOf({ method, returns, response, fields }: NamedRow): unknown {
  if (method === 'GET') return response;
  const { created, ...members } = response as Readonly<Record<string, unknown>>;
  if (returns !== 'record') return { ...members, message: expect.any(String) };
  const id = expect.stringMatching(`${fields.response.id}`.replace('string', ''));
  return { ...members, id, created, updated: created };
}

const time = '2025-06-01T12:00:00Z';
const bob = { id: `contact_${second}`, email: 'bob@x.test' };
const full = { ...contact, unsubscribed: true, bounced: true, blocked: true, dropped: true, pageSource: 'a' };
const points = { [`custom_field_${suffix}`]: '10' };

const seed: Seed = {
  customFields: [{ id: `custom_field_${suffix}`, name: 'points', type: 'number' }],
  lists: [{ id: `list_${suffix}`, name: 'News', type: 3 }],
  tags: [{ id: `tag_${suffix}`, name: 'vip' }],
  contacts: [{ ...full, customFields: points, birthday: '1815-12-10' }, bob],
};

const contacts = [
  { ...full, customFields: points },
  { ...emptyContact, ...bob, created: time, updated: time, contactSource: 1 },
];

/** Identifiers of what a request creates, by the member that shows them. */
type Created = Readonly<Record<'id' | 'encryptedTeamId' | 'encryptedId', string>>;

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

/** Requests of the operations whose response depends on the sandbox, with it. */
const typedOut: readonly [
  OperationName,
  string,
  object | undefined,
  (created: Created) => object | readonly object[],
][] = [
  ['domains.create', 'POST /domain', { name: 'mail.x.test' }, domain],
  ['contacts.list', 'GET /contact', undefined, () => contacts],
  [
    'legacy.identify',
    'POST /contact/identify',
    { email: 'new@x.test' },
    created => identified('contact created', created, {}),
  ],
  [
    'legacy.identify',
    'POST /contact/identify',
    {
      email: contact.email,
      newEmail: 'zoe@y.test',
      tags: ['new'],
      customFields: { points: '++5', plan: 'pro' },
    },
    created =>
      identified('contact updated', created, {
        firstName: contact.firstName,
        lastName: contact.lastName,
        company: contact.company,
        email: 'zoe@y.test',
        birthday: '1815-12-10',
        tags: ['vip', 'new'],
        customFields: { points: '15', plan: 'pro' },
      }),
  ],
  [
    'legacy.track',
    'POST /contact/track?email=bob%40x.test',
    { addTags: ['new'], removeTags: ['vip'] },
    () => ({ status: 'success', message: 'contact tracked', data: 'success' }),
  ],
];

describe('with every documented member and no other responds', () => {
  test.each(rows.filter(({ name }) => !typedOut.some(([typed]) => typed === name)))(
    '$endpoint',
    async row => {
      const sandbox = createSandbox({
        seed: row.seed ?? {},
        now: () => new Date('2025-12-22T09:04:10.123Z'),
      });
      const [method = '', path = ''] = row.endpoint.split(' ');
      const keys = { [row.authentication]: sandbox.apiKey };
      const answer = await send(sandbox, method, path + (row.query ?? ''), keys, row.body);
      expectSuccess(row.name, answer);
      expect(answer.body).toEqual(expectedOf(row));
    },
  );

  test.each(typedOut)('%s: %s %j', async (name, request, body, expected) => {
    const sandbox = createSandbox({ seed, now: () => new Date('2025-06-01T12:00:00.250Z') });
    const call = request.startsWith('POST /contact/') ? legacy : rest;
    const answer = await call(sandbox, request, body);
    expectSuccess(name, answer);
    const { created: _, ...members } = answer.body as Partial<Created> & { created: unknown; data?: Created };
    const created = { id: '', encryptedTeamId: '', encryptedId: '', ...members, ...members.data };
    if (created.encryptedId !== '') expect(created.encryptedId).not.toBe(created.encryptedTeamId);
    if (name === 'domains.create') {
      expect(created.id).toMatch(/^domain_[a-zA-Z0-9]{22}$/);
      // JavaScript rounds the number.
      expect(answer.text).toMatch(/,"created":1748779200250\d{6},"updated":0}$/);
    }
    expect(name === 'domains.create' ? members : answer.body).toEqual(expected(created));
  });
});

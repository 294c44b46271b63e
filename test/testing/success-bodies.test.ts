// The success of each operation, valid by docs/openapi.json: what its row in the table of tests says comes back, to its last
// member; typed out from docs/service-rules.md where that depends on what the sandbox holds.
import { expect, test } from 'vitest';
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
function expectedOf({ method, returns, response }: NamedRow): unknown {
  if (method === 'GET') return response;
  const { created, ...members } = response as Readonly<Record<string, unknown>>;
  if (returns !== 'record') return { ...members, message: expect.any(String) };
  const [prefix] = `${members.id}`.split(/\w{22}$/);
  const id = expect.stringMatching(`^${prefix}[a-zA-Z0-9]{22}$`);
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

/** A new domain with this id, without its time of creation. */
const domain = (id: string) => ({
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

/** Operations whose response depends on what the sandbox stores or makes up: see below, and `identify.test.ts`. */
const others: readonly OperationName[] = [
  'domains.create',
  'contacts.list',
  'legacy.identify',
  'legacy.track',
];

test.each(rows.filter(({ name }) => !others.includes(name)))(
  '$endpoint responds with every documented member and no other',
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

test('contacts have every documented member and no other', async () => {
  const answer = await rest(createSandbox({ seed, now: () => new Date(time) }), 'GET /contact');
  expectSuccess('contacts.list', answer);
  expect(answer.body).toEqual(contacts);
});

test('a new domain has every documented member and no other, and times that JavaScript rounds', async () => {
  const sandbox = createSandbox({ now: () => new Date('2025-06-01T12:00:00.250Z') });
  const answer = await rest(sandbox, 'POST /domain', { name: 'mail.x.test' });
  expectSuccess('domains.create', answer);
  const { id, created: _, ...members } = answer.body as { id: string; created: unknown };
  expect(id).toMatch(/^domain_[a-zA-Z0-9]{22}$/);
  expect(answer.text).toMatch(/,"created":1748779200250\d{6},"updated":0}$/);
  expect({ id, ...members }).toEqual(domain(id));
});

test.each([
  ['legacy.identify', 'POST /contact/identify', { email: 'new@x.test', tags: ['new'] }],
  ['legacy.track', 'POST /contact/track?email=bob%40x.test', { addTags: ['new'], removeTags: ['vip'] }],
] as const)('the response of %s is as the OpenAPI document describes it', async (name, request, body) => {
  expectSuccess(name, await legacy(createSandbox({ seed }), request, body));
});

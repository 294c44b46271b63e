// Identify and Track: rules 6.1 to 6.10 and 7.1 to 7.3 of docs/service-rules.md.
import { describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/testing/index.ts';
import { legacy, outcome, rest } from './http.ts';

const malformed = [400, { status: 'error', message: 'request body not in proper format' }];
const points = [{ name: 'points', type: 'number' as const }];
const path = 'POST /contact/identify';

/** Identifies a contact. Resolves to its data in the response. */
async function identify(sandbox: Sandbox, body: object): Promise<Record<string, unknown>> {
  const answer = await legacy(sandbox, path, body);
  return (answer.body as { data: Record<string, unknown> }).data;
}

test('Identify removes nothing, adds tags and merges custom fields', async () => {
  const sandbox = createSandbox();
  const first = { firstName: 'Ada', company: 'X', tags: ['a'], customFields: { k: '1', l: '1' } };
  const second = { lastName: 'Byron', company: 'Y', birthday: '1815-12-10' };
  const created = await identify(sandbox, { email: 'ada@x.test', ...first });
  const added = { tags: ['b'], customFields: { l: '2', m: '3' } };
  // Emails that differ in case belong to one contact.
  expect(await identify(sandbox, { email: 'ADA@x.test', ...second, ...added })).toEqual({
    ...created,
    ...second,
    tags: ['a', 'b'],
    customFields: { k: '1', l: '2', m: '3' },
  });
  expect(created).toMatchObject({ email: 'ada@x.test', ...first, lastName: '', birthday: '' });
  // Unknown tags are created, and known ones are used, in any call.
  await identify(sandbox, { email: 'ada@x.test', tags: ['a', 'c', 'a'] });
  expect(sandbox.state.tags.all.map(tag => tag.name)).toEqual(['a', 'b', 'c']);
});

test.each([
  ['adds', '10', '++5', '15'],
  ['subtracts, also below zero', '1', '--4', '-3'],
  ['is exact with decimals', '0.1', '++0.2', '0.3'],
  ['is exact beyond 2^53', '9007199254740993', '++1', '9007199254740994'],
  ['becomes whole', '0.5', '++0.5', '1'],
  ['keeps a zero before the point', '0.5', '--0.75', '-0.25'],
  ['replaces', '10', '3', '3'],
  ['stores the given number if there is none', undefined, '++5', '5'],
  ['stores the given number if there is none', undefined, '--5', '5'],
])('%s in a number field: %s changed by %s is %s', async (_, before, given, after) => {
  const customFields = before === undefined ? {} : { points: before };
  const contacts = [{ email: 'ada@x.test', customFields }];
  const sandbox = createSandbox({ seed: { customFields: points, contacts } });
  const data = await identify(sandbox, { email: 'ada@x.test', customFields: { points: given } });
  expect(data.customFields).toEqual({ points: after });
});

test('`++` on an unknown field creates a field of type string', async () => {
  const sandbox = createSandbox();
  const change = (n: string) => identify(sandbox, { email: 'a@x.test', customFields: { n } });
  expect((await change('++5')).customFields).toEqual({ n: '++5' });
  expect((await change('++3')).customFields).toEqual({ n: '++3' });
});

test('an empty string empties a field', async () => {
  const sandbox = createSandbox({ seed: { customFields: points } });
  const email = 'a@x.test';
  const before = { firstName: 'Ada', birthday: '1815-12-10', customFields: { points: '5', plan: 'Ada' } };
  await identify(sandbox, { email, ...before });
  const empty = { firstName: '', birthday: '', customFields: { points: '', plan: '', none: '' } };
  expect(await identify(sandbox, { email, ...empty })).toMatchObject(empty);
  const change = { email, customFields: { points: '++1' } };
  expect((await identify(sandbox, change)).customFields).toHaveProperty('points', '1');
});

describe('newEmail', () => {
  const seed: SandboxOptions['seed'] = {
    contacts: [{ email: 'old@x.test', firstName: 'Ada' }, { email: 'other@x.test' }],
  };

  test.each(['new@x.test', 'old@x.test', 'OLD@x.test'])('changes the address to %s', async newEmail => {
    const sandbox = createSandbox({ seed });
    const { id } = sandbox.state.contacts.all[0] ?? {};
    const { email, firstName } = await identify(sandbox, { email: 'old@x.test', newEmail });
    expect([email, firstName]).toEqual([newEmail, 'Ada']);
    expect(sandbox.state.contacts.named(newEmail)?.id).toBe(id);
    expect(sandbox.state.contacts.named('old@x.test')?.id).toBe(/old/i.test(newEmail) ? id : undefined);
  });

  test('is rejected if another contact has the address, and nothing changes', async () => {
    const sandbox = createSandbox({ seed });
    const body = { email: 'old@x.test', newEmail: 'other@x.test', firstName: 'B' };
    const message = 'contact with this email already exists';
    expect(outcome(await legacy(sandbox, path, body))).toEqual([409, { status: 'error', message }]);
    expect(sandbox.state.contacts.named('old@x.test')?.firstName).toBe('Ada');
  });

  test('of an unknown contact is ignored', async () => {
    const contact = await identify(createSandbox(), { email: 'no@x.test', newEmail: 'new@x.test' });
    expect(contact.email).toBe('no@x.test');
  });
});

test('Identify without an email, or with text for a number field, stores nothing', async () => {
  const sandbox = createSandbox({ seed: { customFields: points } });
  expect(outcome(await legacy(sandbox, path, { tags: ['t'] }))).toEqual(malformed);
  for (const value of ['many', '++many', '++', '5 ', '5.', '.5', '++5.']) {
    const body = { email: 'a@x.test', tags: ['t'], customFields: { points: value } };
    expect(outcome(await legacy(sandbox, path, body))).toEqual(malformed);
  }
  expect([sandbox.state.contacts.size, sandbox.state.tags.size]).toEqual([0, 0]);
});

test('Track adds tags and removes tags, and records the changes that took place', async () => {
  const contact = { email: 'a+b@x.test', tags: ['old', 'kept'] };
  const sandbox = createSandbox({ seed: { contacts: [contact], tags: [{ name: 'other' }] } });
  const body = { addTags: ['new', 'kept'], removeTags: ['old', 'never', 'other'] };
  const answer = await legacy(sandbox, 'POST /contact/track?email=a%2Bb%40x.test', body);
  expect(outcome(answer)).toEqual([200, { status: 'success', message: 'contact tracked', data: 'success' }]);
  expect(sandbox.state.contacts.all[0]?.tagNames).toEqual(['kept', 'new']);
  expect(sandbox.state.tagChanges.all.map(({ tag, change }) => [tag, change])).toEqual([
    ['new', 'added'],
    ['old', 'removed'],
  ]);
});

test('Track responds 404 to an unknown email, or creates the contact by option', async () => {
  const unknown = 'POST /contact/track?email=no%40x.test';
  const notFound = { status: 'error', message: 'resource not found' };
  expect(outcome(await legacy(createSandbox(), unknown, { addTags: ['x'] }))).toEqual([404, notFound]);
  const creating = createSandbox({ ambiguities: { trackOfUnknownContact: 'create' } });
  expect((await legacy(creating, unknown, { addTags: ['x'] })).status).toBe(200);
  expect(creating.state.contacts.named('no@x.test')?.tags).toHaveLength(1);
});

test('Identify and Track change `updated`, and leave `created` unchanged', async () => {
  let minute = 0;
  const sandbox = createSandbox({ now: () => new Date(Date.UTC(2025, 0, 1, 0, minute)) });
  for (const call of ['identify', 'identify', 'track?email=a%40x.test']) {
    await legacy(sandbox, `POST /contact/${call}`, { email: 'a@x.test' });
    const updated = `2025-01-01T00:0${minute}:00Z`;
    expect(sandbox.state.contacts.all).toMatchObject([{ created: '2025-01-01T00:00:00Z', updated }]);
    minute += 1;
  }
});

test.each(['custom_field_', 'field_'] as const)(
  'REST shows the contact of the legacy interface, with custom fields by ids that begin with %s',
  async fieldPrefix => {
    const sandbox = createSandbox({ ambiguities: { fieldPrefix } });
    const fields = { email: 'a@x.test', firstName: 'Ada' };
    await identify(sandbox, { ...fields, tags: ['vip'], customFields: { plan: 'pro' } });
    const [tag] = sandbox.state.tags.all;
    const id = sandbox.state.customFields.named('plan')?.id.replace('custom_field_', '');
    expect((await rest(sandbox, 'GET /contact')).body).toMatchObject([
      { ...fields, tags: [tag?.id], contactSource: 1, customFields: { [`${fieldPrefix}${id}`]: 'pro' } },
    ]);
  },
);

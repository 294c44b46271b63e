// Records that a test, a seed or the controls add and change, all by the same rules.
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';

const suffix = 'ABCDEFGHIJKLMNOPQRSTUV';
const unknown = '0000000000000000000000';
const email = 'a@x.test';
const seed = {
  customFields: [{ id: `custom_field_${suffix}`, name: 'points', type: 'number' as const }],
  tags: [{ id: `tag_${suffix}`, name: 'vip' }],
  lists: [{ id: `list_${suffix}`, name: 'News' }],
  domains: [{ name: 'x.test' }],
};

test('a contact takes names of tags, lists and fields, and creates what does not exist', () => {
  const { state } = createSandbox({ seed });
  const contact = state.contacts.add({
    email,
    tags: ['vip', 'new'],
    lists: ['News', 'Other'],
    customFields: { points: '5', plan: 'pro' },
  });
  expect(contact.tags).toEqual([`tag_${suffix}`, state.tags.named('new')?.id]);
  expect(contact.lists).toEqual([`list_${suffix}`, state.lists.named('Other')?.id]);
  expect(contact.customFields).toEqual({
    [`custom_field_${suffix}`]: '5',
    [state.customFields.named('plan')?.id ?? '']: 'pro',
  });
  expect([state.tags.size, state.lists.size, state.customFields.size]).toEqual([2, 2, 2]);
});

test('a contact takes ids of tags, lists and fields', () => {
  const { state } = createSandbox({ seed });
  const ids = { tags: [`tag_${suffix}`], lists: [`list_${suffix}`] };
  const contact = state.contacts.add({ email, ...ids, customFields: { [`field_${suffix}`]: '5' } });
  expect(contact).toMatchObject({ ...ids, customFields: { [`custom_field_${suffix}`]: '5' } });
  expect([state.tags.size, state.lists.size, state.customFields.size]).toEqual([1, 1, 1]);
});

test.each([
  ['contacts', { email: 'nope' }, 'email must be an email address'],
  ['contacts', {}, 'a contact requires email'],
  ['contacts', { email, ltv: '5' }, 'ltv must be a whole number'],
  ['contacts', { email, birthday: '2025-02-30' }, 'birthday must be a date in the form YYYY-MM-DD'],
  ['contacts', { email, lists: [''] }, 'lists must be an array of list names or ids'],
  [
    'contacts',
    { email, tags: ['new'], customFields: { points: 'abc' } },
    'customFields.points must be a number, because the field has the type number',
  ],
  [
    'contacts',
    { email, tags: ['new', `tag_${unknown}`] },
    `tags: no tag has the id tag_${unknown}; to create a tag, give a name`,
  ],
  [
    'contacts',
    { email, customFields: { [`field_${unknown}`]: '5' } },
    `customFields: no custom field has the id field_${unknown}; to create a custom field, give a name`,
  ],
  ['tags', { name: 'vip' }, 'another tag already has this name'],
  ['tags', { name: ' ' }, 'a tag requires name'],
  ['tags', { id: `tag_${suffix}`, name: 'x' }, 'another tag already has this id'],
  ['domains', { name: 'no domain' }, 'name must be a domain name'],
  ['domains', { name: 'X.test' }, 'another domain already has this name'],
  [
    'domains',
    { name: 'y.test', created: '-1' },
    'created must be whole nanoseconds, as a string or a bigint',
  ],
  ['customFields', { name: 'points' }, 'another custom field already has this name'],
  [
    'campaigns',
    { state: 'paused' },
    'state must be one of draft, active, scheduled, sending, sent, archived',
  ],
  ['templates', { id: 'template_1' }, 'id must be template_ and 22 letters'],
] as const)('an invalid record of %s throws and changes nothing: %j', (kind, fields, message) => {
  const sandbox = createSandbox({ seed });
  const before = sandbox.snapshot();
  expect(() => sandbox.state[kind].add(fields as never)).toThrow(message);
  expect(sandbox.snapshot()).toEqual(before);
});

describe('an edit', () => {
  test('changes `updated`, unless it sets it or changes nothing', () => {
    let minute = 0;
    const { contacts } = createSandbox({ now: () => new Date(Date.UTC(2025, 0, 1, 0, minute++)) }).state;
    const contact = contacts.add({ email: 'a@x.test' });
    expect(contact.updated).toBe('2025-01-01T00:00:00Z');
    contacts.update(contact, {});
    expect(contact.updated).toBe('2025-01-01T00:00:00Z');
    contacts.update(contact, { firstName: 'Ada' });
    expect(contact.updated).toBe('2025-01-01T00:01:00Z');
    contacts.update(contact, { updated: '2024-01-01T00:00:00Z' });
    expect(contact.updated).toBe('2024-01-01T00:00:00Z');
    expect(contact.created).toBe('2025-01-01T00:00:00Z');
  });

  test('changes `updated` in the form that the kind has', () => {
    const { state } = createSandbox({ now: () => new Date(Date.UTC(2025, 0, 1)) });
    const { domains, postCategories, senders } = state;
    const domain = domains.update(domains.add({ name: 'x.test' }), { verified: true });
    const category = postCategories.update(postCategories.add({ name: 'a' }), { name: 'b' });
    const sender = senders.update(senders.add({ name: 'Ada' }), { name: 'Grace' });
    expect(domain.updated).toBe(1_735_689_600_000_000_000n);
    expect(category.updated).toBe('2025-01-01T00:00:00.000Z');
    expect(sender).toEqual({ id: sender.id, name: 'Grace', email: '', isWhitelisted: false });
  });

  test('can empty a number field', () => {
    const { contacts } = createSandbox({ seed }).state;
    const contact = contacts.add({ email: 'a@x.test', customFields: { points: '5' } });
    contacts.update(contact, { customFields: { points: '' } });
    expect(contact.customFields).toEqual({ [`custom_field_${suffix}`]: '' });
  });

  test('cannot change the id of the record', () => {
    const { state } = createSandbox({ seed });
    const contact = state.contacts.add({ email: 'a@x.test' });
    expect(() => state.contacts.update(contact, { id: `contact_${suffix}` })).toThrow(
      'the id of a record cannot change',
    );
  });
});

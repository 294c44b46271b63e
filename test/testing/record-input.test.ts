// Records that a test, a seed or the controls add and change, all by the same rules.
import { expect, test } from 'vitest';
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

test('a contact takes names or ids of tags, lists and fields, and creates unknown names', () => {
  const { state } = createSandbox({ seed });
  const ids = { tags: [`tag_${suffix}`], lists: [`list_${suffix}`] };
  const customFields = { [`custom_field_${suffix}`]: '5' };
  const names = { tags: ['vip'], lists: ['News'], customFields: { points: '5' } };
  expect(state.contacts.add({ email, ...names })).toMatchObject({ ...ids, customFields });
  expect(state.contacts.add({ email: 'b@x.test', ...ids, customFields })).toMatchObject({
    ...ids,
    customFields,
  });
  expect([state.tags.size, state.lists.size, state.customFields.size]).toEqual([1, 1, 1]);
  const others = { tags: ['new'], lists: ['Other'], customFields: { plan: 'pro' } };
  expect(state.contacts.add({ email: 'c@x.test', ...others })).toMatchObject({
    tags: [state.tags.named('new')?.id],
    lists: [state.lists.named('Other')?.id],
    customFields: { [state.customFields.named('plan')?.id ?? '']: 'pro' },
  });
});

test.each([
  ['contacts', { email: 'nope' }, 'email must be an email address (got "nope").'],
  ['contacts', {}, 'A contact requires email.'],
  ['contacts', { email, ltv: '5' }, 'ltv must be a whole number (got "5").'],
  ['contacts', { email, birthday: '2025-02-30' }, 'birthday must be a date in the form YYYY-MM-DD'],
  ['contacts', { email, lists: [''] }, 'lists must be an array of list names or ids'],
  [
    'contacts',
    { email, tags: ['new'], customFields: { points: 'abc' } },
    'customFields.points must be a number, because the field has the type number.',
  ],
  [
    'contacts',
    { email, tags: ['new', `tag_${unknown}`] },
    `tags: no tag has the id tag_${unknown}. To create a tag, give a name.`,
  ],
  ['tags', { name: 'vip' }, 'Another tag already has this name.'],
  ['tags', { name: ' ' }, 'A tag requires name.'],
  ['tags', { id: `tag_${suffix}`, name: 'x' }, 'Another tag already has this id.'],
  ['domains', { name: 'no domain' }, 'name must be a domain name'],
  ['domains', { name: 'X.test' }, 'Another domain already has this name.'],
  ['domains', { name: 'y.test', created: '-1' }, 'created must be whole nanoseconds'],
  ['domains', { name: 'y.test', created: 5 }, 'created must be whole nanoseconds, as a string or a bigint'],
  [
    'campaigns',
    { state: 'paused' },
    'state must be one of draft, active, scheduled, sending, sent, archived',
  ],
  ['campaigns', { template: 'Mai' }, 'template: no template has the name or id "Mai".'],
  ['templates', { id: 'template_1' }, 'id must be template_ and 22 letters or digits'],
] as const)('an invalid record of %s throws and changes nothing: %j', (kind, fields, message) => {
  const sandbox = createSandbox({ seed });
  const before = sandbox.snapshot();
  expect(() => sandbox.state[kind].add(fields as never)).toThrow(message);
  expect(sandbox.snapshot()).toEqual(before);
});

test('an edit changes `updated` in the form that the kind has, unless it sets it or changes nothing', () => {
  let minute = 0;
  const now = () => new Date(Date.UTC(2025, 0, 1, 0, minute++));
  const { contacts, domains, postCategories, senders } = createSandbox({ now }).state;
  const contact = contacts.add({ email });
  for (const [fields, updated] of [
    [{}, '2025-01-01T00:00:00Z'],
    [{ firstName: 'Ada' }, '2025-01-01T00:01:00Z'],
    [{ updated: '2024-01-01T00:00:00Z' }, '2024-01-01T00:00:00Z'],
  ] as const)
    expect(contacts.update(contact, fields).updated).toBe(updated);
  expect(contact.created).toBe('2025-01-01T00:00:00Z');
  minute = 0;
  const domain = domains.update(domains.add({ name: 'x.test' }), { verified: true });
  expect(`${domain.updated}`).toMatch(/^1735689660000\d{6}$/);
  minute = 0;
  const category = postCategories.update(postCategories.add({ name: 'a' }), { name: 'b' });
  expect(category.updated).toBe('2025-01-01T00:01:00.000Z');
  const sender = senders.update(senders.add({ name: 'Ada' }), { name: 'Grace' });
  expect(sender).toEqual({ id: sender.id, name: 'Grace', email: '', isWhitelisted: false });
});

test('an edit can empty a number field, and takes a template by name or id', () => {
  const { contacts, campaigns, templates } = createSandbox({
    seed: { ...seed, templates: 1, campaigns: 1 },
  }).state;
  const contact = contacts.add({ email, customFields: { points: '5' } });
  contacts.update(contact, { customFields: { points: '' } });
  expect(contact.customFields).toEqual({ [`custom_field_${suffix}`]: '' });
  const [template, campaign] = [templates.all[0] ?? expect.fail(), campaigns.all[0] ?? expect.fail()];
  for (const nameOrId of [template.name, template.id])
    expect(campaigns.update(campaign, { template: nameOrId }).template).toBe(template.id);
});

test('an edit cannot change the id of a record, or a copy of one', () => {
  const { contacts } = createSandbox({ seed }).state;
  const contact = contacts.add({ email });
  const { tagNames: _, ...copy } = contact;
  expect(() => contacts.update(contact, { id: `contact_${suffix}` })).toThrow(
    'The id of a record cannot change.',
  );
  expect(() => contacts.update({ ...copy, tagNames: [] }, { firstName: 'Grace' })).toThrow(
    'update requires a record of the state.',
  );
});

import { describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/testing/index.ts';
import { rest } from './http.ts';

type Fields = Readonly<Record<string, unknown>>;
type Add = (kind: 'contacts' | 'tags' | 'domains' | 'lists', fields: Fields) => Promise<Sandbox>;

const seed = {
  customFields: [{ id: 'custom_field_ABCDEFGHIJKLMNOPQRSTUV', name: 'points', type: 'number' as const }],
  tags: [{ id: 'tag_ABCDEFGHIJKLMNOPQRSTUV', name: 'vip' }],
  lists: [{ id: 'list_ABCDEFGHIJKLMNOPQRSTUV', name: 'News' }],
};

/** Every way to add a record besides the service's own. Each rejects if the record is invalid. */
const ways: Readonly<Record<string, Add>> = {
  seed: async (kind, fields) => {
    const records = [...('tags lists'.includes(kind) ? seed[kind as 'tags' | 'lists'] : []), fields];
    try {
      return createSandbox({ seed: { ...seed, [kind]: records } } as SandboxOptions);
    } catch (error) {
      throw new Error(String((error as Error).message).replace(/^seed\.\w+\[\d\]: /, ''));
    }
  },
  'state.add': async (kind, fields) => {
    const sandbox = createSandbox({ seed });
    sandbox.state[kind].add(fields as never);
    return sandbox;
  },
  'the controls over HTTP': async (kind, fields) => {
    const sandbox = createSandbox({ seed });
    await using server = await sandbox.listen();
    const init = { method: 'POST', body: JSON.stringify(fields) };
    const response = await fetch(`${server.url}/_sandbox/records/${kind}`, init);
    if (!response.ok) throw new Error(((await response.json()) as { message: string }).message);
    return sandbox;
  },
};

describe.each(Object.entries(ways))('a contact added by %s', (_, add) => {
  test('takes names of tags, lists and fields, and creates what does not exist', async () => {
    const { state } = await add('contacts', {
      email: 'a@x.test',
      tags: ['vip', 'new'],
      lists: ['News', 'Other'],
      customFields: { points: '5', plan: 'pro' },
    });
    const [contact] = state.contacts.all;
    expect(contact?.tags).toEqual(['tag_ABCDEFGHIJKLMNOPQRSTUV', state.tags.named('new')?.id]);
    expect(contact?.lists).toEqual(['list_ABCDEFGHIJKLMNOPQRSTUV', state.lists.named('Other')?.id]);
    expect(contact?.customFields).toEqual({
      custom_field_ABCDEFGHIJKLMNOPQRSTUV: '5',
      [state.customFields.named('plan')?.id ?? '']: 'pro',
    });
    expect([state.tags.size, state.lists.size, state.customFields.size]).toEqual([2, 2, 2]);
  });

  test('takes ids of tags, lists and fields', async () => {
    const { state } = await add('contacts', {
      email: 'a@x.test',
      tags: ['tag_ABCDEFGHIJKLMNOPQRSTUV'],
      lists: ['list_ABCDEFGHIJKLMNOPQRSTUV'],
      customFields: { field_ABCDEFGHIJKLMNOPQRSTUV: '5' },
    });
    expect(state.contacts.all[0]).toMatchObject({
      tags: ['tag_ABCDEFGHIJKLMNOPQRSTUV'],
      lists: ['list_ABCDEFGHIJKLMNOPQRSTUV'],
      customFields: { custom_field_ABCDEFGHIJKLMNOPQRSTUV: '5' },
    });
    expect(state.tags.size).toBe(1);
  });

  test.each([
    [{ email: 'nope' }, 'email must be an email address'],
    [{}, 'a contact requires email'],
    [{ email: 'a@x.test', birthday: '2025-02-30' }, 'birthday must be a date in the form YYYY-MM-DD'],
    [
      { email: 'a@x.test', customFields: { points: 'abc' } },
      'customFields.points must be a number, because the field has the type number',
    ],
    [
      { email: 'a@x.test', tags: ['new', 'tag_0000000000000000000000'] },
      'tags: no tag has the id tag_0000000000000000000000; to create a tag, give a name',
    ],
    [
      { email: 'a@x.test', customFields: { field_0000000000000000000000: '5' } },
      'customFields: no custom field has the id field_0000000000000000000000; to create a custom field, give a name',
    ],
    [{ email: 'a@x.test', lists: [''] }, 'lists must be an array of list names or ids'],
  ])(
    'throws for what the service does not accept, and for ids that do not exist: %j',
    async (fields, message) => {
      await expect(add('contacts', fields)).rejects.toThrow(message);
    },
  );
});

test.each(Object.entries(ways))(
  'a tag or domain added by %s throws for what the service does not accept',
  async (_, add) => {
    await expect(add('tags', { name: 'vip' })).rejects.toThrow('another tag already has this name');
    await expect(add('tags', { name: ' ' })).rejects.toThrow('a tag requires name');
    await expect(add('tags', { id: 'tag_ABCDEFGHIJKLMNOPQRSTUV', name: 'x' })).rejects.toThrow(
      'another tag already has this id',
    );
    await expect(add('domains', { name: 'no domain' })).rejects.toThrow('name must be a domain name');
    expect((await add('lists', { name: 'News' })).state.lists.size).toBe(2);
  },
);

test('an invalid record creates no tag', () => {
  const { state } = createSandbox({ seed });
  const fields = { email: 'a@x.test', tags: ['new'], customFields: { points: 'abc' } };
  expect(() => state.contacts.add(fields)).toThrow(RangeError);
  expect([state.contacts.size, state.tags.size]).toEqual([0, 1]);
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

  test('over HTTP changes `updated`, in the form that the kind has', async () => {
    const sandbox = createSandbox({ now: () => new Date(Date.UTC(2025, 0, 1)) });
    const { domains, postCategories, senders } = sandbox.state;
    const [domain, category] = [domains.add({ name: 'x.test' }), postCategories.add({ name: 'a' })];
    const sender = senders.add({ name: 'Ada' });
    await using server = await sandbox.listen();
    const edit = (path: string, fields: object) =>
      fetch(`${server.url}/_sandbox/records/${path}`, { method: 'PATCH', body: JSON.stringify(fields) });
    await edit(`domains/${domain.id}`, { verified: true });
    await edit(`postCategories/${category.id}`, { name: 'b' });
    await edit(`senders/${sender.id}`, { name: 'Grace' });
    expect(domain.updated).toBe(1_735_689_600_000_000_000n);
    expect(category.updated).toBe('2025-01-01T00:00:00.000Z');
    expect(sender).toEqual({ id: sender.id, name: 'Grace', email: '', isWhitelisted: false });
  });

  test('can empty a number field', () => {
    const { contacts } = createSandbox({ seed }).state;
    const contact = contacts.add({ email: 'a@x.test', customFields: { points: '5' } });
    contacts.update(contact, { customFields: { points: '' } });
    expect(contact.customFields).toEqual({ custom_field_ABCDEFGHIJKLMNOPQRSTUV: '' });
  });

  test('cannot change the id of the record', () => {
    const { state } = createSandbox({ seed });
    const contact = state.contacts.add({ email: 'a@x.test' });
    expect(() => state.contacts.update(contact, { id: 'contact_ABCDEFGHIJKLMNOPQRSTUV' })).toThrow(
      'the id of a record cannot change',
    );
  });
});

test('`__proto__` and `constructor` are valid names', () => {
  const { state } = createSandbox();
  const customFields = JSON.parse('{"__proto__":"x","constructor":"y"}');
  const contact = state.contacts.add({ email: 'a@x.test', tags: ['__proto__', 'constructor'], customFields });
  expect(contact.tags.map(id => state.tags.get(id)?.name)).toEqual(['__proto__', 'constructor']);
  expect(Object.keys(contact.customFields).map(id => state.customFields.get(id)?.name)).toEqual([
    '__proto__',
    'constructor',
  ]);
});

test('a campaign without a template does not use a template without a name', async () => {
  const sandbox = createSandbox({ seed: { campaigns: [{ state: 'scheduled' }], templates: [{}] } });
  const [template] = sandbox.state.templates.all;
  expect((await rest(sandbox, `DELETE /template/email/${template?.id}`)).status).toBe(200);
});

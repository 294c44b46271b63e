// Ids, times and records: rules 2.1 to 2.5 and 5.1 to 5.2 of docs/service.md.
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';
import { rest } from './http.ts';

const suffix = 'ABCDEFGHIJKLMNOPQRSTUV';
const seed = {
  lists: [{ name: 'News' }],
  senders: [{ name: 'Ada', email: 'ada@x.test' }],
  postTags: 2,
  contacts: [
    {
      email: 'ada@x.test',
      firstName: 'Ada',
      tags: ['vip'],
      lists: ['News'],
      customFields: { plan: 'pro' },
      birthday: '1990-01-02',
    },
  ],
};

const name = 'mail.example.com';

test('a path identifier is accepted with and without its prefix', async () => {
  const sandbox = createSandbox({ seed: { postTags: [{ id: `post_tag_${suffix}`, name: 'news' }] } });
  const whole = await rest(sandbox, `GET /post/tag/post_tag_${suffix}`);
  const bare = await rest(sandbox, `GET /post/tag/${suffix}`);
  expect(whole.body).toMatchObject({ name: 'news' });
  expect(bare.body).toEqual(whole.body);
});

test.each([`tag_${suffix}`, `post_tag_${suffix.slice(1)}`, `post_tag_post_tag_${suffix}`])(
  'the identifier %s, with another prefix or length, finds nothing',
  async identifier => {
    const sandbox = createSandbox({ seed: { postTags: [{ id: `post_tag_${suffix}` }] } });
    expect((await rest(sandbox, `GET /post/tag/${identifier}`)).body).toEqual({
      status: 'error',
      message: 'resource not found',
    });
  },
);

test('a sender is whitelisted once its record is', async () => {
  const sandbox = createSandbox({ seed });
  for (const sender of sandbox.state.senders) sender.isWhitelisted = true;
  expect((await rest(sandbox, 'GET /sender')).body).toMatchObject([{ isWhitelisted: true }]);
});

describe('a domain', () => {
  test('has `created` in whole nanoseconds, written without rounding, and `updated` 0', async () => {
    const sandbox = createSandbox({ seed: { domains: [] }, now: () => new Date('2025-12-22T09:04:10.613Z') });
    const { text } = await rest(sandbox, 'POST /domain', { name });
    const digits = /"created":(\d+),/.exec(text)?.[1] ?? '';
    expect(digits).toHaveLength(19);
    expect(digits).toMatch(/^1766394250613/);
    expect(sandbox.state.domains.find({ name })?.created).toBe(BigInt(digits));
    expect(text).toMatch(/"updated":0}$/);
  });

  test('has a `dkimConfig` that is JSON text with five members', async () => {
    const { body } = await rest(createSandbox(), 'POST /domain', { name });
    const config = JSON.parse((body as { dkimConfig: string }).dkimConfig);
    expect(Object.keys(config).sort()).toEqual(['Domain', 'Headers', 'PrivKey', 'PubKey', 'Selector']);
    expect(config.Domain).toBe(name);
  });
});

test.each(['custom_field_', 'field_'] as const)(
  'the keys of custom fields in a contact are `%s` and an identifier',
  async fieldPrefix => {
    const { body } = await rest(createSandbox({ seed, ambiguities: { fieldPrefix } }), 'GET /contact');
    const [[key, value]] = Object.entries((body as [{ customFields: object }])[0].customFields) as [
      [string, string],
    ];
    expect(key).toMatch(new RegExp(`^${fieldPrefix}[a-zA-Z0-9]{22}$`));
    expect(value).toBe('pro');
  },
);

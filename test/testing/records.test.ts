// Ids, times and records: rules 2.1 to 2.5 and 5.1 to 5.2 of docs/service.md.
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';
import { emptyContact } from '../support/specified-records.ts';
import { rest } from './http.ts';

const suffix = 'ABCDEFGHIJKLMNOPQRSTUV';
const seconds = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
const milliseconds = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const id = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}[a-zA-Z0-9]{22}$`));

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

const named = (prefix: string, name: unknown, time = seconds) => ({
  id: id(prefix),
  name,
  created: time,
  updated: time,
});
const name = 'mail.example.com';
const postTag = named('post_tag_', expect.any(String));
const dns = {
  host: expect.any(String),
  type: expect.stringMatching(/^(TXT|CNAME)$/),
  textValue: expect.any(String),
};
const domain = {
  id: id('domain_'),
  name,
  verified: false,
  returnPathVerified: false,
  dkimVerified: false,
  trackVerified: false,
  dmarcVerified: false,
  gptVerified: false,
  dkim: dns,
  returnPath: dns,
  track: dns,
  dmarc: dns,
  gpt: dns,
  dkimConfig: expect.any(String),
  dmarcFailureReason: '',
  created: expect.any(Number),
  updated: 0,
};
const contact = {
  ...emptyContact,
  id: id('contact_'),
  firstName: 'Ada',
  email: 'ada@x.test',
  customFields: expect.any(Object),
  lists: [id('list_')],
  tags: [id('tag_')],
  created: seconds,
  updated: seconds,
  contactSource: 1,
};

test.each([
  ['POST /domain', domain],
  ['POST /list', { ...named('list_', name), type: expect.any(Number) }],
  ['POST /tag', named('tag_', name)],
  ['POST /post/category', named('post_category_', name, milliseconds)],
  ['GET /sender', [{ id: id('sender_'), name: 'Ada', email: 'ada@x.test', isWhitelisted: false }]],
  ['GET /post/tag', [postTag, postTag]],
  ['GET /contact', [contact]],
])('the response to %s has every documented field and no other', async (request, expected) => {
  const body = request.startsWith('POST') ? { name } : undefined;
  expect((await rest(createSandbox({ seed }), request, body)).body).toEqual(expected);
});

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

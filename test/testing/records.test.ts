// Ids, times and records: rules 2.1 to 2.5 and 5.1 to 5.2 of docs/service.md.
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';
import { emptyContact } from '../support/specified-records.ts';
import { rest } from './http.ts';

const secondsTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const millisTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const id = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}[a-zA-Z0-9]{22}$`));

describe('identifiers and times', () => {
  test('path identifiers are accepted with and without their prefix', async () => {
    const sandbox = createSandbox({
      seed: { postTags: [{ id: 'post_tag_ABCDEFGHIJKLMNOPQRSTUV', name: 'news' }] },
    });
    const whole = await rest(sandbox, 'GET /post/tag/post_tag_ABCDEFGHIJKLMNOPQRSTUV');
    const bare = await rest(sandbox, 'GET /post/tag/ABCDEFGHIJKLMNOPQRSTUV');
    expect(whole.body).toMatchObject({ name: 'news' });
    expect(bare.body).toEqual(whole.body);
  });

  test('an identifier with another prefix, or of another length, finds nothing', async () => {
    const sandbox = createSandbox({ seed: { postTags: [{ id: 'post_tag_ABCDEFGHIJKLMNOPQRSTUV' }] } });
    for (const wrong of [
      'tag_ABCDEFGHIJKLMNOPQRSTUV',
      'post_tag_ABCDEFGHIJKLMNOPQRSTU',
      'post_tag_post_tag_ABCDEFGHIJKLMNOPQRSTUV',
    ])
      expect((await rest(sandbox, `GET /post/tag/${wrong}`)).body).toEqual({
        status: 'error',
        message: 'resource not found',
      });
  });

  test('post categories carry milliseconds, lists and tags do not', async () => {
    const sandbox = createSandbox();
    const category = await rest(sandbox, 'POST /post/category', { name: 'a' });
    expect(category.body).toMatchObject({
      created: expect.stringMatching(millisTime),
      updated: expect.stringMatching(millisTime),
    });
    for (const path of ['/list', '/tag'])
      expect((await rest(sandbox, `POST ${path}`, { name: 'a' })).body).toMatchObject({
        created: expect.stringMatching(secondsTime),
        updated: expect.stringMatching(secondsTime),
      });
  });
});

describe('a domain', () => {
  test('has every field of the table, with all flags false', async () => {
    const record = {
      host: expect.any(String),
      type: expect.stringMatching(/^(TXT|CNAME)$/),
      textValue: expect.any(String),
    };
    const { body } = await rest(createSandbox(), 'POST /domain', { name: 'mail.example.com' });
    expect(body).toEqual({
      id: id('domain_'),
      name: 'mail.example.com',
      verified: false,
      returnPathVerified: false,
      dkimVerified: false,
      trackVerified: false,
      dmarcVerified: false,
      gptVerified: false,
      dkim: record,
      returnPath: record,
      track: record,
      dmarc: record,
      gpt: record,
      dkimConfig: expect.any(String),
      dmarcFailureReason: '',
      created: expect.any(Number),
      updated: 0,
    });
  });

  test('`created` is a whole number of nanoseconds, written without rounding; `updated` is 0', async () => {
    const sandbox = createSandbox({ seed: { domains: [] }, now: () => new Date('2025-12-22T09:04:10.613Z') });
    const { text } = await rest(sandbox, 'POST /domain', { name: 'mail.example.com' });
    const digits = /"created":(\d+),/.exec(text)?.[1] ?? '';
    expect(digits).toHaveLength(19);
    expect(digits).toMatch(/^1766394250613/);
    expect(sandbox.state.domains.find({ name: 'mail.example.com' })?.created).toBe(BigInt(digits));
    expect(text).toMatch(/"updated":0}$/);
  });

  test('`dkimConfig` is JSON text with five members', async () => {
    const { body } = await rest(createSandbox(), 'POST /domain', { name: 'mail.example.com' });
    const config = JSON.parse((body as { dkimConfig: string }).dkimConfig);
    expect(Object.keys(config).sort()).toEqual(['Domain', 'Headers', 'PrivKey', 'PubKey', 'Selector']);
    expect(config.Domain).toBe('mail.example.com');
  });
});

describe('a list, tag, sender, post tag or post category', () => {
  test('a list has id, name, type, created and updated', async () => {
    expect((await rest(createSandbox(), 'POST /list', { name: 'News' })).body).toEqual({
      id: id('list_'),
      name: 'News',
      type: expect.any(Number),
      created: expect.any(String),
      updated: expect.any(String),
    });
  });

  test.each([
    ['/tag', 'tag_'],
    ['/post/category', 'post_category_'],
  ])('POST %s returns id, name, created and updated', async (path, prefix) => {
    expect((await rest(createSandbox(), `POST ${path}`, { name: 'vip' })).body).toEqual({
      id: id(prefix),
      name: 'vip',
      created: expect.any(String),
      updated: expect.any(String),
    });
  });

  test('a sender is pending until it is whitelisted', async () => {
    const sandbox = createSandbox({ seed: { senders: [{ name: 'Ada', email: 'ada@x.test' }] } });
    expect((await rest(sandbox, 'GET /sender')).body).toEqual([
      { id: id('sender_'), name: 'Ada', email: 'ada@x.test', isWhitelisted: false },
    ]);
    for (const sender of sandbox.state.senders) sender.isWhitelisted = true;
    expect((await rest(sandbox, 'GET /sender')).body).toMatchObject([{ isWhitelisted: true }]);
  });

  test('post tags are listed whole, with four fields each', async () => {
    const sandbox = createSandbox({ seed: { postTags: 2 } });
    const tag = {
      id: id('post_tag_'),
      name: expect.any(String),
      created: expect.any(String),
      updated: expect.any(String),
    };
    expect((await rest(sandbox, 'GET /post/tag')).body).toEqual([tag, tag]);
  });
});

describe('a contact over REST', () => {
  const seed = {
    lists: [{ name: 'News' }],
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

  test('has every field of the table and no other', async () => {
    const { body } = await rest(createSandbox({ seed }), 'GET /contact');
    expect(body).toEqual([
      {
        ...emptyContact,
        id: id('contact_'),
        firstName: 'Ada',
        email: 'ada@x.test',
        customFields: expect.any(Object),
        lists: [id('list_')],
        tags: [id('tag_')],
        created: expect.stringMatching(secondsTime),
        updated: expect.stringMatching(secondsTime),
        contactSource: 1,
      },
    ]);
  });

  test.each(['custom_field_', 'field_'] as const)(
    'custom fields are keyed by `%s` and an identifier',
    async fieldPrefix => {
      const { body } = await rest(createSandbox({ seed, ambiguities: { fieldPrefix } }), 'GET /contact');
      const [[key, value]] = Object.entries((body as [{ customFields: object }])[0].customFields) as [
        [string, string],
      ];
      expect(key).toMatch(new RegExp(`^${fieldPrefix}[a-zA-Z0-9]{22}$`));
      expect(value).toBe('pro');
    },
  );
});

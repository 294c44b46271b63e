// Mistakes that the service accepts in silence, or that JavaScript reports by an obscure error: the client explains them.
import { beforeEach, describe, expect, test } from 'vitest';
import { EmailMarketingClient, parseDkimConfig } from '../../src/index.ts';
import { createSandbox, type Sandbox } from '../../src/testing/index.ts';
import { errorOf } from './support.ts';

let sandbox: Sandbox;
let client: EmailMarketingClient;
beforeEach(() => {
  sandbox = createSandbox();
  client = new EmailMarketingClient({ ...sandbox.clientOptions, logLevel: 'off', maxRetries: 0 });
});

/** Returns the message of a call that is rejected before anything is sent. */
async function rejectionOf(call: Promise<unknown>): Promise<string> {
  const error = await errorOf(call);
  expect(error).toMatchObject({ name: 'InvalidRequestError', outcome: 'not-sent' });
  expect(sandbox.requests).toEqual([]);
  return error.message;
}

const email = 'ada@example.com';
const suffix = 'm2AKq8Zt0LpX3vB6nR9sWe';

describe('an id in place of a name', () => {
  const isTag = 'this is a tag id, but the legacy interface takes names';

  test('of a tag is rejected by identify and track', async () => {
    const id = `tag_${suffix}`;
    const at = (field: string, index: number) =>
      `${field} must be tag names: ${isTag} (got "${id}" at index ${index}).`;
    expect(await rejectionOf(client.legacy.identify({ email, tags: ['vip', id] }))).toBe(
      `legacy.identify: ${at('tags', 1)}`,
    );
    expect(await rejectionOf(client.legacy.track({ email, addTags: [id], removeTags: [id] }))).toBe(
      `legacy.track: ${at('addTags', 0)} ${at('removeTags', 0)}`,
    );
  });

  test.each([`custom_field_${suffix}`, `field_${suffix}`])('of a custom field is rejected: %s', async id => {
    const message = await rejectionOf(
      client.legacy.identify({ email, customFields: { plan: 'pro', [id]: 'x' } }),
    );
    expect(message).toBe(
      `legacy.identify: customFields.${id} must be keyed by name, not by id (got string).`,
    );
  });

  test('is rejected only if it has the documented form', async () => {
    const tags = ['tag_of_honour', `tag_${suffix}x`, `list_${suffix}`, suffix];
    const customFields = { field_of_study: 'x', [`field_${suffix}x`]: 'y', custom_field_: 'z' };
    const { data } = await client.legacy.identify({ email, tags, customFields });
    expect(data).toMatchObject({ tags, customFields });
    await client.events.record({ name: 'e', identifier: email, data: { [`field_${suffix}`]: 'x' } });
    await client.legacy.track({ email, removeTags: ['tag_of_honour'] });
  });
});

test('white space around the name of a tag is rejected, which would make another tag', async () => {
  const spaced = (field: string, received: string) =>
    `${field} must be without white space at either end (got ${received}).`;
  expect(await rejectionOf(client.tags.create({ name: 'vip\n' }))).toBe(
    `tags.create: ${spaced('name', '"vip\\n"')}`,
  );
  expect(await rejectionOf(client.legacy.identify({ email, tags: ['vip', ' vip'] }))).toBe(
    `legacy.identify: ${spaced('tags', '" vip" at index 1')}`,
  );
  expect(await rejectionOf(client.legacy.track({ email, addTags: ['\u00a0vip'], removeTags: [' '] }))).toBe(
    `legacy.track: ${spaced('addTags', '"\u00a0vip" at index 0')} ${spaced('removeTags', '" " at index 0')}`,
  );
});

describe('the error says what to write instead of', () => {
  const identify = (fields: object) => client.legacy.identify({ email, ...fields });
  const domain = (name: string): [string, () => Promise<unknown>, string] => [
    `a domain of the name ${name}`,
    () => client.domains.create({ name }),
    `domains.create: name must be a domain name without https://, path, port, @ or white space (got "${name}").`,
  ];

  test.each<[string, () => Promise<unknown>, string]>([
    ...['https://x.test', 'x.test/', 'x.test:443', 'ada@x.test'].map(domain),
    [
      'an email with white space around it',
      () => identify({ email: `${email}\n`, newEmail: ` ${email}` }),
      `legacy.identify: email must be an email address (got "${email}\\n"). newEmail must be an email address (got " ${email}").`,
    ],
    [
      'an email with an invisible character',
      () => identify({ email: 'ada\u200b@example.com', newEmail: '\u2060ada@example.com' }),
      'legacy.identify: email must be an email address without a zero-width space after ada (got "ada\u200b@example.com"). newEmail must be an email address without U+2060 at the start (got "\u2060ada@example.com").',
    ],
    [
      'a domain passed as its dkimConfig',
      async () => parseDkimConfig({ name: 'x' } as never),
      'parseDkimConfig: dkimConfig must be the JSON text of an object (got undefined).',
    ],
  ])('%s', async (_, call, message) => {
    expect(await rejectionOf(call())).toBe(message);
  });
});

test('a method that was detached from its resource works', async () => {
  const { create } = client.tags;
  expect(await rejectionOf(create({} as never))).toContain('tags.create: name must be');
});

// An error shows no part of a key that was passed by mistake as an input or as a name.
import { expect, test } from 'vitest';
import { bulk, type ClientOptions, EmailMarketingClient } from '../../src/index.ts';
import { shown } from './shown.ts';
import { connect, failureOf } from './support.ts';

const apiKey = `canary-${'4f9a8b7c'.repeat(40)}`;

test.each<ClientOptions>([
  { [apiKey]: 1 },
  { headers: { [apiKey]: 1 as never } },
  { headers: { [`${apiKey}:`]: 'x' } },
])('shows no key that was passed as the name of an option or header: %o', async options => {
  const { server, client } = await connect({ apiKey });
  for (const use of [
    async () => new EmailMarketingClient({ baseUrl: server.url, apiKey, ...options }),
    async () => client.withOptions(options),
    () => client.tags.create({ name: 'a' }, options),
  ]) {
    const error = await failureOf(use());
    expect(error).toMatchObject({ name: expect.stringMatching(/^(?:Configuration|InvalidRequest)Error$/) });
    expect(shown(error)).not.toMatch(/canary|4f9a8b7c/);
  }
});

/** Longer than any text that an issue shows, and recognizable in every part. */
const longKey = Array.from({ length: 80 }, (_, index) => `CANARY${index}`).join('');

test.each<[string, (client: EmailMarketingClient, text: string) => PromiseLike<unknown>]>([
  ['an id', (client, text) => client.tags.delete(text)],
  [
    'an item of a list',
    (client, text) => client.legacy.identify({ email: 'a@x.test', addTags: [text] } as never),
  ],
  ['an unknown field', (client, text) => client.tags.create({ name: 'n', [text]: 1 } as never)],
  [
    'a custom field',
    (client, text) => client.legacy.identify({ email: 'a@x.test', customFields: { [text]: {} } } as never),
  ],
  [
    'a query',
    (client, text) => client.request({ method: 'GET', path: '/x', query: { [text]: {} as never } }),
  ],
  ['a body', (client, text) => client.request({ method: 'POST', path: '/x', body: { [text]: () => {} } })],
  ['a path', (client, text) => client.request({ method: 'GET', path: `/x?${text}` })],
  ['the options of an iteration', async (client, text) => client.contacts.all({}, text as never)],
  ['a checkpoint', async (client, text) => client.contacts.all({}, { checkpoint: text as never })],
  ['a maximum', (client, text) => client.contacts.all().toArray({ max: text as never })],
  ['the source of a bulk operation', (_, text) => bulk(text as never, async () => 1).toArray()],
])('shows no part of a key that was passed as %s', async (_, call) => {
  for (const apiKey of [longKey, 'CANARY/rest+key=="1']) {
    const client = new EmailMarketingClient({ baseUrl: 'https://api.example.com', apiKey, teamId: 't' });
    for (const before of ['', 'x'.repeat(40), 'x'.repeat(190)]) {
      const error = await call(client, before + apiKey).then(String, (thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: 'InvalidRequestError' });
      expect(shown(error)).not.toMatch(/CANARY/);
    }
  }
});

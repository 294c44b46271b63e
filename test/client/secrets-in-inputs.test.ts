// Keys in the place of inputs and of names: the error shows no part of them.
import { expect, test } from 'vitest';
import { type ClientOptions, EmailMarketingClient } from '../../src/index.ts';
import { shown } from './shown.ts';
import { connect, failureOf } from './support.ts';

/** Returns what a function throws. */
function attempt(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

test('shows no key that was given as the name of an option or header', async () => {
  const apiKey = `canary-${'4f9a8b7c'.repeat(40)}`;
  const reported: unknown[] = [];
  const { server, client } = await connect({ apiKey });
  const create = (options: object) => () =>
    new EmailMarketingClient({ baseUrl: server.url, apiKey, ...options });
  const misplaced = [{ [apiKey]: 1 }, { headers: { [apiKey]: 1 } }, { headers: { [`${apiKey}:`]: 'x' } }];
  for (const options of misplaced as ClientOptions[]) {
    reported.push(
      attempt(create(options)),
      attempt(() => client.withOptions(options)),
    );
    reported.push(await failureOf(client.tags.create({ name: 'a' }, options)));
  }
  expect(reported).toHaveLength(9);
  for (const value of reported) {
    expect(value).toMatchObject({ name: expect.stringMatching(/^(?:Configuration|InvalidRequest)Error$/) });
    expect(shown(value)).not.toMatch(/canary|4f9a8b7c/);
  }
});

/** Longer than any text that an issue shows. Every part of it is looked for. */
const longKey = Array.from({ length: 80 }, (_, index) => `CANARY${index}`).join('');

test.each<[string, (client: EmailMarketingClient, text: string) => PromiseLike<unknown>]>([
  ['an id', (client, text) => client.tags.delete(text)],
  ['a number', (client, text) => client.contacts.list({ limit: text as never })],
  ['an email', (client, text) => client.legacy.identify({ email: text })],
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
  ['a parameter', (client, text) => client.request({ method: 'GET', path: '/x', params: { [text]: 'x' } })],
  ['a body', (client, text) => client.request({ method: 'POST', path: '/x', body: { [text]: () => {} } })],
  ['a path', (client, text) => client.request({ method: 'GET', path: `/x?${text}` })],
  ['a method', (client, text) => client.request({ method: text as never, path: '/x' })],
])('shows no part of a key that was given in place of %s', async (_, call) => {
  for (const apiKey of [longKey, 'CANARY/rest+key=="1']) {
    const client = new EmailMarketingClient({ baseUrl: 'https://api.example.com', apiKey, teamId: 't' });
    for (const before of ['', 'x'.repeat(40), 'x'.repeat(190)]) {
      const error = await call(client, before + apiKey).then(String, (thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: 'InvalidRequestError' });
      expect(shown(error)).not.toMatch(/CANARY/);
    }
  }
});

// Keys that are longer than what an error quotes.
import { describe, expect, test } from 'vitest';
import { EmailMarketingClient } from '../../src/index.ts';
import * as faults from '../support/faults.ts';
import { shown } from './shown.ts';
import { connect } from './support.ts';

describe('a text that is cut', () => {
  /** Longer than any text that an issue quotes. Every part of it is looked for. */
  const longKey = Array.from({ length: 40 }, (_, index) => `<${index}/k"=`).join('');
  const part = /<\d+\/k|\d+\/k.{1,2}=|%3C\d+%2Fk/;

  /** Where the key stands in a text, so that each cut falls on each character of it at some place. */
  const places = Array.from({ length: 60 }, (_, length) => `${'x'.repeat(length)}${longKey}`);

  test.each<[string, (client: EmailMarketingClient, text: string) => PromiseLike<unknown>]>([
    ['an id', (client, text) => client.tags.delete(text)],
    ['a number', (client, text) => client.contacts.list({ limit: text as never })],
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
      'an option of a request',
      (client, text) => client.request({ method: 'GET', path: '/x', [text]: 1 } as never),
    ],
    [
      'a query',
      (client, text) => client.request({ method: 'GET', path: '/x', query: { [text]: {} as never } }),
    ],
    ['a parameter', (client, text) => client.request({ method: 'GET', path: '/x', params: { [text]: 'x' } })],
    [
      'a body',
      (client, text) =>
        client.request({ method: 'POST', path: '/x', body: { a: 'x'.repeat(9), [text]: () => {} } }),
    ],
    ['a path', (client, text) => client.request({ method: 'GET', path: `/x?${text}` })],
    ['a method', (client, text) => client.request({ method: text as never, path: '/x' })],
  ])('shows no part of a secret of an input: %s', async (_, call) => {
    const client = new EmailMarketingClient({ baseUrl: 'https://api.example.com', apiKey: longKey });
    for (const text of places) {
      const error = await call(client, text).then(String, (thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: 'InvalidRequestError' });
      expect(shown(error)).not.toMatch(part);
    }
  });

  test.each<[string, (text: string) => string]>([
    ['the title of a page', text => `<html><title>${'x'.repeat(60)}${text}</title>`],
    ['a title behind the start of a page', text => `<html>${' '.repeat(4_000)}<title>${text}`],
    ['a message', text => JSON.stringify({ status: 'error', message: 'x'.repeat(480) + text })],
    [
      'a message that the service cut',
      text => JSON.stringify({ status: 'error', message: `${text.slice(0, 70)}…` }),
    ],
    [
      'a field',
      text => JSON.stringify([{ id: 's', email: 'a@x.test', [text]: 1, customFields: { [text]: {} } }]),
    ],
  ])('shows no part of a secret of a response: %s', async (_, body) => {
    const reported: unknown[] = [];
    const report = (value: unknown) => void reported.push(value);
    const { server, client } = await connect({
      apiKey: longKey,
      maxRetries: 0,
      hooks: { onError: report },
      onDrift: report,
    });
    for (const text of places) {
      server.next(faults.status(200, {}, body(text)), faults.status(400, {}, body(text)));
      for (const offset of [0, 1]) {
        const result = await client.contacts.list({ offset }).safe();
        // The data of a success is the service's own.
        if (!result.ok) report(result.error);
      }
    }
    for (const value of new Set(reported)) expect(shown(value)).not.toMatch(part);
  });
});

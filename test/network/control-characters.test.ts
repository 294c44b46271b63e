// Texts of the service that a log or a terminal would obey.
import { expect, test } from 'vitest';
import { type Drift, EmailMarketingClient } from '../../src/index.ts';
import * as faults from '../support/faults.ts';
import { connect, errorOf } from './support.ts';

const attack =
  'first\r\n[error] forged line\u001b[2J\u001b]0;title\u0007\u009b1m\u202eright\u2066 \u2028 last';
const controls = /[\p{Cc}\u2028\u202e\u2066]/u;

test.each<[string, string]>([
  ['a message', JSON.stringify({ status: 'error', message: attack })],
  ['the title of a page', `<html><title>${attack}</title>`],
])('the message of an error is one line without control characters after %s', async (_, body) => {
  const { server, client } = await connect({ maxRetries: 0 });
  server.otherwise(faults.status(400, {}, body));
  const { message } = await errorOf(client.senders.list());
  expect(message).toContain('forged line');
  expect(message).not.toMatch(controls);
});

test('the body of an error is as the service sent it', async () => {
  const { server, client } = await connect({ maxRetries: 0 });
  server.otherwise(faults.status(400, {}, JSON.stringify({ status: 'error', message: attack })));
  expect(await errorOf(client.senders.list())).toMatchObject({ body: { message: attack } });
});

test('the path of a difference is one line without control characters', async () => {
  const drift: Drift[] = [];
  const { server, client } = await connect({ onDrift: each => void drift.push(each) });
  const contact = { id: 'contact_1', email: 'a@x.test', customFields: { [attack.slice(0, 40)]: {} } };
  server.otherwise(faults.status(200, {}, JSON.stringify([contact])));
  await client.contacts.list();
  expect(drift).toHaveLength(1);
  expect(drift[0]?.path).toContain('forged line');
  expect(drift[0]?.path).not.toMatch(controls);
});

test('the name of a field that does not exist is shown without control characters', async () => {
  const client = new EmailMarketingClient({ baseUrl: 'https://api.example.com', apiKey: 'key' });
  const { message } = await errorOf(client.tags.create({ name: 'a', [attack.slice(0, 40)]: 1 } as never));
  expect(message).toContain('forged line');
  expect(message).not.toMatch(controls);
});

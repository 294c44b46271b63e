// JSON that is valid but odd: whatever arrives, a call ends in data or in an error of the library.
import { inspect } from 'node:util';
import { expect, test, vi } from 'vitest';
import { EmailMarketingError } from '../../src/index.ts';
import { contact, rows } from '../endpoints.ts';
import { makePage } from '../proxy/page.ts';
import { suffix } from '../support/specified-records.ts';
import { clientOfResponse, clientOfServer, errorOf, useNoRetryDelay } from './support.ts';

useNoRetryDelay();

const nested = (depth: number, inner = '1') => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`;

/** Values that no text can be made of, and some that code takes for something else. */
const oddValues = ['{"toString":1}', '{"then":1,"toJSON":1}', '[[]]'];

const statuses = [200, 503];

/** Bodies with an odd value in each place that is read. */
function* oddBodies(response: unknown): Generator<string> {
  const record = Object([response].flat()[0]);
  const members = ['status', 'message', 'error', 'errors', 'success', 'id', 'data', 'email'];
  yield nested(30_000);
  yield `{"status":${nested(30_000)}}`;
  for (const odd of oddValues) {
    yield odd;
    for (const member of members) {
      const { [member]: _, ...others } = record;
      const body = `{${JSON.stringify(member)}:${odd},${JSON.stringify(others).slice(1)}`.replace(/,}$/, '}');
      yield Array.isArray(response) ? `[${body}]` : body;
    }
    yield `{"status":"error","message":${odd}}`;
    yield `{"status":${odd},"message":"resource not found"}`;
  }
}

test.each(rows)('$name ends in data or in an error of the library, whatever JSON it receives', async row => {
  let [body, status] = ['', 200];
  const fetch = async () => new Response(body, { status });
  const client = clientOfServer('https://api.example.com', { fetch, maxRetries: 0 });
  const { page } = makePage({ allow: [row.name] }, undefined, { fetch });
  const problems = new Set<string>();
  for (status of statuses)
    for (body of oddBodies(row.response))
      for (const each of status === 200 ? [client, page] : [client]) {
        const { error } = await row.call(each).safe();
        const isOwn = error === undefined || EmailMarketingError.isInstance(error);
        if (!isOwn || error?.code === 'FUNCTION_FAILED')
          problems.add(`${status} ${body.slice(0, 60)}: ${error}`);
        JSON.stringify(error);
        inspect(error);
      }
  expect([...problems]).toEqual([]);
});

test.each([...oddValues, nested(30_000)])(
  'reads the rest of a listing in which a field is odd JSON (case %#)',
  async odd => {
    const records = ['email', 'firstName', 'tags', 'customFields', 'created'].map(
      (member, index) =>
        `${JSON.stringify({ ...contact, id: `contact_${index}`, [member]: 'ODD' }).replace('"ODD"', odd)}`,
    );
    const offsetOf = (url: string) => Number(new URL(url).searchParams.get('offset') ?? 0);
    const fetch = async (url: string) => new Response(`[${records.slice(offsetOf(url))}]`);
    const client = clientOfServer('https://api.example.com', { fetch });
    expect(await client.contacts.all().toArray({ max: 100 })).toHaveLength(records.length);
    expect(await client.contacts.findByEmail(contact.email)).toMatchObject({ id: 'contact_1' });
    const searched = await client.contacts.list({ search: 'nobody' });
    expect(searched).toHaveLength(records.length);
  },
);

test.each([
  [503, 30_000, { body: '[nested too deeply]', retryable: true }],
  [400, 30_000, { body: '[nested too deeply]', retryable: false }],
  [400, 101, { body: '[nested too deeply]' }],
  [400, 100, { body: expect.any(Array) }],
])('a failure under %i with a body that is nested %i deep is %j', async (status, depth, expected) => {
  const error = await errorOf(clientOfResponse(nested(depth), status).senders.list());
  expect(error).toMatchObject({ response: { status }, ...expected });
});

test.each([
  ['NaN', 'InvalidResponseError'],
  ['[NaN]', 'InvalidResponseError'],
  ['{"status":"success"} and more', 'ConnectionError'],
  ['{"status":"success"}}', 'InvalidResponseError'],
  ['[{"name":"} ]"}', 'ConnectionError'],
  ['[{"name":"\\', 'ConnectionError'],
  ['"success', 'ConnectionError'],
])('takes the response %s for an %s', async (text, name) => {
  const fetch = vi.fn(async () => new Response(text));
  const client = clientOfServer('https://api.example.com', { fetch });
  expect(await errorOf(client.tags.delete(`tag_${suffix}`))).toMatchObject({ name, outcome: 'unknown' });
  expect(fetch).toHaveBeenCalledTimes(name === 'ConnectionError' ? 3 : 1);
});

test('takes `null` for no acknowledgement', async () => {
  const fetch = vi.fn(async () => new Response('null'));
  const client = clientOfServer('https://api.example.com', { fetch });
  for (const call of [
    client.tags.delete(`tag_${suffix}`),
    client.legacy.track({ email: 'ada@example.com', addTags: ['vip'] }),
    client.legacy.identify({ email: 'ada@example.com' }),
  ])
    expect(await errorOf(call)).toMatchObject({ name: 'InvalidResponseError', outcome: 'unknown' });
  expect(fetch).toHaveBeenCalledTimes(3);
});

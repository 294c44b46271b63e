// Listings of a service that responds to what is empty with its own "not found".
import { expect, test } from 'vitest';
import { EmailMarketingClient } from '../../src/index.ts';
import { listingsInPages, rows } from '../operations.ts';
import { useNoRetryDelay } from './support.ts';

useNoRetryDelay();

/** A client of a service that gives this response to everything. */
const clientOfResponse = (status: number, body: string, validation: 'report' | 'strict' | 'off' = 'report') =>
  new EmailMarketingClient({
    baseUrl: 'https://api.example.com',
    apiKey: 'key',
    teamId: 'team',
    logLevel: 'off',
    validation,
    fetch: async () => new Response(body, { status }),
  });

const calls: readonly [string, (client: EmailMarketingClient) => PromiseLike<unknown>, empty: unknown][] = [
  ['contacts.all with a search', client => client.contacts.all({ search: 'nobody' }).toArray(), []],
  ...listingsInPages.map(({ resource }): (typeof calls)[number] => [
    `${resource}.all`,
    client => client[resource].all().toArray(),
    [],
  ]),
  ['contacts.findByEmail', client => client.contacts.findByEmail('nobody@example.com'), undefined],
];

const own = '{"status":"error","message":"resource not found"}';

test.each(calls)('%s is empty if the service says "not found"', async (_, call, empty) => {
  for (const status of [200, 400, 404, 422])
    for (const validation of ['report', 'strict', 'off'] as const)
      expect(await call(clientOfResponse(status, own, validation))).toEqual(empty);
});

test.each([
  [404, '<html><title>404 Not Found</title></html>', 'NotFoundError'],
  [404, '{"status":404,"message":"resource not found"}', 'NotFoundError'],
  [401, own, 'AuthenticationError'],
  [429, own, 'RateLimitError'],
  [503, own, 'ServerError'],
])('contacts.all rejects if another says so, or more: %i %s', async (status, body, name) => {
  await expect(clientOfResponse(status, body).contacts.all().toArray()).rejects.toMatchObject({ name });
});

test.each<[string, (client: EmailMarketingClient) => PromiseLike<unknown>]>([
  ...rows
    .filter(({ returns }) => returns === 'listing')
    .map(({ name, call }) => [name, call] as [string, typeof call]),
  ['postTags.get', client => client.postTags.get('Zz9yX8wV7uT6sR5qP4oN3m')],
  ['client.request', client => client.request({ method: 'GET', path: '/contact' })],
])('%s gives the error that came', async (_, call) => {
  await expect(call(clientOfResponse(404, own))).rejects.toMatchObject({ name: 'NotFoundError' });
});

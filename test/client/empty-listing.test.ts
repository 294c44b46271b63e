// Listings of a service that responds to what is empty with its own "not found".
import { expect, test } from 'vitest';
import type { EmailMarketingClient } from '../../src/index.ts';
import { listingsInPages } from '../endpoints.ts';
import { clientOfServer, useNoRetryDelay } from './support.ts';

useNoRetryDelay();

type Call = (client: EmailMarketingClient) => PromiseLike<unknown>;

const own = '{"status":"error","message":"resource not found"}';

test.each<[string, Call, empty: unknown]>([
  ...listingsInPages.map(({ resource }): [string, Call, unknown] => [
    `${resource}.all`,
    client => client[resource].all().toArray(),
    [],
  ]),
  ['contacts.findByEmail', client => client.contacts.findByEmail('nobody@example.com'), undefined],
])('%s is empty if the service says "not found"', async (_, call, empty) => {
  for (const status of [200, 400, 404, 422])
    for (const validation of ['report', 'strict'] as const) {
      const fetch = async () => new Response(own, { status });
      expect(await call(clientOfServer('https://api.example.com', { validation, fetch }))).toEqual(empty);
    }
});

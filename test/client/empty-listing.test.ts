// Listings of a service that responds to what is empty with its own "not found".
import { expect, test } from 'vitest';
import type { EmailMarketingClient } from '../../src/index.ts';
import { listingsInPages } from '../operations.ts';
import { clientOfServer, useNoRetryDelay } from './support.ts';

useNoRetryDelay();

/** A client of a service that gives this response to everything. */
const clientOfResponse = (status: number, body: string, validation: 'report' | 'strict' | 'off' = 'report') =>
  clientOfServer('https://api.example.com', {
    validation,
    fetch: async () => new Response(body, { status }),
  });

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
    for (const validation of ['report', 'strict', 'off'] as const)
      expect(await call(clientOfResponse(status, own, validation))).toEqual(empty);
});

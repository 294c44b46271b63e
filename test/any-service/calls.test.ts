// All operations, and iterations, over services that decide at random whatever the specification does not show. A failure
// names the seed of its service: `ANY_SERVICE_SEED=17` runs that one alone.
import { describe, expect, test } from 'vitest';
import { type Drift, EmailMarketingClient } from '../../src/index.ts';
import { useNoRetryDelay } from '../client/support.ts';
import { runs } from '../support/long-run.ts';
import { AnyService } from './any-service.ts';
import { checkEveryOperation } from './calls.ts';

useNoRetryDelay();

const only = process.env.ANY_SERVICE_SEED;
const seeds = only ? [Number(only)] : Array.from({ length: runs(40, 500) }, (_, index) => index + 1);

function connect(service: AnyService) {
  const drift: Drift[] = [];
  const client = new EmailMarketingClient({
    ...service.clientOptions(),
    fetch: async (url, { method, headers, body }) =>
      service.respond(`${method}`, new URL(url), new Headers(headers), await new Response(body).text()),
    onDrift: each => drift.push(each),
  });
  return { client, drift };
}

const ids = (records: readonly { readonly id?: unknown }[]) => records.map(({ id }) => String(id));

describe.each(seeds)('service %i', seed => {
  test('gives right results and true errors in every operation', async () => {
    const service = new AnyService(seed);
    const { client, drift } = connect(service);
    await checkEveryOperation(service, client);
    expect(drift).toEqual([]);
  });

  test('is iterated over: every record once, and what a search finds', async () => {
    const service = new AnyService(seed);
    const { upTo, one } = service.decisions;
    const { client, drift } = connect(service);
    const options = { concurrency: 1 + upTo(3), pageSize: one(undefined, undefined, 100, 7) };
    const { contacts, lists } = service;
    const max = 1_000;
    expect(ids(await client.contacts.all({}, options).toArray({ max }))).toEqual(
      ids(service.inOrder(contacts)),
    );
    expect(ids(await client.lists.all({}, options).toArray({ max }))).toEqual(ids(service.inOrder(lists)));
    const search = 'PERSON1';
    const found = service.inOrder(contacts).filter(({ email }) => `${email}`.startsWith('Person1'));
    expect(ids(await client.contacts.all({ search }).toArray({ max }))).toEqual(ids(found));
    expect(drift).toEqual([]);
  });
});

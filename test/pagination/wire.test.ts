import { describe, expect, test, vi } from 'vitest';
import { EmailMarketingClient } from '../../src/client/client.ts';
import { createSandbox, type SandboxOptions } from '../../src/testing/index.ts';

/** A client of a sandbox that is served over HTTP. */
async function serve(options: SandboxOptions) {
  const sandbox = createSandbox(options);
  const server = await sandbox.listen();
  const client = new EmailMarketingClient({
    baseUrl: server.url,
    apiKey: sandbox.apiKey,
    teamId: sandbox.teamId,
  });
  return { sandbox, client, [Symbol.asyncDispose]: () => server.close() };
}

const idsOf = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id);

describe('pagination over a server', () => {
  test.each([
    [1, 60, 122],
    [10, 205, 26],
    [30, 605, 24],
    [100, 605, 9],
    [500, 605, 9],
  ])(
    'yields each contact once if the service silently caps pages at %d',
    async (contactPageCap, contacts, requests) => {
      await using served = await serve({
        seed: { contacts },
        ambiguities: { contactPageCap, overCap: 'cap', emptyListing: 'null' },
      });
      const contactsRead = await served.client.contacts.all().toArray();
      expect(idsOf(contactsRead)).toEqual(idsOf(served.sandbox.state.contacts.all));
      expect(served.sandbox.requests.count('GET /contact')).toBeLessThanOrEqual(requests);
    },
  );

  test.each([30, 100])(
    'yields each contact and list once if the service rejects more than %d per page',
    async cap => {
      await using served = await serve({
        seed: { contacts: 250, lists: 250 },
        ambiguities: { contactPageCap: cap, listPageCap: 100 },
      });
      const { client, sandbox } = served;
      expect(idsOf(await client.contacts.all().toArray())).toEqual(idsOf(sandbox.state.contacts.all));
      expect(idsOf(await client.lists.all().toArray())).toEqual(idsOf(sandbox.state.lists.all));
    },
  );

  test('deletes every list while it iterates over the lists', async () => {
    await using served = await serve({
      seed: { lists: 250 },
      ambiguities: { listPageCap: 30, overCap: 'cap' },
    });
    let deleted = 0;
    for await (const list of served.client.lists.all()) {
      await served.client.lists.delete(list.id);
      deleted += 1;
    }
    expect(deleted).toBe(250);
    expect(await served.client.lists.list()).toEqual([]);
  });

  test('iterates over the matches of a search, newest first, while contacts are added', async () => {
    await using served = await serve({
      seed: { contacts: Array.from({ length: 90 }, (_, index) => ({ email: `reader${index}@example.com` })) },
      ambiguities: { order: 'newest-first', contactPageCap: 10, overCap: 'cap' },
    });
    const seen = new Set<string>();
    let added = 0;
    for await (const { email } of served.client.contacts.all({ search: 'reader' }, { concurrency: 4 })) {
      expect(seen.has(email)).toBe(false);
      seen.add(email);
      if (added < 40) await served.client.legacy.identify({ email: `reader-new${added++}@example.com` });
    }
    for (let index = 0; index < 90; index++) expect(seen).toContain(`reader${index}@example.com`);
  });

  test('cancels the requests in flight when its signal aborts', async () => {
    await using served = await serve({
      seed: { contacts: 100 },
      ambiguities: { contactPageCap: 10, overCap: 'cap' },
    });
    const stop = new AbortController();
    let seen = 0;
    const run = async () => {
      for await (const page of served.client.contacts.all({}, { signal: stop.signal }).pages()) {
        seen += page.length;
        const stalled = served.sandbox.stall('GET /contact');
        void vi.waitFor(() => expect(stalled.hits).toBe(1)).finally(() => stop.abort('enough'));
      }
    };
    await expect(run()).rejects.toBe('enough');
    expect(seen).toBeGreaterThanOrEqual(10);
  });
});

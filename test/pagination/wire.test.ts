// Iteration over HTTP. The other files iterate over lists in memory.
import { expect, onTestFinished, test } from 'vitest';
import { EmailMarketingClient } from '../../src/index.ts';
import { createSandbox, type SandboxOptions } from '../../src/testing/index.ts';

/** Serves a sandbox, and creates a client of it. */
async function serve(options: SandboxOptions) {
  const sandbox = createSandbox(options);
  const { url, close } = await sandbox.listen();
  onTestFinished(() => close());
  return { sandbox, client: new EmailMarketingClient({ baseUrl: url, apiKey: sandbox.apiKey }) };
}

const idsOf = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id);

test('each loop starts at the beginning, or at `checkpoint`, whatever other loops of the paginator do', async () => {
  const { client, sandbox } = await serve({ seed: { contacts: 95 } });
  const all = idsOf(sandbox.state.contacts.all);
  const paginator = client.contacts.all({}, { pageSize: 30 });
  expect(idsOf(await paginator.toArray())).toEqual(all);
  const outer: string[] = [];
  for await (const { id } of paginator) {
    outer.push(id);
    if (outer.length === 40) for await (const _ of paginator.pages()) break;
  }
  expect(outer).toEqual(all);
  // The checkpoint is that of the latest loop, which was left after one page.
  const rest = client.contacts.all({}, { checkpoint: paginator.checkpoint });
  for (let loops = 0; loops < 2; loops++) expect(idsOf(await rest.toArray())).toEqual(all.slice(30));
});

test.each([{ offset: 20 }, { limit: 5 }, { concurrency: 4 }, { signal: undefined }])(
  'rejects %o in place of a filter, as it does any unknown name',
  async filter => {
    const { client, sandbox } = await serve({});
    const [name] = Object.keys(filter);
    expect(() => client.contacts.all(filter as object)).toThrow(
      `contacts.all: Unknown option "${name}". Known names: search.`,
    );
    expect(() => client.lists.all(filter as object)).toThrow('lists.all: Unknown option');
    expect(sandbox.requests).toEqual([]);
  },
);

import { setupServer } from 'msw/node';
import { expect, test } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../src/testing/index.ts';
import { handlers } from '../../src/testing/msw.ts';

type Fetch = typeof globalThis.fetch;

/** Each way in, as a `fetch` and the address to call. */
const waysIn: [
  string,
  (options: SandboxOptions, use: (fetch: Fetch, url: string) => Promise<void>) => Promise<void>,
][] = [
  ['fetch', async (options, use) => use(createSandbox(options).fetch, 'https://sandbox.test')],
  [
    'msw',
    async (options, use) => {
      const server = setupServer(...handlers(createSandbox(options)));
      server.listen();
      await use(globalThis.fetch, 'https://sandbox.test').finally(() => server.close());
    },
  ],
  [
    'server',
    async (options, use) => {
      const server = await createSandbox(options).listen();
      await use(globalThis.fetch, server.url).finally(() => server.close());
    },
  ],
];

test.each(waysIn)('a tag is created once by %s, and its name is then in use', async (_, enter) => {
  await enter({ apiKey: 'k' }, async (fetch, url) => {
    const create = () =>
      fetch(`${url}/api/v1/rest/tag`, {
        method: 'POST',
        headers: { 'X-Team-ApiKey': 'k' },
        body: '{"name":"vip"}',
      });
    const first = await create();
    expect(first.status).toBe(200);
    expect(await first.json()).toMatchObject({
      id: expect.stringMatching(/^tag_[a-zA-Z0-9]{22}$/),
      name: 'vip',
    });
    const second = await create();
    expect(await second.json()).toEqual({
      status: 'error',
      message: expect.stringContaining('already exists'),
    });
  });
});

test.each(waysIn)('a body over the limit is an error by %s', async (_, enter) => {
  await enter({ apiKey: 'k', maxBodyBytes: 100 }, async (fetch, url) => {
    const answer = await fetch(`${url}/api/v1/rest/tag`, {
      method: 'POST',
      headers: { 'X-Team-ApiKey': 'k' },
      body: JSON.stringify({ name: 'x'.repeat(200) }),
    });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ status: 'error' });
  });
});

test.each(waysIn)('a call by %s that was aborted before does nothing', async (_, enter) => {
  const reported: unknown[] = [];
  await enter({ onResponse: request => reported.push(request) }, async (fetch, url) => {
    const call = fetch(`${url}/api/v1/rest/tag`, { signal: AbortSignal.abort(new Error('given up')) });
    await expect(call).rejects.toThrow('given up');
    expect(reported).toEqual([]);
  });
});

test('`fetch` rejects for an invalid URL, and does not throw', async () => {
  await expect(createSandbox().fetch('no address')).rejects.toThrow(TypeError);
});

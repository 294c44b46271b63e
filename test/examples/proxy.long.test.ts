import type { Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';
import { listen } from '../support/listen.ts';

const sandbox = createSandbox();
let url = '';
let close = async () => {};

beforeAll(async () => {
  const server = await sandbox.listen();
  [url, close] = [server.url, () => server.close()];
  Object.assign(process.env, environment());
});
afterAll(() => close());

const environment = () => ({
  EMAIL_MARKETING_BASE_URL: url,
  EMAIL_MARKETING_API_KEY: sandbox.apiKey,
  EMAIL_MARKETING_TEAM_ID: sandbox.teamId,
});

type Handler = (request: Request) => Response | Promise<Response>;

/** Each way of mounting the proxy, as a function that handles a request. */
const mounts: Readonly<Record<string, () => Promise<{ handle: Handler; stop?: () => void }>>> = {
  'node:http': async () => {
    const { server } = await import('../../examples/proxy/node-http.ts');
    return overHttp(server);
  },
  Hono: async () => {
    const { app } = await import('../../examples/proxy/hono.ts');
    return { handle: request => app.fetch(request) };
  },
  'Next.js': async () => {
    const { POST } = await import('../../examples/proxy/nextjs-route.ts');
    return { handle: POST };
  },
  'a worker': async () => {
    const { default: worker } = await import('../../examples/proxy/worker.ts');
    return { handle: request => worker.fetch(request, environment()) };
  },
};

async function overHttp(server: Server) {
  const url = `http://127.0.0.1:${await listen(server)}/api/email-marketing`;
  const handle: Handler = async request =>
    fetch(url, { method: request.method, headers: request.headers, body: await request.text() });
  return { handle, stop: () => server.close() };
}

test.each(Object.entries(mounts))('%s lets people change only their own contact', async (_, mount) => {
  sandbox.reset();
  const { handle, stop } = await mount();
  const send = (cookie: Record<string, string>) =>
    handle(
      new Request('http://app.test/api/email-marketing', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...cookie },
        body: JSON.stringify({
          operation: 'legacy.identify',
          input: { email: 'other@example.com', firstName: 'Ada', tags: ['admin'] },
        }),
      }),
    );
  expect((await send({})).status).toBe(403);
  const response = await send({ cookie: 'session=ada@example.com' });
  expect(await response.json()).toEqual({ data: { status: 'success', message: 'contact created' } });
  expect(sandbox.state.contacts.all.map(({ email, firstName, tags }) => [email, firstName, tags])).toEqual([
    ['ada@example.com', 'Ada', []],
  ]);
  stop?.();
});

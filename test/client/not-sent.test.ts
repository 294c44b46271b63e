// Failures before anything is sent, such as those of a proxy from the environment.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Agent } from 'undici';
import { expect, test } from 'vitest';
import type { CallOptions, EmailMarketingClient } from '../../src/index.ts';
import { connect, useDispatcher, useNoRetryDelay } from './support.ts';

useNoRetryDelay();

const program = `
  import { EmailMarketingClient } from ${JSON.stringify(new URL('../../src/index.ts', import.meta.url).href)};
  const client = new EmailMarketingClient({ baseUrl: 'https://api.example.test', apiKey: 'key', maxRetries: 0 });
  const { error } = await client.tags.create({ name: 'vip' }).safe();
  console.log(JSON.stringify(error));
`;

/** Runs the program with a proxy in the environment, and returns its error. */
async function errorThrough(proxy: string): Promise<object> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--conditions=repository',
      '--no-warnings',
      '--experimental-strip-types',
      '--input-type=module',
      '-e',
      program,
    ],
    { env: { ...process.env, NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: proxy } },
  );
  return JSON.parse(stdout);
}

test('a proxy from the environment that does not run means that nothing was sent, and its password is not shown', async () => {
  expect(await errorThrough('http://user:pass@127.0.0.1:9')).toMatchObject({
    name: 'ConnectionError',
    outcome: 'not-sent',
    message: expect.stringContaining('no connection to api.example.test:443 (ECONNREFUSED)'),
  });
});

const record = (client: EmailMarketingClient, options: CallOptions = {}) =>
  client.events.record({ name: 'seen', identifier: 'ada@x.test' }, options).safe();

test('a call that is in flight when the dispatcher is destroyed may have acted', async () => {
  const { server, client } = await connect();
  const agent = useDispatcher(new Agent());
  server.next(() => void agent.destroy());
  expect(await record(client)).toMatchObject({ error: { outcome: 'unknown', attempts: [{}] } });
});

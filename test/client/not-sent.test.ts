// Failures before a request is sent, such as a failure of a proxy that the environment names.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const program = `
  import { EmailMarketingClient } from ${JSON.stringify(new URL('../../src/index.ts', import.meta.url).href)};
  const client = new EmailMarketingClient({ baseUrl: 'https://api.example.test', apiKey: 'key', maxRetries: 0 });
  const { error } = await client.tags.create({ name: 'vip' }).safe();
  console.log(JSON.stringify(error));
`;

test('a proxy from the environment that does not run means that nothing was sent, and its password is not shown', async () => {
  const flags = ['--conditions=repository', '--no-warnings', '--experimental-strip-types'];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...flags, '--input-type=module', '-e', program],
    { env: { ...process.env, NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: 'http://user:pass@127.0.0.1:9' } },
  );
  expect(JSON.parse(stdout)).toMatchObject({
    name: 'ConnectionError',
    outcome: 'not-sent',
    message: expect.stringContaining('could not connect to api.example.test (ECONNREFUSED)'),
  });
});

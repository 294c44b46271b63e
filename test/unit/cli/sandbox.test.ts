import { afterEach, expect, test, vi } from 'vitest';
import { requestLog } from '../../../src/cli/sandbox.ts';
import { createSandbox } from '../../../src/testing/index.ts';

afterEach(() => vi.unstubAllEnvs());

/** Returns what the log prints about one request. */
async function logged(isTTY: boolean, path: string, body: object): Promise<string> {
  let text = '';
  const write = (line: string) => {
    text += line;
    return true;
  };
  const stream = Object.assign(Object.create(process.stdout), { isTTY, write }) as NodeJS.WriteStream;
  const sandbox = createSandbox({ onResponse: requestLog(stream), now: () => new Date(0) });
  await sandbox.fetch(`http://sandbox.test/api/v1/rest${path}`, {
    method: 'POST',
    headers: { 'X-Team-ApiKey': 'sandbox-key', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return text;
}

test('the request log shows the reason of an error response, without colour if it is not on a terminal', async () => {
  vi.stubEnv('NO_COLOR', '');
  const line = await logged(false, '/tag', { name: 5 });
  expect(line).toMatch(
    /^00:00:00\.000 400 POST {3}\/api\/v1\/rest\/tag - "name" must be a string \(got number\)\n$/,
  );
});

test('the request log has colour on a terminal, unless NO_COLOR is set', async () => {
  vi.stubEnv('NO_COLOR', '');
  expect(await logged(true, '/tag', { name: 5 })).toContain('\u001b[33m400\u001b[39m');
  vi.stubEnv('NO_COLOR', '1');
  expect(await logged(true, '/tag', { name: 5 })).not.toContain('\u001b');
});

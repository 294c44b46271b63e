import { afterEach, expect, test, vi } from 'vitest';
import { requestLog } from '../../../src/cli/sandbox.ts';
import { createSandbox } from '../../../src/testing/index.ts';

afterEach(() => vi.unstubAllEnvs());

/** Returns what the log prints about one request, on a terminal. */
async function logged(): Promise<string> {
  let text = '';
  const write = (line: string) => {
    text += line;
    return true;
  };
  const stream = Object.assign(Object.create(process.stdout), { isTTY: true, write }) as NodeJS.WriteStream;
  const { fetch, apiKey } = createSandbox({ onResponse: requestLog(stream) });
  await fetch('http://sandbox.test/api/v1/rest/post/tag/x', { headers: { 'X-Team-ApiKey': apiKey } });
  return text;
}

test('the request log has colour on a terminal, unless NO_COLOR is set', async () => {
  vi.stubEnv('NO_COLOR', '');
  expect(await logged()).toContain('\u001b[33m404\u001b[39m');
  vi.stubEnv('NO_COLOR', '1');
  expect(await logged()).not.toContain('\u001b');
});

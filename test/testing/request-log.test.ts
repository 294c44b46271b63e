import { afterEach, expect, test, vi } from 'vitest';
import { requestLog } from '../../src/cli/request-log.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { rest } from './http.ts';

afterEach(() => vi.unstubAllEnvs());

/** What the log writes of a refused request. */
async function logged(isTTY: boolean): Promise<string> {
  let text = '';
  const write = (line: string) => {
    text += line;
    return true;
  };
  const stream = Object.assign(Object.create(process.stdout), { isTTY, write }) as NodeJS.WriteStream;
  const sandbox = createSandbox({ onResponse: requestLog(stream), now: () => new Date(0) });
  await rest(sandbox, 'POST /tag', { name: 5 });
  return text;
}

const reason = '- "name" must be text (got number) (section 7, Errors)';

test('the log has the reason of a refusal and its section, without colour where it is no terminal', async () => {
  vi.stubEnv('NO_COLOR', '');
  expect(await logged(false)).toBe(`00:00:00.000 400 POST   /api/v1/rest/tag ${reason}\n`);
});

test('the log has colour on a terminal, unless NO_COLOR is set', async () => {
  vi.stubEnv('NO_COLOR', '');
  expect(await logged(true)).toContain('\u001b[33m400\u001b[39m');
  vi.stubEnv('NO_COLOR', '1');
  expect(await logged(true)).not.toContain('\u001b');
});

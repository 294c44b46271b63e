import { createRequire } from 'node:module';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import type * as library from '../../src/index.ts';

const dist = join(import.meta.dirname, '../../dist');
const builds: readonly (readonly [string, typeof library])[] = [
  ['index.js', await import(join(dist, 'index.js'))],
  ['index.cjs', createRequire(import.meta.url)(join(dist, 'index.cjs'))],
];

test.each(builds)('the classes of %s print under the names by which they are exported', async (_, build) => {
  const classes = Object.entries(build).filter(
    ([name, value]) => /^[A-Z]/.test(name) && value instanceof Function,
  );
  expect(classes.length).toBeGreaterThan(10);
  for (const [name, value] of classes) expect((value as { name: string }).name).toBe(name);

  const fetch = async () => Response.json([]);
  const client = new build.EmailMarketingClient({ baseUrl: 'https://api.example.com', apiKey: 'key', fetch });
  const call = client.senders.list();
  expect(inspect(call)).toMatch(/^CallPromise /);
  expect(inspect(client)).toMatch(/^EmailMarketingClient /);
  expect(inspect(client.withOptions({ timeout: 5 }))).toMatch(/^EmailMarketingClient /);
  await call;
});

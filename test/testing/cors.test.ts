import { expect, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';

const page = 'http://localhost:5173';

test('a page of an allowed origin may call the service, and no other page may', async () => {
  await using server = await createSandbox({ corsOrigins: [page] }).listen();
  const call = (origin: string) =>
    fetch(`${server.url}/api/v1/rest/sender`, { headers: { origin, 'X-Team-ApiKey': 'sandbox-key' } });
  expect((await call(page)).headers.get('access-control-allow-origin')).toBe(page);
  expect((await call('http://localhost:9999')).headers.get('access-control-allow-origin')).toBe(null);
});

test('a preflight request allows the requested headers, and is not in the journal', async () => {
  const sandbox = createSandbox({ corsOrigins: [page] });
  await using server = await sandbox.listen();
  const response = await fetch(`${server.url}/api/v1/rest/tag`, {
    method: 'OPTIONS',
    headers: {
      origin: page,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-team-apikey',
    },
  });
  expect(response.status).toBe(204);
  expect(response.headers.get('access-control-allow-headers')).toBe('x-team-apikey');
  expect(sandbox.requests).toHaveLength(0);
});

test('without corsOrigins no page of another origin may call', async () => {
  await using server = await createSandbox().listen();
  const response = await fetch(`${server.url}/api/v1/rest/sender`, { headers: { origin: page } });
  expect(response.headers.get('access-control-allow-origin')).toBe(null);
});

test('the controls are closed to pages of other origins, allowed ones too', async () => {
  const sandbox = createSandbox({ corsOrigins: [page], seed: { contacts: 1 } });
  await using server = await sandbox.listen();
  for (const path of ['view', 'live', 'records/contacts', 'requests'])
    expect((await fetch(`${server.url}/_sandbox/${path}`, { headers: { origin: page } })).status).toBe(404);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';

const methods = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'PROPFIND');
const part = fc.oneof(
  fc.constantFrom(
    'list',
    'tag',
    'contact',
    'identify',
    'track',
    'post',
    '__proto__',
    'constructor',
    '..',
    '%2e%2e',
    '%2F',
    '%',
    '%00',
    '\\',
  ),
  fc.string(),
);
const path = fc.tuple(
  fc.constantFrom('/api/v1/rest/', '/api/v1/', '/', '//', '/api/v1/rest/post/'),
  fc.array(part, { maxLength: 5 }),
);
const query = fc.oneof(
  fc.constant(''),
  fc.string().map(text => `?${text}`),
  fc.webQueryParameters().map(text => `?${text}`),
);
const body = fc.option(fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.uint8Array()), {
  nil: undefined,
});

test('every request gets a response of the documented form, and never a failure of the sandbox', async () => {
  const sandbox = createSandbox({ seed: { contacts: 5, lists: 2, tags: 2, postTags: 2 } });
  const request = fc.record({
    method: methods,
    path,
    query,
    body,
    key: fc.constantFrom(sandbox.apiKey, 'wrong', ''),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path: [start, parts], query: search, body: sent, key }) => {
      const bodied = sent !== undefined && method !== 'GET' && method !== 'HEAD';
      const answer = await sandbox.fetch(`https://sandbox.test${start}${parts.join('/')}${search}`, {
        method,
        headers: { 'X-Team-ApiKey': key, api_key: key },
        ...(bodied ? { body: sent as BodyInit } : {}),
      });
      expect([200, 400, 401, 403, 404, 405, 409]).toContain(answer.status);
      const json = await answer.json();
      if (answer.status >= 400)
        expect(json).toEqual({ status: answer.status === 401 ? 401 : 'error', message: expect.any(String) });
    }),
    { numRuns: 1500, seed: 7 },
  );
  expect(sandbox.state.contacts.size).toBeGreaterThanOrEqual(5);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

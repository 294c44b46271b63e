// Sends random requests to the sandbox.
import fc from 'fast-check';
import { createSandbox } from '../../src/testing/index.ts';
import { type FuzzOptions, fuzz } from './module.ts';

export const name = 'requests to the sandbox, by fetch';

const sandbox = createSandbox({ seed: { contacts: 5, lists: 2, tags: 2, postTags: 2 } });
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'PROPFIND'];
const segments = [
  'list',
  'tag',
  'contact',
  'identify',
  'track',
  'post',
  '__proto__',
  '..',
  '%2F',
  '%',
  '%00',
  '\\',
];
const request = fc.record({
  method: fc.constantFrom(...methods),
  path: fc.array(fc.oneof(fc.constantFrom(...segments), fc.string()), { maxLength: 5 }),
  query: fc.oneof(fc.string(), fc.webQueryParameters()),
  body: fc.option(fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.uint8Array()), { nil: undefined }),
  apiKey: fc.constantFrom(sandbox.apiKey, 'wrong', ''),
});

/** Every request gets a response of the documented form; a rejection is a failure. */
const property = fc.asyncProperty(request, async ({ method, path, query, body, apiKey }) => {
  const url = `https://sandbox.test/api/v1/rest/${path.join('/')}?${query}`;
  if (!URL.canParse(url)) return;
  const init = body === undefined || method === 'GET' || method === 'HEAD' ? {} : { body };
  const response = await sandbox.fetch(url, { method, headers: { 'x-team-apikey': apiKey }, ...init });
  const text = await response.text();
  if (![200, 400, 401, 403, 404, 405, 409].includes(response.status))
    throw new Error(`status ${response.status}: ${text}`);
  if (response.status === 200) return;
  const { status, message, ...others } = JSON.parse(text);
  const expected = response.status === 401 ? 401 : 'error';
  if (status !== expected || typeof message !== 'string' || Object.keys(others).length > 0)
    throw new Error(`not an error body: ${text}`);
});

export const run = (options: FuzzOptions) => fuzz(property, options);

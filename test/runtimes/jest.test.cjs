/* global document, expect, Request, test */
/** A Jest project by `require`, under Node and under jsdom. The environment has the sandbox's address and a file for the result. */
const { writeFileSync } = require('node:fs');
const library = require('email-marketing-client');
const { createBrowserClient } = require('email-marketing-client/browser');
const { createProxyHandler } = require('email-marketing-client/proxy');
const { createSandbox } = require('email-marketing-client/testing');
const { scenario } = require('./scenario.cjs');

test('there is a document under jsdom', () => {
  expect(typeof document).toBe(process.env.JSDOM ? 'object' : 'undefined');
});

test('the scenario runs', async () => {
  writeFileSync(process.env.RESULT, JSON.stringify(await scenario(library, process.env.SANDBOX)));
}, 60_000);

test('the browser client calls a handler whose client calls a sandbox in memory', async () => {
  const sandbox = createSandbox();
  const server = new library.EmailMarketingClient(sandbox.clientOptions);
  const handler = createProxyHandler(server, { allow: ['legacy.identify'], authorize: 'public' });
  const client = createBrowserClient({
    url: 'http://app.test/api/email-marketing',
    fetch: (url, init) => handler(new Request(url, init)),
  });
  await client.legacy.identify({ email: 'ada@example.com' }, { signal: new AbortController().signal });
  expect(sandbox.requests.count('legacy.identify')).toBe(1);
});

test('the sandbox listens', async () => {
  const server = await createSandbox().listen();
  expect((await fetch(server.url)).status).toBe(200);
  await server.close();
});

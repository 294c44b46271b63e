/* global document, expect, Request, test */
/** Tests of a web page under Jest's jsdom, in the environment of docs/testing.md. */
const { EmailMarketingClient } = require('email-marketing-client');
const { createBrowserClient } = require('email-marketing-client/browser');
const { createProxyHandler } = require('email-marketing-client/proxy');
const { createSandbox } = require('email-marketing-client/testing');

const person = { email: 'ada@example.com', firstName: 'Ada' };
const { SANDBOX: baseUrl, HANDLER: url } = process.env;

test('there is a document', () => {
  document.body.innerHTML = '<p>Ada</p>';
  expect(document.querySelector('p').textContent).toBe('Ada');
});

test('the full client calls a sandbox in memory', async () => {
  const sandbox = createSandbox();
  const client = new EmailMarketingClient(sandbox.clientOptions);
  await client.legacy.identify(person, { signal: new AbortController().signal });
  expect(sandbox.state.contacts.named(person.email)?.firstName).toBe('Ada');
});

test('the full client calls a sandbox by the global fetch', async () => {
  const keys = { apiKey: 'sandbox-key', teamId: 'sandbox-team' };
  const options = { baseUrl, ...keys, dangerouslyAllowBrowser: true, maxRetries: 0 };
  const client = new EmailMarketingClient(options);
  await client.legacy.identify(person, { signal: new AbortController().signal });
  expect(await client.contacts.findByEmail(person.email)).toMatchObject(person);
});

test('the browser client calls a handler in memory', async () => {
  const sandbox = createSandbox();
  const server = new EmailMarketingClient(sandbox.clientOptions);
  const handler = createProxyHandler(server, { allow: ['legacy.identify'], authorize: 'public' });
  const client = createBrowserClient({
    url: '/api/email-marketing',
    fetch: (url, init) => handler(new Request(url, init)),
  });
  await client.legacy.identify(person);
  expect(sandbox.requests.count('legacy.identify')).toBe(1);
});

test('the browser client calls a handler by the global fetch', async () => {
  const client = createBrowserClient({ url, maxRetries: 0 });
  await client.legacy.identify(person, { signal: new AbortController().signal });
});

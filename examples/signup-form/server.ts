/**
 * A sign-up form: its web page, the handler that keeps the key, and the sandbox in place of the service.
 * Run `node examples/signup-form/server.ts` and open the address that it prints.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EmailMarketingClient } from 'email-marketing-client';
import {
  type Authorize,
  createProxyHandler,
  type ProxyOutput,
  toNodeListener,
} from 'email-marketing-client/proxy';
import { createSandbox } from 'email-marketing-client/testing';

/**
 * A visitor sends an address and perhaps a name, and gets one tag. Nothing else from the web page reaches the service. An
 * empty name keeps the stored one.
 */
const signUpOnly: Authorize<'legacy.identify'> = (_request, { input: { email, firstName } }) => ({
  input: { email, firstName, tags: ['newsletter'] },
});

/** Tells the web page only that the sign-up worked: the service's message would reveal if the address was known. */
const output: ProxyOutput = { 'legacy.identify': () => ({ status: 'success' }) };

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'";
const types: Readonly<Record<string, string>> = { html: 'text/html', css: 'text/css', js: 'text/javascript' };

/** Files of the web page and of the package, without a bundler. */
function fileOf(path: string): URL | undefined {
  const [, own] = /^\/(index\.html|page\.css|page\.js)$/.exec(path === '/' ? '/index.html' : path) ?? [];
  if (own) return new URL(own, import.meta.url);
  const [, ofPackage] = /^\/email-marketing-client\/([\w-]+\.js)$/.exec(path) ?? [];
  return ofPackage ? new URL(ofPackage, import.meta.resolve('email-marketing-client/browser')) : undefined;
}

/** Starts the site on a port; 0 lets the system choose. */
export async function startSite(port = 0) {
  const sandbox = createSandbox();
  const { apiKey, teamId, fetch } = sandbox;
  const client = new EmailMarketingClient({ baseUrl: 'https://sandbox.test', apiKey, teamId, fetch });
  const listener = toNodeListener(
    createProxyHandler(client, { allow: ['legacy.identify'], authorize: signUpOnly, output }),
  );
  const server = createServer((request, response) => {
    if (request.url === '/api/email-marketing') {
      listener(request, response);
      return;
    }
    const file = fileOf(request.url ?? '/');
    if (!file) return void response.writeHead(404).end();
    const type = types[file.pathname.split('.').at(-1) ?? ''] ?? 'text/plain';
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': policy });
    response.end(readFileSync(file));
  });
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, sandbox, close: () => server.close().closeAllConnections() };
}

if (import.meta.url === `file://${process.argv[1]}`) console.log((await startSite(8080)).url);

// What the service workers of this folder have in common: a call to the sandbox from a page.
import { createSandbox, type Sandbox } from '../../../src/testing/index.ts';

/** Calls the sandbox through a service worker, and leaves what came of it in the page's title. */
export function tryInBrowser(start: (sandbox: Sandbox) => Promise<unknown>): void {
  void run(start).then(
    result => {
      document.title = JSON.stringify(result);
    },
    error => {
      document.title = String(error);
    },
  );
}

async function run(start: (sandbox: Sandbox) => Promise<unknown>) {
  const sandbox = createSandbox({ baseUrl: 'https://api.example.test', seed: { contacts: 3 } });
  await start(sandbox);
  const call = (path: string, body?: string) =>
    fetch(`https://api.example.test/api/v1/rest${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'X-Team-ApiKey': sandbox.apiKey },
      ...(body === undefined ? {} : { body }),
    });
  const tag = await (await call('/tag', '{"name":"vip"}')).json();
  const contacts = await (await call('/contact?limit=2')).json();
  sandbox.drop('GET /sender');
  const dropped = await call('/sender').catch((error: Error) => error.name);
  return { tag: tag.name, contacts: contacts.length, dropped, requests: sandbox.requests.length };
}

// Bundled into a web page: calls the sandbox through MSW, and writes the result to the page's title.
import { setupWorker } from 'msw/browser';
import { createSandbox } from '../../../src/testing/index.ts';
import { sandboxHandlers } from '../../../src/testing/msw.ts';

run().then(
  result => {
    document.title = JSON.stringify(result);
  },
  error => {
    document.title = String(error);
  },
);

async function run() {
  const sandbox = createSandbox({ seed: { contacts: 3 } });
  await setupWorker(...sandboxHandlers(sandbox, { baseUrl: 'https://api.example.test' })).start({
    quiet: true,
  });
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

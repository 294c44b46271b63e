// The first sample of docs/browser.md, as it stands: its server and its page, filled in and sent in a browser.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createSandbox } from '../../src/testing/index.ts';
import { makeSamples, serve } from '../frameworks/project.ts';
import { listen } from '../support/listen.ts';
import { type Engine, opened } from './engines.ts';

/** Fills in the form twice, double-clicks its button, and reports what the page says. It is all that the test adds to the page. */
const visitor = `<script type="module">
  const form = document.querySelector('form');
  const status = document.querySelector('[role=status]');
  const replies = [];
  // Browsers do not send what is no address to them.
  form.noValidate = true;
  for (const email of ['ada@example.com', 'no address']) {
    form.elements.firstName.value = 'Ada';
    form.elements.email.value = email;
    status.textContent = '';
    const button = form.querySelector('button');
    button.click();
    button.click();
    while (status.textContent === '') await new Promise(resolve => setTimeout(resolve, 20));
    replies.push(status.textContent);
  }
  await fetch('/replies', { method: 'POST', body: JSON.stringify(replies) });
</script>`;

/** Starts the sample with the packed package, and a sandbox as the service. */
async function startSample() {
  const sandbox = createSandbox();
  const service = await sandbox.listen();
  const files = { 'server.ts': 'server.ts', 'public/index.html': 'public/index.html' };
  const project = makeSamples('sign-up-form', { express: '5.3.0' }, files, {});
  const account = {
    EMAIL_MARKETING_BASE_URL: service.url,
    EMAIL_MARKETING_API_KEY: sandbox.apiKey,
    EMAIL_MARKETING_TEAM_ID: sandbox.teamId,
  };
  const { origin, close } = await serve(project, account, 'server.ts');
  return {
    origin,
    sandbox,
    close: async () => {
      await close();
      await service.close();
    },
  };
}

/** Serves the sample's pages with the visitor in them. */
async function servePages(origin: string) {
  let report = (_: unknown): void => {};
  const replies = new Promise<unknown>(resolve => {
    report = resolve;
  });
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    if (request.url === '/replies') {
      report(JSON.parse(body));
      return response.end();
    }
    // The page calls its own origin, as the sample's handler demands.
    const headers = new Headers(request.headers as Record<string, string>);
    if (headers.has('origin')) headers.set('origin', origin);
    headers.delete('connection');
    const method = request.method ?? 'GET';
    const received = await fetch(origin + request.url, {
      method,
      headers,
      body: method === 'POST' ? body : null,
    });
    const type = received.headers.get('content-type') ?? '';
    response.writeHead(received.status, { 'content-type': type });
    return response.end((await received.text()) + (type.startsWith('text/html') ? visitor : ''));
  });
  const url = `http://127.0.0.1:${await listen(server)}/`;
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { url, replies, close };
}

/** Checks in an engine that the form of the guide signs a visitor up, and says what is wrong with an address. */
export async function checkSignUpForm(name: string, engine: Engine): Promise<void> {
  const sample = await startSample();
  const pages = await servePages(sample.origin);
  try {
    const replies = await opened(engine, pages.url, pages.replies);
    const problem = 'email must be an email address (got "no address").';
    assert.deepEqual(replies, ['Thank you.', problem], name);
    assert.equal(sample.sandbox.requests.count('legacy.identify'), 1, name);
    const [contact] = sample.sandbox.state.contacts.all;
    assert.deepEqual(
      [contact?.email, contact?.firstName, contact?.tagNames],
      ['ada@example.com', 'Ada', ['newsletter']],
    );
  } finally {
    await pages.close();
    await sample.close();
  }
}

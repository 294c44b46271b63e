// The first sample of docs/browser.md, unchanged: its server and its page, filled in and sent in a browser.
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createSandbox } from '../../src/testing/index.ts';
import { makeSamples, serve } from '../frameworks/project.ts';
import { listen } from '../support/listen.ts';
import { type Engine, opened } from './engines.ts';

/** Fills in the form twice, double-clicks its button, and sends what the page shows to a server of the test. */
const visitor = (reports: string) => `<script type="module">
  const form = document.querySelector('form');
  const status = document.querySelector('[role=status]');
  const replies = [];
  // Browsers do not submit an invalid address.
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
  await fetch('${reports}', { method: 'POST', mode: 'no-cors', body: JSON.stringify(replies) });
</script>`;

/** Starts a server to which the page sends its replies. */
async function startReports() {
  const server = createServer();
  const replies = new Promise<unknown>(resolve => {
    server.on('request', async (request, response) => {
      resolve(JSON.parse((await request.toArray()).join('')));
      response.end();
    });
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, replies, close: () => server.close() };
}

/** Checks in an engine that the form of the guide signs a visitor up, and shows what is wrong with an address. */
export async function checkSignUpForm(name: string, engine: Engine): Promise<void> {
  const sandbox = createSandbox();
  const [service, reports] = await Promise.all([sandbox.listen(), startReports()]);
  const files = { 'server.ts': 'server.ts', 'public/index.html': 'public/index.html' };
  const project = makeSamples('sign-up-form', { express: '5.3.0' }, files, {});
  appendFileSync(join(project.folder, 'public/index.html'), visitor(reports.url));
  const account = {
    EMAIL_MARKETING_BASE_URL: service.url,
    EMAIL_MARKETING_API_KEY: sandbox.apiKey,
    EMAIL_MARKETING_TEAM_ID: sandbox.teamId,
  };
  const sample = await serve(project, account, 'server.ts');
  try {
    const replies = await opened(engine, sample.origin, reports.replies);
    const problem = 'email must be an email address (got "no address").';
    assert.deepEqual(replies, ['Thank you.', problem], name);
    assert.equal(sandbox.requests.count('legacy.identify'), 1, name);
    const [contact] = sandbox.state.contacts.all;
    assert.deepEqual(
      [contact?.email, contact?.firstName, contact?.tagNames],
      ['ada@example.com', 'Ada', ['newsletter']],
    );
  } finally {
    reports.close();
    await sample.close();
    await service.close();
  }
}

/** A web page: runs the checks of the package, and posts their results to its server. */
import * as library from 'email-marketing-client';
import { createBrowserClient } from 'email-marketing-client/browser';
import { createSandbox } from 'email-marketing-client/testing';
import { scenario } from './scenario.mjs';

const name = 'Größe ∑ 🎉';
const wait = ms => new Promise(resolve => setTimeout(resolve, ms));

const checks = {
  scenario: () => scenario(library, location.origin),

  async client() {
    const options = { apiKey: 'sandbox-key', teamId: 'sandbox-team', dangerouslyAllowBrowser: true };
    const client = new library.EmailMarketingClient({ ...options, baseUrl: location.origin });
    const tag = await client.tags.create({ name });
    const { status } = await client.tags.delete(tag.id);
    const missing = await client.tags.delete(tag.id).catch(error => error);
    const customFields = { biography: 'é'.repeat(150_000) };
    const { data } = await client.legacy.identify({ email: 'zoe@example.com', customFields });
    const redirected = await client.request({ method: 'GET', path: '/moved' }).catch(error => error);
    return {
      created: tag.name,
      deleted: status,
      missing: [missing.name, missing.response?.status, missing instanceof library.NotFoundError],
      large: data.customFields.biography === customFields.biography,
      redirected: [redirected.name, redirected.outcome, /a redirect/.test(redirected.message)],
    };
  },

  async browserClient() {
    const client = createBrowserClient({ url: '/api/email-marketing' });
    const list = await client.lists.create({ name });
    const identified = await client.legacy.identify({ email: 'zoe@example.com', firstName: 'Zoë' });
    const emails = new Set();
    for await (const contact of client.contacts.all()) emails.add(contact.email);
    const invalid = await client.legacy.identify({ email: 'nobody' }).catch(error => error);
    const denied = await client.senders.list().catch(error => error);
    const signedOut = createBrowserClient({ url: '/signed-out' });
    const redirected = await signedOut.tags.create({ name }).catch(error => error);
    return {
      created: list.name,
      identified: Object.keys(identified).sort(),
      iterated: emails.size,
      invalid: [invalid.name, invalid.outcome, invalid.issues?.map(({ path }) => path)],
      denied: denied.name,
      redirected: [redirected.name, redirected.outcome, /a redirect/.test(redirected.message)],
    };
  },

  /** Opens pages that make a call and leave at once. */
  async leaving() {
    for (let index = 0; index < 3; index += 1) {
      const frame = document.createElement('iframe');
      frame.src = '/leaving.html';
      document.body.append(frame);
      while (frame.contentWindow.location.pathname !== '/left.html') await wait(50);
      frame.remove();
    }
    return 'left';
  },

  /** Makes calls to a server that closes reused connections after it has acted: browsers send some requests again. */
  async callsOnce() {
    const client = createBrowserClient({ url: '/closing' });
    const names = new Set();
    for (let index = 0; index < 20; index += 1) {
      const tag = await client.tags.create({ name: `tag ${index}` });
      names.add(tag.name);
      await client.tags.delete(tag.id);
    }
    return names.size;
  },

  async sandbox() {
    const sandbox = createSandbox({ seed: { contacts: 3 } });
    const client = new library.EmailMarketingClient({
      ...sandbox.clientOptions,
      dangerouslyAllowBrowser: true,
      logLevel: 'off',
    });
    sandbox.fail('tags.create', { status: 429, retryAfter: 0, times: 1 });
    const tag = await client.tags.create({ name });
    const contacts = await client.contacts.all().toArray();
    return {
      created: [tag.name, sandbox.state.tags.named(name)?.id === tag.id],
      requests: sandbox.requests.count('tags.create'),
      contacts: contacts.length,
    };
  },
};

/** A call in the moment in which the visitor leaves the page. */
function callAndLeave() {
  const client = createBrowserClient({ url: '/leaving' });
  client.legacy.identify({ email: 'zoe@example.com', firstName: name }).catch(() => {});
  location.href = '/left.html';
}

const violations = [];
addEventListener('securitypolicyviolation', event => violations.push(event.violatedDirective));
async function runChecks() {
  const results = {};
  for (const [check, run] of Object.entries(checks))
    results[check] = await run().catch(error => `${error}\n${error.stack}`);
  await fetch('/results', { method: 'POST', body: JSON.stringify({ ...results, violations }) });
}

if (location.pathname === '/leaving.html') callAndLeave();
else await runChecks();

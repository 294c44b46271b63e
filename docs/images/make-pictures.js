// @ts-check
/** Draws the sandbox's page, for the readme and the home page, light and dark: `node docs/images/make-pictures.js`. Needs Chromium. */
import { fileURLToPath } from 'node:url';
import { EmailMarketingClient } from 'email-marketing-client';
import { createSandbox } from 'email-marketing-client/testing';
import { openChromium } from '../../test/support/chromium.ts';

const viewport = { width: 1120, height: 450 };

const sandbox = createSandbox({ seed: { contacts: 40, tags: [{ name: 'vip' }] } });
const server = await sandbox.listen(0);
const client = new EmailMarketingClient({
  baseUrl: server.url,
  apiKey: sandbox.apiKey,
  teamId: sandbox.teamId,
});
sandbox.fail('contacts.list', { status: 503, retryAfter: 0, times: 2 });
await client.contacts.list({ limit: 3 });
await client.legacy.identify({ email: 'ada@example.com', firstName: 'Ada', tags: ['customer'] });
await client.tags.create({ name: 'vip' }).safe();
await client.events.record({ name: 'signup', identifier: 'ada@example.com' });

const browser = await openChromium();
for (const [colorScheme, file] of /** @type {const} */ ([
  ['light', 'sandbox.png'],
  ['dark', 'sandbox-dark.png'],
])) {
  const page = await browser.newPage({ viewport, colorScheme });
  await page.goto(`${server.url}/#/requests/5`);
  await page.locator('#request-detail h2').waitFor();
  await page.screenshot({ path: fileURLToPath(new URL(file, import.meta.url)) });
}
await browser.close();
await server.close();

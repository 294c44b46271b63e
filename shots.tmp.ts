import { chromium } from 'playwright';
import { createSandbox } from './src/testing/index.ts';

const sandbox = createSandbox({
  seed: {
    contacts: 200,
    lists: [{ name: 'All contacts', system: true }, { name: 'News' }],
    tags: 3,
    customFields: [{ name: 'plan' }],
    templates: 3,
    campaigns: [{ name: 'May', state: 'scheduled' }],
  },
});
const server = await sandbox.listen();
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
page.on('pageerror', e => console.log('pageerror', e.message));
page.on('console', m => m.type() === 'error' && console.log('console', m.text()));
page.on('response', r => r.status() >= 400 && console.log(r.status(), r.url()));
await page.goto(server.url);
await page.waitForTimeout(700);
await page.screenshot({ path: '/tmp/sandbox/1-empty.png' });
const h = { 'X-Team-ApiKey': 'sandbox-key', 'content-type': 'application/json' };
const call = (m: string, p: string, b?: unknown) =>
  fetch(server.url + '/api/v1/rest' + p, {
    method: m,
    headers: h,
    ...(b ? { body: JSON.stringify(b) } : {}),
  }).catch(() => {});
await call('POST', '/tag', { name: 'vip' });
await call('POST', '/tag', { name: 'vip' });
await call('POST', '/list', { nam: 1 });
await call('GET', '/contact?limit=3&search=ada');
await call('GET', '/contact?limit=500');
await call('POST', '/domain', { name: 'mail.example.com' });
await call('GET', '/nowhere');
sandbox.fail('tags.create', { status: 503, retryAfter: 2, times: 5 });
sandbox.latency('*', { ms: 5, jitterMs: 20 });
sandbox.drop('senders.list', {});
await call('POST', '/tag', { name: 'x' });
await call('GET', '/sender');
await page.waitForTimeout(400);
await page.screenshot({ path: '/tmp/sandbox/2-requests.png' });
await page.getByText('/api/v1/rest/tag').nth(1).click();
await page.waitForTimeout(300);
await page.screenshot({ path: '/tmp/sandbox/3-detail.png' });
await page.goto(server.url + '/#/requests/6');
await page.waitForTimeout(300);
await page.screenshot({ path: '/tmp/sandbox/4-detail-domain.png' });
await page.getByRole('link', { name: 'Data' }).click();
await page.waitForTimeout(400);
await page.locator('#records a').first().click();
await page.waitForTimeout(400);
await page.screenshot({ path: '/tmp/sandbox/5-data.png' });
await page.getByRole('link', { name: 'Faults' }).click();
await page.waitForTimeout(300);
await page.screenshot({ path: '/tmp/sandbox/6-faults.png' });
await page.emulateMedia({ colorScheme: 'dark' });
await page.screenshot({ path: '/tmp/sandbox/7-faults-dark.png' });
await page.setViewportSize({ width: 390, height: 800 });
for (const v of [
  'requests',
  'requests/2',
  'data',
  'data/contacts/new',
  'data/senders',
  'faults',
  'connect',
]) {
  await page.goto(server.url + '/#/' + v);
  await page.waitForTimeout(400);
  await page.screenshot({ path: `/tmp/sandbox/m-${v.replaceAll('/', '-')}.png` });
}
await browser.close();
await server.close();

import type { Browser, Page } from 'playwright';
import { afterAll, test as base, beforeAll, expect, vi } from 'vitest';
import { startSite } from '../../examples/signup-form/server.ts';
import { openChromium } from '../support/chromium.ts';
import { chromium, skipsWithout } from '../support/programs.ts';

vi.setConfig({ testTimeout: 90_000 });

const test = base.skipIf(skipsWithout(chromium));

let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
}, 300_000);
afterAll(() => browser?.close());

/** File of the picture in docs/browser.md, which a run with `SCREENSHOT` writes. */
const picture = process.env.SCREENSHOT ? 'docs/images/signup-form.png' : undefined;

type Site = Awaited<ReturnType<typeof startSite>>;

async function visit(use: (page: Page, site: Site) => Promise<void>) {
  const site = await startSite();
  const page = await browser.newPage({ viewport: { width: 640, height: 520 } });
  const seen: string[] = [];
  page.on('pageerror', error => seen.push(error.message));
  page.on('console', message => /Content Security Policy/.test(message.text()) && seen.push(message.text()));
  page.on('response', async response => {
    const text = await response.text().catch(() => '');
    if (text.includes(site.sandbox.apiKey) || text.includes(site.sandbox.teamId)) seen.push(response.url());
  });
  try {
    await page.goto(site.url);
    await use(page, site);
    expect(seen).toEqual([]);
  } finally {
    await page.close();
    site.close();
  }
}

async function signUp(page: Page, firstName: string, email: string) {
  await page.getByLabel('First name').fill(firstName);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button').click();
}

test('creates a contact with one tag for a person who signs up', () =>
  visit(async (page, { sandbox }) => {
    await signUp(page, 'Ada', 'ada@example.com');
    await page.getByText('Thank you, Ada. See you soon.').waitFor();
    if (picture) await page.screenshot({ path: picture });
    const [contact] = sandbox.state.contacts.all;
    expect(contact).toMatchObject({ email: 'ada@example.com', firstName: 'Ada' });
    expect(sandbox.state.tags.all.map(({ id, name }) => [id, name])).toEqual([
      [contact?.tags[0], 'newsletter'],
    ]);
  }));

test('tells the visitor what is wrong with an address, and sends nothing to the service', () =>
  visit(async (page, { sandbox }) => {
    await signUp(page, 'Ada', 'ada');
    await page.getByText('Please look at this again: email must be an email address.').waitFor();
    expect(sandbox.requests.count()).toBe(0);
  }));

test('refuses everything else from a page', () =>
  visit(async (page, { sandbox, url }) => {
    const ask = (body: object) =>
      page.evaluate(
        async ([address, text]) => {
          const headers = { 'content-type': 'application/json' };
          return (await fetch(`${address}api/email-marketing`, { method: 'POST', headers, body: text ?? '' }))
            .status;
        },
        [url, JSON.stringify(body)],
      );
    expect(await ask({ operation: 'contacts.list' })).toBe(403);
    const input = { email: 'ada@example.com', newEmail: 'eve@example.com', tags: ['admin'] };
    expect(await ask({ operation: 'legacy.identify', input })).toBe(200);
    expect(sandbox.state.contacts.all.map(({ email }) => email)).toEqual(['ada@example.com']);
    expect(sandbox.state.tags.all.map(({ name }) => name)).toEqual(['newsletter']);
  }));

test('tells a page neither the fields of a contact nor whether an address is known', () =>
  visit(async (page, { url }) => {
    const texts = await page.evaluate(async address => {
      const ask = async (email: string) => {
        const body = JSON.stringify({ operation: 'legacy.identify', input: { email } });
        const headers = { 'content-type': 'application/json' };
        return (await fetch(`${address}api/email-marketing`, { method: 'POST', headers, body })).text();
      };
      return [await ask('ada@example.com'), await ask('ada@example.com')];
    }, url);
    expect(texts).toEqual(['{"data":{"status":"success"}}', '{"data":{"status":"success"}}']);
  }));

test('tells the visitor that the service failed, without details', () =>
  visit(async (page, { sandbox }) => {
    sandbox.fail('POST /contact/identify', { status: 403 });
    await signUp(page, 'Ada', 'ada@example.com');
    await page.getByText('That did not work. Please try again later.').waitFor();
  }));

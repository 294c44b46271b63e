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
    const [contact] = sandbox.state.contacts.all;
    expect(contact).toMatchObject({ email: 'ada@example.com', firstName: 'Ada' });
    const tags = sandbox.state.tags.all.map(({ id, name }) => [id, name]);
    expect(tags).toEqual([[contact?.tags[0], 'newsletter']]);
  }));

/** Sends a call from the page, and returns status and text of the response. */
const ask = (page: Page, url: string, call: object) =>
  page.evaluate(
    async ([address, body]) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${address}api/email-marketing`, { method: 'POST', headers, body });
      return [response.status, await response.text()];
    },
    [url, JSON.stringify(call)] as const,
  );

test('refuses everything else from a page, and does not tell it whether an address is known', () =>
  visit(async (page, { sandbox, url }) => {
    expect((await ask(page, url, { operation: 'contacts.list' }))[0]).toBe(403);
    const input = { email: 'ada@example.com', newEmail: 'eve@example.com', tags: ['admin'] };
    for (let times = 0; times < 2; times++) {
      const reply = await ask(page, url, { operation: 'legacy.identify', input });
      expect(reply).toEqual([200, '{"data":{"status":"success"}}']);
    }
    const emails = sandbox.state.contacts.all.map(({ email }) => email);
    expect(emails).toEqual(['ada@example.com']);
    expect(sandbox.state.tags.all.map(({ name }) => name)).toEqual(['newsletter']);
  }));

test('tells the visitor that the service failed, without details', () =>
  visit(async (page, { sandbox }) => {
    sandbox.fail('POST /contact/identify', { status: 403 });
    await signUp(page, 'Ada', 'ada@example.com');
    await page.getByText('That did not work. Please try again later.').waitFor();
  }));

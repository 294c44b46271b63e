import type { Browser, Page } from 'playwright';
import { afterAll, test as base, beforeAll, expect, vi } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/testing/index.ts';
import { axeFindings, openChromium } from '../../support/chromium.ts';
import { chromium, skipsWithout } from '../../support/programs.ts';
import { legacy, rest } from '../http.ts';

const test = base.skipIf(skipsWithout(chromium));
vi.setConfig({ testTimeout: 90_000 });

let browser: Browser;
beforeAll(async () => {
  if (!skipsWithout(chromium)) browser = await openChromium();
}, 300_000);
afterAll(() => browser?.close());

/** Maximum wait for something to appear on the page, in milliseconds. */
const waitMs = 10_000;

/** Opens the web page of a sandbox. Fails if the page has an error. */
async function show(
  use: (page: Page, sandbox: Sandbox) => Promise<void>,
  options: Parameters<Browser['newPage']>[0] = {},
) {
  const sandbox = createSandbox({
    seed: { contacts: 200, tags: [], lists: 1, customFields: [{ name: 'plan' }], templates: 1 },
  });
  await using server = await sandbox.listen();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
  page.setDefaultTimeout(waitMs);
  const problems: string[] = [];
  page.on('pageerror', error => problems.push(error.message));
  // The page shows error responses, but Chromium also logs them.
  page.on('console', message => {
    if (message.type() === 'error' && !message.text().includes('400 (Bad Request)'))
      problems.push(message.text());
  });
  await page.goto(server.url);
  await page.getByText('live', { exact: true }).waitFor();
  await use(page, sandbox);
  expect(problems).toEqual([]);
  await page.close();
}

/** Opens a place of the page by its address. */
const open = (page: Page, place: string) => page.goto(`${page.url().split('#')[0]}#/${place}`);
const goTo = (page: Page, view: string) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }).click();
const openKind = async (page: Page, kind: string) => {
  await goTo(page, 'Data');
  const kinds = page.getByRole('navigation', { name: 'Kinds of record' });
  await kinds.getByRole('link', { name: new RegExp(`^${kind} \\d`) }).click();
};
/** Changes the JSON that is open, and submits it. */
async function edit(page: Page, changes: object, action: string) {
  const area = page.locator('#record-detail textarea');
  const shown = JSON.parse(await area.inputValue());
  await area.fill(JSON.stringify({ ...shown, ...changes }));
  await page.locator('#record-detail').getByRole('button', { name: action }).click();
}
/** Clicks a button, and responds to the question of the page. */
async function confirmClick(page: Page, button: string, isYes: boolean) {
  page.once('dialog', dialog => (isYes ? dialog.accept() : dialog.dismiss()));
  await page.getByRole('button', { name: button }).click();
}
const rows = (page: Page) => page.locator('#requests a.row');
const records = (page: Page) => page.locator('#records');

test('new records and requests appear at once', () =>
  show(async (page, sandbox) => {
    const event = { name: 'bought', identifier: 'ada@x.test', data: { plan: 'pro' } };
    await openKind(page, 'Contacts');
    await legacy(sandbox, 'POST /contact/identify', { email: 'ada@x.test', firstName: 'Ada', tags: ['vip'] });
    await records(page).getByText('ada@x.test').waitFor();
    await openKind(page, 'Events');
    await rest(sandbox, 'POST /events/custom', event);
    await records(page).getByText('bought').waitFor();
    await page.locator('#kinds').getByText('201').waitFor();
    await page.getByRole('link', { name: 'Requests 2' }).waitFor();
    await goTo(page, 'Requests');
    await rows(page).filter({ hasText: 'POST /rest/events' }).waitFor();
  }));

test('requests are listed newest first with their faults, and one that is open shows everything', () =>
  show(async (page, sandbox) => {
    sandbox.latency('tags.create', { ms: 1, times: 1 });
    sandbox.fail('tags.create', { status: 503, retryAfter: 5, times: 1 });
    for (const _ of [1, 2]) await rest(sandbox, 'POST /tag', { name: 'vip' });
    await rest(sandbox, 'POST /tag?from=page', { name: 'vip' });
    await rows(page).nth(2).waitFor();
    expect(await rows(page).allTextContents()).toEqual([
      expect.stringMatching(/^409\s*POST \/rest\/tag\?from=page.*a tag named "vip" already exists\s*$/s),
      expect.stringMatching(/^200\s*POST \/rest\/tag/),
      expect.stringMatching(/^503\s*POST \/rest\/tag\s*fault: latency, fail/),
    ]);
    await rows(page).first().click();
    const detail = page.locator('#request-detail');
    await detail.getByText('a tag named "vip" already exists (nameUsed, rule 10.2)').waitFor();
    const text = (await detail.textContent()) ?? '';
    for (const part of [
      '409 POST /api/v1/rest/tag',
      'tags.create',
      'frompage',
      '"name": "vip"',
      '"message": "resource with this name already exists"',
      'x-team-apikey[redacted]',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain(sandbox.apiKey);
    await rows(page).nth(2).click();
    await detail.getByText('fail tags.create status: 503, retryAfter: 5, times: 1').waitFor();
    await detail.getByText('latency tags.create ms: 1, times: 1').waitFor();
  }));

test('requests are filtered by words, keep the focus, and are cleared after confirmation', () =>
  show(async (page, sandbox) => {
    const shown = (count: number) =>
      page.waitForFunction(wanted => document.querySelectorAll('#requests > li').length === wanted, count);
    for (const _ of [1, 2]) await rest(sandbox, 'POST /tag', { name: 'findme' });
    await rest(sandbox, 'GET /sender');
    await shown(3);
    const filter = page.getByRole('searchbox');
    await filter.fill('post 4xx');
    await shown(1);
    await filter.fill('nothing like it');
    await page.getByText('No requests match the filter.').waitFor();
    await filter.fill('POST /tag');
    await shown(2);
    await rows(page).nth(1).focus();
    await rest(sandbox, 'GET /contact');
    await rest(sandbox, 'POST /tag', { name: 'third' });
    await shown(3);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe('#/requests/1');
    await confirmClick(page, 'Clear…', false);
    await shown(3);
    await confirmClick(page, 'Clear…', true);
    await shown(0);
    expect(sandbox.requests).toHaveLength(0);
  }));

test('every kind of fault has an example, for any operation, that is edited and switched on', () =>
  show(async (page, sandbox) => {
    await goTo(page, 'Faults');
    const area = page.locator('#faults-view textarea');
    const operation = 'tags.create';
    for (const kind of ['fail', 'stall', 'drop', 'latency', 'hold']) {
      await page.getByLabel('for').selectOption(operation);
      await page.getByLabel('Example of').selectOption(kind);
      expect(JSON.parse(await area.inputValue())).toMatchObject({ operation, kind });
      await page.getByRole('button', { name: 'Switch on' }).click();
      await page.locator('#faults').getByText(`${kind} ${operation}`).waitFor();
    }
    const fault = { operation: 'POST /list', kind: 'fail', status: 500, body: { a: 1 }, times: 3 };
    await area.fill(JSON.stringify(fault));
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.locator('#faults').getByText('status: 500, body: {"a":1}, times: 3').waitFor();
    expect(sandbox.faults()).toHaveLength(6);
    expect(sandbox.faults().at(-1)).toEqual({ ...fault, number: 6, hits: 0 });
    await page.getByRole('button', { name: 'Switch off fail POST /list' }).click();
    await vi.waitFor(() => expect(sandbox.faults()).toHaveLength(5), waitMs);
    await page.getByRole('button', { name: 'Switch all off' }).click();
    await page.getByText('No active faults.').waitFor();
    expect(sandbox.faults()).toEqual([]);
  }));

test('a contact is searched and edited as JSON, and the service shows the change', () =>
  show(async (page, sandbox) => {
    const vip = sandbox.state.tags.add({ name: 'vip' });
    await openKind(page, 'Custom fields');
    await records(page).getByText('plan').waitFor();
    await openKind(page, 'Contacts');
    await page.getByRole('searchbox').fill('PERSON200@');
    await page.waitForFunction(() => document.querySelectorAll('#records > li').length === 1);
    await records(page).getByText('person200@example.com').click();
    await page.getByRole('heading', { name: 'Edit contact' }).waitFor();
    // A program changes another member meanwhile.
    const contact = sandbox.state.contacts.named('person200@example.com') ?? expect.fail();
    sandbox.state.contacts.update(contact, { lastName: 'Hopper' });
    const changes = { firstName: 'Grace', tags: ['vip'], customFields: { plan: 'pro' }, unsubscribed: true };
    await edit(page, changes, 'Save');
    await page.getByText('Saved.').waitFor();
    await records(page).getByText('Grace · Hopper').waitFor();
    await page.locator('#records .tag').getByText('unsubscribed').waitFor();
    await page.locator('#record-detail table').getByText('vip').waitFor();
    const customFields = { [sandbox.state.customFields.named('plan')?.id ?? '']: 'pro' };
    expect(contact).toMatchObject({ ...changes, lastName: 'Hopper', tags: [vip.id], customFields });
  }));

test('a record is added and deleted, an error appears next to it, and a reset restores the seed', () =>
  show(async (page, sandbox) => {
    await openKind(page, 'Tags');
    await page.getByText('No tags yet.').waitFor();
    await page.getByRole('link', { name: 'Add tag' }).click();
    await page.getByText('Fields: name, created, updated.').waitFor();
    await edit(page, {}, 'Add tag');
    await page.getByRole('alert').getByText('A tag requires name.').waitFor();
    expect(await page.locator('#record-detail textarea').getAttribute('aria-invalid')).toBe('true');
    for (const button of ['Delete', 'Reset']) {
      await open(page, 'data/tags/new');
      await edit(page, { name: 'vip' }, 'Add tag');
      await records(page).getByText('vip').waitFor();
      expect(sandbox.state.tags.named('vip')?.id).toMatch(/^tag_[a-zA-Z0-9]{22}$/);
      await page.getByRole('heading', { name: 'Edit tag' }).waitFor();
      await confirmClick(page, button, false);
      expect(sandbox.state.tags.size).toBe(1);
      await confirmClick(page, button, true);
      await page.getByText('No tags yet.').waitFor();
      expect(sandbox.state.tags.size).toBe(0);
    }
  }));

test('the page says that the sandbox has stopped', async () => {
  const server = await createSandbox().listen();
  const page = await browser.newPage();
  await page.goto(server.url);
  await page.getByText('live', { exact: true }).waitFor();
  await server.close();
  await page.getByText('the sandbox does not respond').waitFor();
  await page.close();
});

const looks = [390, 1280].flatMap(width =>
  (['light', 'dark'] as const).map(colorScheme => ({ width, colorScheme })),
);

test.each(looks)('the page fits, and axe finds nothing, at $width px in $colorScheme', look =>
  show(
    async (page, sandbox) => {
      await rest(sandbox, 'POST /list', { name: 'x'.repeat(200) });
      sandbox.fail('tags.create', { times: 1 });
      for (const _ of [1, 2]) await rest(sandbox, 'POST /tag', { name: 'vip' });
      for (let number = 0; number < 12; number++) sandbox.fail('tags.create', { retryAfter: 5, times: 100 });
      const { id } = sandbox.state.contacts.all[0] ?? {};
      const data = ['data', `data/contacts/${id}`, 'data/lists', 'data/domains'];
      for (const place of ['requests', 'requests/2', ...data, 'faults']) {
        await open(page, place);
        await page.waitForFunction(() => document.querySelectorAll('main *').length > 5);
        expect(await axeFindings(page), place).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
          look.width,
        );
      }
      // On a phone, the panes of the last place are one below the other.
      const boxes = await page
        .locator('.pane')
        .evaluateAll(panes => panes.map(pane => pane.getBoundingClientRect().toJSON()));
      if (look.width === 390) expect(boxes[1]?.top).toBeGreaterThanOrEqual(boxes[0]?.bottom ?? 0);
    },
    {
      viewport: { width: look.width, height: 844 },
      colorScheme: look.colorScheme,
      isMobile: look.width === 390,
    },
  ),
);

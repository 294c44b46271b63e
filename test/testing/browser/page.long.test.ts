import type { Browser, Page } from 'playwright';
import { afterAll, test as base, beforeAll, expect, vi } from 'vitest';
import { createSandbox, type Sandbox, type SandboxServer } from '../../../src/testing/index.ts';
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

type Options = Parameters<Browser['newPage']>[0];

/** Opens the web page of a sandbox. Fails if the page has an error. */
async function show(
  use: (page: Page, sandbox: Sandbox, server: SandboxServer) => Promise<void>,
  options: Options = {},
) {
  const sandbox = createSandbox({
    seed: {
      contacts: 200,
      tags: [],
      lists: [{ name: 'All contacts', system: true }],
      customFields: [{ name: 'plan', type: 'string' }],
      templates: [{ name: 'Welcome' }],
    },
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
  await use(page, sandbox, server);
  expect(problems).toEqual([]);
  await page.close();
}

const goTo = (page: Page, view: string) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }).click();
const openKind = async (page: Page, kind: string) => {
  await goTo(page, 'Data');
  const kinds = page.getByRole('navigation', { name: 'Kinds of record' });
  await kinds.getByRole('link', { name: new RegExp(`^${kind} \\d`) }).click();
};
const field = (page: Page, label: string) => page.locator('main:not([hidden])').getByLabel(label);
/** Changes the JSON that is open, and submits it. */
async function edit(page: Page, changes: object, action: string) {
  const area = page.locator('#record-detail textarea');
  const shown = JSON.parse(await area.inputValue());
  await area.fill(JSON.stringify({ ...shown, ...changes }));
  await page.locator('#record-detail').getByRole('button', { name: action }).click();
}
/** Answers the next question of the page. */
const answer = (page: Page, isYes: boolean) =>
  page.once('dialog', dialog => (isYes ? dialog.accept() : dialog.dismiss()));
const phone: Options = { viewport: { width: 390, height: 844 }, isMobile: true };
const rows = (page: Page) => page.locator('#requests a.row');

test('new contacts, lists, tags, events and requests appear at once', () =>
  show(async (page, sandbox) => {
    await openKind(page, 'Contacts');
    await legacy(sandbox, 'POST /contact/identify', { email: 'ada@x.test', firstName: 'Ada', tags: ['vip'] });
    await page.locator('#records').getByText('ada@x.test').waitFor();
    await openKind(page, 'Tags');
    await page.locator('#records').getByText('vip').waitFor();
    await openKind(page, 'Lists');
    await rest(sandbox, 'POST /list', { name: 'Newsletter' });
    await page.locator('#records').getByText('Newsletter').waitFor();
    await openKind(page, 'Events');
    const event = { name: 'bought', identifier: 'ada@x.test', data: { plan: 'pro' } };
    await rest(sandbox, 'POST /events/custom', event);
    await page.locator('#records').getByText('bought').waitFor();
    await page.locator('#kinds').getByText('201').waitFor();
    await page.getByRole('link', { name: 'Requests 3' }).waitFor();
    await goTo(page, 'Requests');
    await rows(page).filter({ hasText: 'POST /rest/list' }).waitFor();
  }));

test('an open request shows its bodies, the reason of the error with its rule, and masked keys', () =>
  show(async (page, sandbox) => {
    await rest(sandbox, 'POST /tag', { name: 'vip' });
    await rest(sandbox, 'POST /tag?from=page', { name: 'vip' });
    await rows(page).first().getByText('a tag named "vip" already exists').waitFor();
    await rows(page).first().click();
    const detail = page.locator('#request-detail');
    await detail.getByText('a tag named "vip" already exists').waitFor();
    const text = (await detail.textContent()) ?? '';
    expect(text).toContain('409 POST /api/v1/rest/tag');
    expect(text).toContain('(nameUsed, rule 10.2)');
    expect(text).toContain('tags.create');
    expect(text).toContain('frompage');
    expect(text).toContain('"name": "vip"');
    expect(text).toContain('"message": "resource with this name already exists"');
    expect(text).toContain('x-team-apikey[redacted]');
    expect(text).not.toContain(sandbox.apiKey);
  }));

test('requests are listed newest first, each with its faults', () =>
  show(async (page, sandbox) => {
    sandbox.latency('senders.list', { ms: 1, times: 1 });
    sandbox.fail('senders.list', { status: 503, retryAfter: 5, times: 2 });
    await rest(sandbox, 'GET /sender');
    await rest(sandbox, 'POST /list', { name: 'between' });
    await rest(sandbox, 'GET /sender');
    await rest(sandbox, 'GET /sender');
    await rows(page).nth(3).waitFor();
    const texts = (await rows(page).allTextContents()).map(text => text.replace(/\d\d:\d\d:.*$/, ''));
    expect(texts).toEqual([
      '200GET /rest/sender',
      '503GET /rest/senderfault: fail',
      '200POST /rest/list',
      '503GET /rest/senderfault: latency, fail',
    ]);
    await rows(page).nth(1).click();
    const detail = page.locator('#request-detail');
    await detail.getByText('fail senders.list status: 503, retryAfter: 5, times: 2').waitFor();
    await rows(page).nth(3).click();
    await detail.getByText('latency senders.list ms: 1, times: 1').waitFor();
  }));

test('a dropped, a cut and a running request say what became of their response', () =>
  show(async (page, sandbox) => {
    const detail = page.locator('#request-detail');
    const open = (number: number) => page.goto(`${page.url().split('#')[0]}#/requests/${number}`);
    sandbox.drop('senders.list', { times: 1 });
    await rest(sandbox, 'GET /sender').catch(() => {});
    await open(1);
    await detail.getByText('No response: the connection was cut, or the client disconnected.').waitFor();
    sandbox.drop('lists.list', { at: 'body', times: 1 });
    await rest(sandbox, 'GET /list').catch(() => {});
    await open(2);
    await detail.getByText('Response body (only the first half was sent)').waitFor();
    sandbox.latency('tags.create', { ms: 1500, times: 1 });
    const running = rest(sandbox, 'POST /tag', { name: 'vip' });
    await open(3);
    await detail.getByText('No response yet.').waitFor();
    await running;
    await detail.getByText('200 POST /api/v1/rest/tag').waitFor();
  }));

test('requests are filtered by words, and cleared after confirmation', () =>
  show(async (page, sandbox) => {
    await rest(sandbox, 'POST /tag', { name: 'findme' });
    await rest(sandbox, 'POST /tag', { name: 'findme' });
    await rest(sandbox, 'GET /sender');
    const shown = (count: number) =>
      page.waitForFunction(wanted => document.querySelectorAll('#requests > li').length === wanted, count);
    await shown(3);
    const filter = page.getByRole('searchbox');
    await filter.fill('409');
    await shown(1);
    await filter.fill('nothing like it');
    await page.getByText('No requests match the filter.').waitFor();
    await filter.fill('POST /tag');
    await shown(2);
    await rest(sandbox, 'GET /contact');
    await rest(sandbox, 'POST /tag', { name: 'third' });
    await shown(3);
    answer(page, false);
    await page.getByRole('button', { name: 'Clear…' }).click();
    await shown(3);
    answer(page, true);
    await page.getByRole('button', { name: 'Clear…' }).click();
    await shown(0);
    expect(sandbox.requests).toHaveLength(0);
  }));

test('of 5 000 requests, the newest thousand are listed, newest first', () =>
  show(async (page, sandbox) => {
    for (let number = 1; number <= 5000; number++)
      await rest(sandbox, `GET /contact?limit=1&offset=${number}`);
    await page.getByText('5,000', { exact: true }).waitFor();
    await rows(page).first().getByText('offset=5000').waitFor();
    expect(await rows(page).count()).toBe(1000);
  }));

test('every kind of fault has an example, for any operation, that is edited and switched on', () =>
  show(async (page, sandbox) => {
    await goTo(page, 'Faults');
    const area = page.locator('#faults-view textarea');
    const kinds = ['fail', 'stall', 'drop', 'latency', 'hold'];
    for (const kind of kinds) {
      const operation = 'tags.create';
      await field(page, 'for').selectOption(operation);
      await field(page, 'Example of').selectOption(kind);
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
    sandbox.state.tags.add({ name: 'vip' });
    await openKind(page, 'Contacts');
    await page.getByRole('searchbox').fill('PERSON200@');
    await page.waitForFunction(() => document.querySelectorAll('#records > li').length === 1);
    await page.locator('#records').getByText('person200@example.com').click();
    await page.getByRole('heading', { name: 'Edit contact' }).waitFor();
    const contact = sandbox.state.contacts.named('person200@example.com');
    // Somebody else changes another member meanwhile.
    await rest(sandbox, 'POST /tag', { name: 'other' });
    if (contact) sandbox.state.contacts.update(contact, { lastName: 'Hopper' });
    const changes = { firstName: 'Grace', tags: ['vip'], customFields: { plan: 'pro' }, unsubscribed: true };
    await edit(page, changes, 'Save');
    await page.getByText('Saved.').waitFor();
    await page.locator('#records > li').first().getByText('Grace · Hopper').waitFor();
    await page.locator('#records .tag').getByText('unsubscribed').waitFor();
    await page.locator('#record-detail table').getByText('vip').waitFor();
    const [plan] = sandbox.state.customFields.all;
    expect((await rest(sandbox, 'GET /contact?search=person200')).body).toMatchObject([
      {
        firstName: 'Grace',
        lastName: 'Hopper',
        unsubscribed: true,
        tags: [sandbox.state.tags.named('vip')?.id],
        customFields: { [plan?.id ?? '']: 'pro' },
      },
    ]);
  }));

test('a record is added and deleted, and the error of an invalid one stands beside it', () =>
  show(async (page, sandbox) => {
    const add = (fields: object) => edit(page, fields, 'Add tag');
    await openKind(page, 'Tags');
    await page.getByText('No tags yet.').waitFor();
    await page.getByRole('link', { name: 'Add tag' }).click();
    await page.getByText('Fields: name, created, updated.').waitFor();
    await add({});
    await page.getByRole('alert').getByText('a tag requires name').waitFor();
    expect(await page.locator('#record-detail textarea').getAttribute('aria-invalid')).toBe('true');
    await add({ name: 'vip' });
    await page.locator('#records').getByText('vip').waitFor();
    expect(sandbox.state.tags.named('vip')?.id).toMatch(/^tag_[a-zA-Z0-9]{22}$/);
    await page.getByRole('heading', { name: 'Edit tag' }).waitFor();
    answer(page, true);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No tags yet.').waitFor();
    expect(sandbox.state.tags.size).toBe(0);
  }));

test('every kind of record can be opened and saved unchanged', () =>
  show(async (page, sandbox) => {
    await legacy(sandbox, 'POST /contact/identify', { email: 'ada@x.test', tags: ['vip'] });
    await rest(sandbox, 'POST /domain', { name: 'mail.example.com' });
    await rest(sandbox, 'POST /post/category', { name: 'News' });
    const event = { name: 'bought', identifier: 'ada@x.test', data: { plan: 'a=b' } };
    await rest(sandbox, 'POST /events/custom', event);
    sandbox.state.senders.add({ name: 'Ada', email: 'ada@x.test' });
    sandbox.state.postTags.add({ name: 'Post' });
    sandbox.state.campaigns.add({ name: 'May' });
    const before = sandbox.snapshot();
    const kinds = ['Contacts', 'Lists', 'Tags', 'Custom fields', 'Events', 'Tag changes', 'Domains'];
    for (const kind of [...kinds, 'Senders', 'Templates', 'Campaigns', 'Post tags', 'Post categories']) {
      await openKind(page, kind);
      await page.locator('#records a.row').first().click();
      const saved = page.waitForResponse(response => response.request().method() === 'PATCH');
      await page.getByRole('button', { name: 'Save' }).click();
      expect((await saved).status()).toBe(200);
    }
    expect(sandbox.snapshot()).toEqual(before);
  }));

test('reset restores the seed after confirmation', () =>
  show(async (page, sandbox) => {
    await rest(sandbox, 'POST /tag', { name: 'vip' });
    await openKind(page, 'Tags');
    await page.locator('#records').getByText('vip').waitFor();
    answer(page, false);
    await page.getByRole('button', { name: 'Reset' }).click();
    expect(sandbox.state.tags.size).toBe(1);
    answer(page, true);
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByText('No tags yet.').waitFor();
    expect(sandbox.state.tags.size).toBe(0);
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

test('the request list keeps the focus when requests arrive', () =>
  show(async (page, sandbox) => {
    for (const name of ['a', 'b', 'c']) await rest(sandbox, 'POST /tag', { name });
    await rows(page).nth(2).waitFor();
    await rows(page).nth(1).focus();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('href'));
    expect(await focused()).toBe('#/requests/2');
    await rest(sandbox, 'GET /sender');
    await rows(page).nth(3).waitFor();
    expect(await focused()).toBe('#/requests/2');
    await page.keyboard.press('Enter');
    await page.locator('#request-detail').getByText('tags.create').waitFor();
  }));

test.each([1, 4, 12])('no pane covers another on a phone with %d faults', faults =>
  show(async (page, sandbox) => {
    for (let number = 0; number < faults; number++)
      sandbox.fail('tags.create', { retryAfter: 5, times: 100, acted: true });
    await goTo(page, 'Faults');
    const panes = page.locator('main:not([hidden]) > .pane, main:not([hidden]) > * > .pane');
    await panes.last().waitFor();
    const boxes = await panes.evaluateAll(elements =>
      elements.map(element => {
        const { top, bottom } = element.getBoundingClientRect();
        return { top, bottom, hidden: element.scrollHeight - element.clientHeight };
      }),
    );
    for (const [index, { top, hidden }] of boxes.entries()) {
      expect(hidden).toBeLessThanOrEqual(1);
      expect(top).toBeGreaterThanOrEqual(boxes[index - 1]?.bottom ?? 0);
    }
    await page.getByRole('button', { name: 'Switch off' }).last().click();
    await vi.waitFor(() => expect(sandbox.faults()).toHaveLength(faults - 1), waitMs);
  }, phone),
);

const looks = [390, 1280].flatMap(width =>
  (['light', 'dark'] as const).map(colorScheme => ({ width, colorScheme })),
);

test.each(looks)(
  'the page fits, and axe finds nothing, at $width px in $colorScheme',
  ({ width, colorScheme }) =>
    show(
      async (page, sandbox) => {
        await rest(sandbox, 'POST /list', { name: 'x'.repeat(200) });
        await rest(sandbox, 'POST /tag', { name: 'vip' });
        sandbox.fail('tags.create', { times: 1 });
        await rest(sandbox, 'POST /tag', { name: 'vip' });
        const { id } = sandbox.state.contacts.all[0] ?? {};
        const records = ['data', `data/contacts/${id}`, 'data/lists', 'data/domains'];
        for (const place of ['requests', 'requests/2', ...records, 'faults']) {
          await page.goto(`${page.url().split('#')[0]}#/${place}`);
          await page.locator('main:not([hidden])').waitFor();
          await page.waitForFunction(() => document.querySelectorAll('main *').length > 5);
          expect(await axeFindings(page), place).toEqual([]);
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        }
      },
      { viewport: { width, height: 844 }, colorScheme },
    ),
);

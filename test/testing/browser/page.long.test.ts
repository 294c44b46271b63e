import { setTimeout } from 'node:timers/promises';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright';
import { afterAll, test as base, beforeAll, expect, vi } from 'vitest';
import { createSandbox, type Sandbox, type SandboxServer } from '../../../src/testing/index.ts';
import { openChromium } from '../../support/chromium.ts';
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
const field = (page: Page, label: string) =>
  page.locator('main:not([hidden])').getByLabel(new RegExp(`^\\s*${label}`));
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
    await page.locator('#requests-count').getByText('3', { exact: true }).waitFor();
    await goTo(page, 'Requests');
    await rows(page).filter({ hasText: 'POST/list' }).waitFor();
  }));

test('an event time that is not a valid date is shown in seconds', () =>
  show(async (page, sandbox) => {
    const event = { name: 'in microseconds', identifier: 'a@x.test', time: 1_700_000_000_000_000 };
    await rest(sandbox, 'POST /events/custom', event);
    await openKind(page, 'Events');
    await page.locator('#records').getByText('1700000000000000 s').waitFor();
  }));

test('an open request shows its bodies, the reason of the error, and masked keys', () =>
  show(async (page, sandbox) => {
    await rest(sandbox, 'POST /tag', { name: 'vip' });
    await rest(sandbox, 'POST /tag', { name: 'vip' });
    await rows(page).first().click();
    const detail = page.locator('#request-detail');
    await detail.getByText('a tag named "vip" already exists').waitFor();
    const text = (await detail.textContent()) ?? '';
    expect(text).toContain('nameUsed');
    expect(text).toContain('tags.create');
    expect(text).toContain('"message": "resource with this name already exists"');
    expect(text).toContain('x-team-apikey[redacted]');
    expect(text).not.toContain(sandbox.apiKey);
  }));

test('a request is replayed with its original key, and copied as curl and as client code', () =>
  show(
    async (page, sandbox, server) => {
      await legacy(sandbox, 'POST /contact/track?email=person1%40example.com', { addTags: ["a 'b'"] });
      await rows(page).first().click();
      await page.getByRole('button', { name: 'Replay' }).click();
      await page.waitForURL('**/#/requests/2');
      await page.locator('#request-detail').getByText('contact tracked').waitFor();
      expect(sandbox.requests.map(({ status }) => status)).toEqual([200, 200]);

      await page.getByRole('button', { name: 'Copy as client code' }).click();
      await page.getByText('Copied the client code.').waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
        "await client.legacy.track({ email: 'person1@example.com', addTags: ['a \\'b\\''] });",
      );
      await page.getByRole('button', { name: 'Copy as curl' }).click();
      await page.getByText('Copied the curl command.').waitFor();
      const command = await page.evaluate(() => navigator.clipboard.readText());
      expect(command).toContain(`curl -g -X POST '${server.url}/api/v1/contact/track?email=`);
    },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  ));

test('requests are filtered by method, path, status and text, and cleared after confirmation', () =>
  show(async (page, sandbox) => {
    await rest(sandbox, 'POST /tag', { name: 'findme' });
    await rest(sandbox, 'POST /tag', { name: 'findme' });
    await rest(sandbox, 'GET /sender');
    const shown = (count: number) =>
      page.waitForFunction(wanted => document.querySelectorAll('#requests > li').length === wanted, count);
    await shown(3);
    await field(page, 'Status').selectOption('409');
    await shown(1);
    await field(page, 'Status').selectOption('any');
    await field(page, 'Text').fill('FINDME');
    await shown(2);
    await field(page, 'Text').fill('');
    await field(page, 'Method').selectOption('POST');
    await field(page, 'Path').fill('/tag');
    await shown(2);
    await rest(sandbox, 'GET /contact');
    await rest(sandbox, 'POST /tag', { name: 'third' });
    await shown(3);
    await page.getByRole('button', { name: 'Clear the request log…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click();
    await shown(0);
    expect(sandbox.requests).toHaveLength(0);
  }));

test('5 000 requests are listed newest first, at most 400 at once, and older ones on request', () =>
  show(async (page, sandbox) => {
    for (let number = 1; number <= 5000; number++)
      await rest(sandbox, `GET /contact?limit=1&offset=${number}`);
    await page.getByText('5,000', { exact: true }).waitFor();
    await rows(page).first().getByText('offset=5000').waitFor();
    const count = () => page.locator('#requests > li').count();
    expect(await count()).toBeLessThanOrEqual(400);
    const first = await count();
    await page.locator('#older').click();
    await page.waitForFunction(before => document.querySelectorAll('#requests > li').length > before, first);
    await rest(sandbox, 'GET /sender');
    await page.locator('#request-scroll').evaluate(element => element.scrollTo(0, 0));
    await rows(page).first().getByText('/sender').waitFor();
  }));

test('every kind of fault can be switched on, with all of its options', () =>
  show(async (page, sandbox) => {
    await goTo(page, 'Faults');
    await field(page, 'Operation').selectOption('tags.create');
    const fills: Record<string, Record<string, string>> = {
      fail: { 'Retry-After': '7', 'Body: JSON': '{"a":1}', Probability: '0.5' },
      stall: { Times: '2' },
      drop: { Times: '3' },
      latency: { 'Wait, ms': '20', 'Jitter, ms': '30' },
      rateLimit: { Requests: '9', 'per seconds': '4' },
    };
    for (const [kind, fields] of Object.entries(fills)) {
      await page.locator('[name=kind]').selectOption(kind);
      for (const [label, value] of Object.entries(fields)) await field(page, label).fill(value);
      if (kind === 'drop' || kind === 'fail') await field(page, 'Perform the request first').setChecked(true);
      if (kind === 'stall') await field(page, 'When').selectOption('body');
      await page.getByRole('button', { name: 'Switch on' }).click();
      await page.locator('#faults').getByText(`${kind} tags.create`).waitFor();
    }
    await page.locator('#faults').getByText('status: 503, retryAfter: 7, body: {"a":1}').waitFor();
    const on = { operation: 'tags.create', hits: 0 };
    expect(sandbox.faults()).toMatchObject([
      { ...on, kind: 'fail', status: 503, retryAfter: 7, body: { a: 1 }, chance: 0.5, acted: true },
      { ...on, kind: 'stall', at: 'body', times: 2 },
      { ...on, kind: 'drop', acted: true, times: 3 },
      { ...on, kind: 'latency', ms: 20, jitterMs: 30 },
      { ...on, kind: 'rateLimit', requests: 9, perSeconds: 4 },
    ]);
    await page.getByRole('button', { name: 'Switch all off' }).click();
    await page.locator('#faults').getByText('No active faults').waitFor();
  }));

test.each([
  ['Slow network', ['latency']],
  ['Outage', ['fail']],
  ['Rate limited', ['rateLimit']],
  ['Dropped connections', ['drop', 'drop']],
])('the preset %s switches on %j', (name, kinds) =>
  show(async (page, sandbox) => {
    await goTo(page, 'Faults');
    await page.getByRole('button', { name }).click();
    await page.getByText(`Switched on: ${name}.`).waitFor();
    expect(sandbox.faults().map(fault => fault.kind)).toEqual(kinds);
  }),
);

test('a contact is searched and edited, and the service shows the change', () =>
  show(async (page, sandbox) => {
    sandbox.state.tags.add({ name: 'vip' });
    await openKind(page, 'Contacts');
    await field(page, 'Search').fill('PERSON200@');
    await page.waitForFunction(() => document.querySelectorAll('#records > li').length === 1);
    await page.locator('#records').getByText('person200@example.com').click();
    await field(page, 'First name').fill('Grace');
    // Over a slow connection, what is typed after the confirmation is kept too.
    await page.route('**/records/**', route => setTimeout(300).then(() => route.continue()));
    await field(page, 'Unsubscribed').check();
    await field(page, 'vip').check();
    await field(page, 'plan').fill('pro');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.locator('#records > li').first().getByText('Grace').waitFor();
    await page.getByText('Saved.').evaluate(message => message.remove());
    await field(page, 'Unsubscribed').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const [plan] = sandbox.state.customFields.all;
    expect((await rest(sandbox, 'GET /contact?search=person200')).body).toMatchObject([
      {
        firstName: 'Grace',
        unsubscribed: false,
        tags: [sandbox.state.tags.named('vip')?.id],
        customFields: { [plan?.id ?? '']: 'pro' },
      },
    ]);
  }));

test('a record is added and deleted, and the error of an invalid one is shown', () =>
  show(async (page, sandbox) => {
    await openKind(page, 'Tags');
    await page.getByText('No tags yet.').waitFor();
    await page.getByRole('button', { name: 'Add tag' }).click();
    await field(page, 'Name').fill('vip');
    await page.locator('#record-detail').getByRole('button', { name: 'Add tag' }).click();
    await page.locator('#records').getByText('vip').waitFor();
    expect(sandbox.state.tags.named('vip')?.id).toMatch(/^tag_[a-zA-Z0-9]{22}$/);
    await page.goto(`${page.url().split('#')[0]}#/data/tags/new`);
    await page.getByRole('heading', { name: 'New tag' }).waitFor();
    await field(page, 'Name').fill('vip');
    await page.locator('#record-detail').getByRole('button', { name: 'Add tag' }).click();
    await page.getByText('another tag already has this name').waitFor();
    await page.locator('#records').getByText('vip').click();
    await page.getByRole('heading', { name: 'Edit tag' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
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
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      await page.getByText('Saved.').evaluate(message => message.remove());
    }
    expect(sandbox.snapshot()).toEqual(before);
  }));

test('reset restores the seed after confirmation', () =>
  show(async (page, sandbox) => {
    await rest(sandbox, 'POST /tag', { name: 'vip' });
    await openKind(page, 'Tags');
    await page.locator('#records').getByText('vip').waitFor();
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(sandbox.state.tags.size).toBe(1);
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
    await page.getByText('No tags yet.').waitFor();
    expect(sandbox.state.tags.size).toBe(0);
  }));

test('an empty request log shows how to connect, with the address and key of the sandbox', () =>
  show(async (page, sandbox, server) => {
    const help = page.locator('#requests-empty');
    await help.getByText('No requests yet').waitFor();
    const text = await help.textContent();
    expect(text).toContain(`baseUrl: "${server.url}"`);
    expect(text).toContain(`apiKey: "${sandbox.apiKey}"`);
  }));

test('markup in a record is shown as text', () =>
  show(async (page, sandbox) => {
    const name = '<img src=x onerror="document.title=1">';
    await rest(sandbox, 'POST /tag', { name });
    await rows(page).first().click();
    await page.locator('#request-detail').getByText('onerror').first().waitFor();
    await openKind(page, 'Tags');
    await page.locator('#records').getByText(name).waitFor();
    expect(await page.title()).toBe('Email marketing sandbox');
    expect(await page.locator('#records img, #request-detail img').count()).toBe(0);
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

test('the request list works by keyboard, and keeps the focus when requests arrive', () =>
  show(async (page, sandbox) => {
    for (const name of ['a', 'b', 'c']) await rest(sandbox, 'POST /tag', { name });
    await rows(page).nth(2).waitFor();
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('text');
    await rows(page).first().focus();
    await page.keyboard.press('ArrowDown');
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('href'));
    expect(await focused()).toBe('#/requests/2');
    await rest(sandbox, 'GET /sender');
    await rows(page).nth(3).waitFor();
    expect(await focused()).toBe('#/requests/2');
    await page.keyboard.press('Enter');
    await page.locator('#request-detail').getByText('tags.create').waitFor();
    await page.keyboard.press('End');
    expect(await focused()).toBe('#/requests/1');
  }));

test.each([1, 4, 12])('no pane covers another on a phone with %d faults', faults =>
  show(
    async (page, sandbox) => {
      for (let number = 0; number < faults; number++)
        sandbox.fail('tags.create', { retryAfter: 5, times: 100, chance: 0.25, acted: true });
      for (const view of ['faults', 'connect']) {
        await page.goto(`${page.url().split('#')[0]}#/${view}`);
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
      }
      const button = page.getByRole('button', { name: 'Switch off' }).last();
      await goTo(page, 'Faults');
      await button.click();
      await vi.waitFor(() => expect(sandbox.faults()).toHaveLength(faults - 1), waitMs);
    },
    { viewport: { width: 390, height: 844 }, isMobile: true },
  ),
);

const looks = [390, 1280].flatMap(width =>
  (['light', 'dark'] as const).map(colorScheme => ({ width, colorScheme })),
);

test.each(looks)(
  'the page fits, and axe reports nothing serious, at $width px in $colorScheme',
  ({ width, colorScheme }) =>
    show(
      async (page, sandbox) => {
        await rest(sandbox, 'POST /list', { name: 'x'.repeat(200) });
        await rest(sandbox, 'POST /tag', { name: 'vip' });
        sandbox.fail('tags.create', { times: 1 });
        await rest(sandbox, 'POST /tag', { name: 'vip' });
        const { id } = sandbox.state.contacts.all[0] ?? {};
        const records = ['data', `data/contacts/${id}`, 'data/lists', 'data/domains'];
        for (const place of ['requests', 'requests/2', ...records, 'faults', 'connect']) {
          await page.goto(`${page.url().split('#')[0]}#/${place}`);
          await page.locator('main:not([hidden])').waitFor();
          await page.waitForFunction(() => document.querySelectorAll('main:not([hidden]) *').length > 5);
          expect(await seriousProblems(page), place).toEqual([]);
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        }
      },
      { viewport: { width, height: 844 }, colorScheme },
    ),
);

/** Returns the problems that axe reports as serious or critical. */
async function seriousProblems(page: Page): Promise<string[]> {
  // Evaluated by the browser, because the page's content security policy allows no other script.
  await page.evaluate(axe.source);
  const found = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' ')}`.slice(0, 300));
}

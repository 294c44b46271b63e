import type { Browser, Page } from 'playwright';
import { afterAll, test as base, beforeAll, expect, vi } from 'vitest';
import { createSandbox, type Sandbox, type SandboxServer } from '../../../src/testing/index.ts';
import { openChromium } from '../../support/chromium.ts';
import { chromium, skipsWithout } from '../../support/programs.ts';
import { legacy, rest } from '../http.ts';

vi.setConfig({ testTimeout: 90_000 });

const test = base.skipIf(skipsWithout(chromium));

let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
}, 300_000);
afterAll(() => browser?.close());

async function show(
  use: (page: Page, sandbox: Sandbox, server: SandboxServer) => Promise<void>,
  options: Parameters<Browser['newPage']>[0] = {},
) {
  const sandbox = createSandbox({ seed: { contacts: 200, lists: [{ name: 'All contacts', system: true }] } });
  await using server = await sandbox.listen();
  const page = await browser.newPage(options);
  const problems: string[] = [];
  page.on('pageerror', error => problems.push(error.message));
  page.on('console', message => message.type() === 'error' && problems.push(message.text()));
  await page.goto(server.url);
  await page.getByText('person200@example.com').waitFor();
  await use(page, sandbox, server);
  expect(problems).toEqual([]);
  await page.close();
}

test('contacts, lists, tags, events and requests appear as they come', () =>
  show(async (page, sandbox) => {
    await legacy(sandbox, 'POST /contact/identify', { email: 'ada@x.test', firstName: 'Ada', tags: ['vip'] });
    await rest(sandbox, 'POST /events/custom', {
      name: 'bought',
      identifier: 'ada@x.test',
      data: { plan: 'pro' },
    });
    await rest(sandbox, 'POST /list', { name: 'Newsletter' });
    await page.locator('#contacts').getByText('ada@x.test').waitFor();
    await page.locator('#tags').getByText('vip').waitFor();
    await page.locator('#events').getByText('bought').waitFor();
    await page.locator('#lists').getByText('Newsletter').waitFor();
    await page.locator('#requests').getByText('POST /api/v1/rest/list').waitFor();
    expect(await page.locator('#contacts-count').textContent()).toBe('201');
    expect(await page.locator('#requests-count').textContent()).toBe('3');
  }));

test('contacts are searched', () =>
  show(async page => {
    await page.getByLabel('Search').fill('PERSON1@');
    await page.locator('#contacts').getByText('person1@example.com').waitFor();
    expect(await page.locator('#contacts > div').count()).toBe(1);
  }));

test('faults are switched on and off', () =>
  show(async (page, sandbox) => {
    await page.getByLabel('Operation').selectOption('GET /sender');
    await page.getByLabel('Status').fill('502');
    await page.getByLabel('Times').fill('3');
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.locator('#faults').getByText('fail GET /sender').waitFor();
    expect(sandbox.faults()).toMatchObject([
      { operation: 'GET /sender', kind: 'fail', status: 502, times: 3 },
    ]);
    expect((await rest(sandbox, 'GET /sender')).status).toBe(502);
    await page.locator('#faults').getByText('1 hit').waitFor();
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.locator('#faults').getByText('none').waitFor();
    expect((await rest(sandbox, 'GET /sender')).status).toBe(200);
  }));

test('every kind of fault can be switched on', () =>
  show(async (page, sandbox) => {
    for (const kind of ['fail', 'stall', 'drop', 'latency', 'rateLimit']) {
      await page.locator('[name=kind]').selectOption(kind);
      await page.getByRole('button', { name: 'Switch on' }).click();
      await page.locator('#faults').getByText(`${kind} *`).waitFor();
    }
    expect(sandbox.faults().map(fault => fault.kind)).toEqual([
      'fail',
      'stall',
      'drop',
      'latency',
      'rateLimit',
    ]);
  }));

test('reset goes back to the seed', () =>
  show(async (page, sandbox) => {
    await rest(sandbox, 'POST /tag', { name: 'vip' });
    await page.locator('#tags').getByText('vip').waitFor();
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.locator('#tags').getByText('none').waitFor();
    expect(sandbox.state.tags.size).toBe(0);
  }));

test('records are shown as text, never run', () =>
  show(async (page, sandbox) => {
    const name = '<img src=x onerror="document.title=1">';
    await rest(sandbox, 'POST /tag', { name });
    await page.locator('#tags').getByText(name).waitFor();
    expect(await page.title()).toBe('Email marketing sandbox');
    expect(await page.locator('#tags img').count()).toBe(0);
  }));

test('it says when the sandbox is gone', async () => {
  const server = await createSandbox().listen();
  const page = await browser.newPage();
  await page.goto(server.url);
  await page.getByText('live', { exact: true }).waitFor();
  await server.close();
  await page.getByText('the sandbox does not answer').waitFor();
  await page.close();
});

test('fits a phone', () =>
  show(
    async (page, sandbox) => {
      await rest(sandbox, 'POST /list', { name: 'x'.repeat(200) });
      await page.locator('#lists').getByText('xxx').waitFor();
      const widths = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0);
      const size = await page.evaluate(() => Number.parseFloat(getComputedStyle(document.body).fontSize));
      expect(size).toBeGreaterThanOrEqual(14);
    },
    { viewport: { width: 360, height: 740 }, isMobile: true },
  ));

test.each(['light', 'dark'] as const)('is readable in %s: text and ground differ enough', colorScheme =>
  show(
    async page => {
      for (const place of ['body', '.rows small', '#state', '.rows b']) {
        const contrast = await page.locator(place).first().evaluate(contrastWithin);
        expect(contrast, place).toBeGreaterThanOrEqual(4.5);
      }
    },
    { colorScheme },
  ),
);

/** The contrast of an element's text with the first ground behind it, as WCAG 2 has it; runs in the page. */
function contrastWithin(element: Element): number {
  const parts = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const light = (color: string) => {
    const [red = 0, green = 0, blue = 0] = parts(color).map(part =>
      part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  let ground: Element | null = element;
  while (ground?.parentElement && parts(getComputedStyle(ground).backgroundColor)[3] === 0)
    ground = ground.parentElement;
  const lights = [getComputedStyle(element).color, getComputedStyle(ground ?? element).backgroundColor].map(
    light,
  );
  return (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05);
}

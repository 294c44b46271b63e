import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { examples } from '../../docs/.vitepress/playground/examples.ts';
import { referencePages } from '../../docs/.vitepress/reference-pages.ts';
import { axeFindings, openChromium } from '../support/chromium.ts';
import { chromium, skipsWithout } from '../support/programs.ts';
import { buildSite } from './built-site.ts';
import { printsOf } from './extract.ts';

const buildLimitMs = 300_000;

let site: ReturnType<typeof buildSite>;

beforeAll(() => {
  site = buildSite();
}, buildLimitMs);

afterAll(() => site?.remove());

const read = (page: string) => readFileSync(join(site.folder, page), 'utf8');

test('the site is built without a warning', () => {
  expect(site.output).not.toMatch(/\[(warning|error)\]|dead link/);
  expect(site.status).toBe(0);
});

test('the reference has a page for each group of exports, with parameters and results', () => {
  const groups = globSync('reference/*.html', { cwd: site.folder }).map(file => basename(file, '.html'));
  const named = referencePages.map(([title]) => title.replaceAll(' ', '-'));
  expect(groups.sort()).toEqual(['email-marketing-client', 'index', ...named].sort());
  const main = read('reference/email-marketing-client.html');
  expect(main).toContain('id="emailmarketingclient"');
  expect(main).not.toContain('NoInfer');
  expect(read('reference/Sandbox-options.html')).not.toMatch(/ambiguityRules|Default value/);
  expect(read('reference/Lists-and-tags.html')).toContain('Id of the tag, with or without its prefix');
  expect(read('reference/Lists-and-tags.html')).toContain('Options.html#calloptions');
  expect(read('reference/Errors.html')).toContain('id="outcome"');
  expect(read('reference/Errors.html')).toMatch(/taken effect\.<br>• <code[^>]*>not-sent/);
});

/** Words for which readers search, and the guide that must be the first result. */
const firstResults = {
  playwright: 'testing',
  outcome: 'errors',
  identify: 'api',
  unsubscribe: 'tasks',
  webhook: 'api',
  pagination: 'pagination',
  retry: 'retries',
  csv: 'import-step-by-step',
  throttle: 'retries',
  express: 'frameworks',
};

describe.skipIf(skipsWithout(chromium))('in a browser', () => {
  let server: PreviewServer;
  let url: string;
  let browser: Browser;

  beforeAll(async () => {
    const settings = { host: '127.0.0.1' };
    const folders = { root: site.folder, build: { outDir: site.folder } };
    server = await preview({ ...folders, configFile: false, appType: 'mpa', preview: settings });
    url = server.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? '';
    browser = await openChromium();
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** Opens a page of the site, and closes it after the test. */
  async function open(address: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await browser.newPage(options);
    onTestFinished(() => page.close());
    await page.goto(url + address, { waitUntil: 'networkidle' });
    // The theme names its switch once the page's script runs.
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLElement>('.VPSwitchAppearance')].every(({ title }) => title),
    );
    return page;
  }

  test('the search box shows the right guide first', async () => {
    const page = await open('/');
    await page.getByRole('button', { name: 'Search' }).click();
    const first = page.locator('.VPLocalSearchBox .result').first();
    for (const [word, guide] of Object.entries(firstResults)) {
      await page.getByRole('searchbox').fill(word);
      await expect
        .poll(() => first.getAttribute('href'), { timeout: 20_000 })
        .toMatch(new RegExp(`^/${guide}`));
    }
  });

  describe('the playground', () => {
    /** Runs the program of the page, and waits for its end. */
    async function runIn(page: Page, address: string, fault?: string): Promise<void> {
      await page.goto(url + address);
      if (fault) await page.getByRole('combobox', { name: /^Faults/ }).selectOption(fault);
      await page.getByRole('button', { name: 'Run' }).click();
      await page.locator('.playground:is([data-state=done], [data-state=failed])').waitFor();
    }

    test('runs every example, which prints what its guide says', async () => {
      const page = await open('/playground.html');
      const failed: string[] = [];
      for (const { id, code } of examples) {
        await runIn(page, `/playground.html?example=${id}`);
        const printed = (await page.locator('.playground .output').innerText()).split('\n');
        const missing = printsOf(code).filter(line => !printed.includes(line));
        const state = await page.locator('.playground').getAttribute('data-state');
        if (state !== 'done' || missing.length > 0) failed.push(`${id}: ${printed.join(' ')}`);
      }
      expect(examples.length).toBeGreaterThan(20);
      expect(failed).toEqual([]);
    }, 300_000);

    test('shows the requests, and applies the selected fault to them', async () => {
      const page = await open('/playground.html');
      const example = examples.find(({ code }) => code.includes('contacts.list({ limit: 3 })'));
      await runIn(page, `/playground.html?example=${example?.id}`, 'The first two requests get 503');
      const requests = await page.locator('.playground summary').allInnerTexts();
      expect(requests.slice(0, 3)).toEqual([
        expect.stringContaining('503'),
        expect.stringContaining('503'),
        'GET /api/v1/rest/contact?limit=3 200',
      ]);
    });
  });

  describe.each(['light', 'dark'] as const)('in %s mode', colorScheme => {
    describe.each([390, 1280])('at a width of %i pixels', width => {
      test.each(['/', '/playground', '/errors', '/reference/email-marketing-client/proxy'])(
        'axe finds nothing in %s',
        async path => {
          const page = await open(path, { colorScheme, viewport: { width, height: 800 } });
          expect(await axeFindings(page)).toEqual([]);
        },
      );
    });
  });
});

import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import MiniSearch from 'minisearch';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { examples } from '../../docs/.vitepress/playground/examples.ts';
import { referencePages } from '../../docs/.vitepress/reference-pages.ts';
import { searchOptions } from '../../docs/.vitepress/search.ts';
import { axeFindings, openChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { chromium, skipsWithout } from '../support/programs.ts';
import { buildSite, fileAt, serveFolder } from './built-site.ts';
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

test('the site is smaller than 10 MB', () => {
  const files = globSync('**/*', { cwd: site.folder }).map(file => statSync(join(site.folder, file)));
  expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(10_000_000);
});

test('every link and anchor of the site leads to a page that exists', () => {
  const files = globSync('**/*.html', { cwd: site.folder });
  const text = new Map(files.map(page => [join(site.folder, page), read(page)]));
  const broken: string[] = [];
  for (const page of files)
    for (const [, link = ''] of read(page).matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (/^(https?|data|mailto):/.test(link)) continue;
      const [address = '', anchor = ''] = decodeURIComponent(link.replaceAll('&amp;', '&')).split('#');
      const path = address.replace(/\?.*$/, '');
      const from = path.startsWith('/') ? site.folder : join(site.folder, dirname(page));
      const target = fileAt(path === '' ? join(site.folder, page) : join(from, path));
      const hasAnchor = anchor === '' || (text.get(target ?? '')?.includes(`id="${anchor}"`) ?? true);
      if (!target || !hasAnchor) broken.push(`${link} in ${page}`);
    }
  expect(files.length).toBeGreaterThan(20);
  expect(broken).toEqual([]);
});

test('every link of llms.txt leads to a page or a file of the site', () => {
  const links = [...read('llms.txt').matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(15);
  expect(links.filter(link => !existsSync(join(site.folder, link)))).toEqual([]);
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

/** Searches of readers, by the guide that they want. */
const questions = {
  'getting-started': 'install, tutorial, typescript, commonjs, axios',
  api: 'identify, webhook, webhooks, add to list, clear field, webhook, sort contacts, double opt-in, send email, segment, count contacts',
  tasks:
    'cron, upsert, unsubscribe, GDPR, delete contact, custom fields, find by email, duplicate contacts, double opt-in',
  pagination: 'pagination, cursor, resume, iterate, progress',
  bulk: 'batch, queue, parallel',
  errors: 'outcome, what does outcome unknown mean, 502, duplicate, exception, 404',
  retries:
    'retry, idempotency, timeout, how to set a timeout, cancel, abort, rate limit, 429, backoff, throttle, concurrency, idempotency key',
  'any-endpoint': 'zod schema, undocumented endpoint',
  configuration: 'dotenv, access token, env, corporate proxy, team id',
  browser: 'browser, proxy cors, cors error, csrf, react, double click, preferences',
  commands:
    'CSV, import, excel, semicolon, mailchimp, hubspot, dry run, encoding, utf-8, delimiter, kill, google contacts',
  frameworks: 'Lambda, Next.js, nextjs, vercel, express, cloudflare, koa, hapi',
  logging: 'pino, metrics, tracing, sentry, postman',
  SECURITY: 'secrets, vulnerability, key rotation, dkim',
  runtimes: 'node 20, deno, webpack, bundle size',
  testing:
    'playwright, how to test with playwright, cypress, pytest, test, mock, jest, fake timers, test a wrong key',
  sandbox: 'simulate failure, simulate 500 error, seed, faults',
  service: 'specification, ambiguities',
};

/** What readers search for by one word, and the guide that must come first. */
const firstResults = {
  playwright: 'testing',
  outcome: 'errors',
  identify: 'api',
  unsubscribe: 'tasks',
  webhook: 'api',
  pagination: 'pagination',
  retry: 'retries',
  csv: 'commands',
  throttle: 'retries',
  express: 'frameworks',
};

describe('the search', () => {
  let index: MiniSearch;

  beforeAll(async () => {
    const [file = ''] = globSync('assets/chunks/@localSearchIndexroot.*.js', { cwd: site.folder });
    const { default: json } = await import(/* @vite-ignore */ pathToFileURL(join(site.folder, file)).href);
    const fields = ['title', 'titles', 'text'];
    index = MiniSearch.loadJSON(json, { fields, storeFields: ['title', 'titles'], searchOptions });
  });

  /** Returns the first pages that the search finds. */
  const found = (question: string, count: number) =>
    index
      .search(question)
      .slice(0, count)
      .map(({ id }) => id.replace(/^\/|\.html.*$/g, ''));

  test.each(Object.entries(questions))(
    '%s is among the first three results for its questions',
    (guide, asked) => {
      expect(asked.split(', ').filter(question => !found(question, 3).includes(guide))).toEqual([]);
    },
  );

  test.each(Object.entries(firstResults))('%s finds %s first', (word, guide) => {
    expect(found(word, 1)).toEqual([guide]);
  });

  test.each(['identify', 'createSandbox', 'ConflictError'])('%s finds its page of the reference', name => {
    expect(found(name, 20)).toContainEqual(expect.stringMatching(/^reference\//));
  });
});

describe.skipIf(skipsWithout(chromium))('in a browser', () => {
  let served: Awaited<ReturnType<typeof serveFolder>>;
  let browser: Browser;

  beforeAll(async () => {
    served = await serveFolder(site.folder);
    browser = await openChromium();
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    served?.close();
  });

  const phone = { viewport: { width: 390, height: 800 } };

  /** Opens a page of the site, and closes it after the test. */
  async function open(address: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await browser.newPage(options);
    onTestFinished(() => page.close());
    await page.goto(served.url + address, { waitUntil: 'networkidle' });
    // The theme names its switch once the page's script runs.
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLElement>('.VPSwitchAppearance')].every(({ title }) => title),
    );
    return page;
  }

  test('the search box shows a guide for a question', async () => {
    const page = await open('/');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('pagination');
    const first = page.locator('.VPLocalSearchBox .result').first();
    await first.waitFor();
    expect(await first.getAttribute('href')).toMatch(/^\/pagination/);
  });

  test.each([390, 1280])(
    'at %i pixels each page fits, none is too long, and no code in a table breaks within a word',
    async width => {
      const page = await open('/', { viewport: { width, height: 800 } });
      const problems: string[] = [];
      for (const file of globSync('**/*.html', { cwd: site.folder })) {
        await page.goto(`${served.url}/${file}`);
        const { scrollWidth, scrollHeight } = await page.evaluate(() => {
          const { scrollWidth, scrollHeight } = document.documentElement;
          return { scrollWidth, scrollHeight };
        });
        if (scrollWidth > width) problems.push(`${file} is ${scrollWidth} pixels wide`);
        if (file.startsWith('reference/') && scrollHeight > 20_000)
          problems.push(`${file} is ${scrollHeight} pixels long`);
        problems.push(...(await page.evaluate(brokenCode)).map(text => `${file}: ${text}`));
      }
      expect(problems).toEqual([]);
    },
    buildLimitMs,
  );

  test.each(['Sandbox-requests', 'Contacts'])(
    'the sidebar shows the open page %s of the reference',
    async name => {
      const page = await open(`/reference/${name}.html`, { viewport: { width: 1280, height: 800 } });
      const isShown = () =>
        page.locator('.VPSidebarItem.is-active > .item').evaluate(item => {
          const { top, bottom } = item.getBoundingClientRect();
          return top > 0 && bottom <= innerHeight;
        });
      await eventually(async () => expect(await isShown()).toBe(true));
      expect(await page.evaluate(() => [scrollX, scrollY])).toEqual([0, 0]);
    },
  );

  describe('the playground', () => {
    /** Runs the program of the page, and waits for its end. */
    async function runIn(page: Page, address: string, fault?: string): Promise<void> {
      await page.goto(served.url + address);
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

    test('names the line of a syntax error, and reports the failure', async () => {
      const page = await open('/playground.html');
      await page.locator('.cm-content').fill('const one = 1;\nconst two = ;\n');
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('Failed.').waitFor();
      expect(await page.locator('.playground .output').innerText()).toMatch(/^Line 2, column 1\d: /);
    });

    test('names the line of an error at run time, and prints tables', async () => {
      const page = await open('/playground.html');
      const program = [
        "import { increment } from 'email-marketing-client';",
        "console.table([{ name: 'ada', visits: 3 }]);",
        'increment(-5);',
      ];
      await page.locator('.cm-content').fill(program.join('\n'));
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('Failed.').waitFor();
      const output = await page.locator('.playground .output').innerText();
      expect(output).toMatch(/^ *name +visits\n0 +ada +3\nLine 3, column \d+: /);
    });

    test('shows the requests, to which it applies the selected fault', async () => {
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

    test.each(['index', 'getting-started'])(
      'is opened by an example of the page %s, and loaded on no other page',
      async name => {
        const page = await open('/404.html');
        const loaded: string[] = [];
        page.on('request', request => loaded.push(request.url()));
        await page.goto(`${served.url}/${name}.html`, { waitUntil: 'networkidle' });
        expect(loaded.filter(url => /play-ground|worker/.test(url))).toEqual([]);
        await page.getByRole('link', { name: 'Open in playground' }).first().click();
        await page.locator('.cm-content').waitFor();
        expect(await page.locator('.cm-content').innerText()).toContain('import { EmailMarketingClient }');
        expect(loaded.some(url => url.includes('play-ground'))).toBe(true);
      },
    );
  });

  describe.each(['light', 'dark'] as const)('in %s mode', colorScheme => {
    describe.each([390, 1280])('at a width of %i pixels', width => {
      test.each([
        '/',
        '/errors',
        '/browser',
        '/runtimes',
        '/playground',
        '/changelog',
        '/404.html',
        '/reference/email-marketing-client/proxy',
      ])('axe finds nothing in %s', async path => {
        const page = await open(path, { colorScheme, viewport: { width, height: 800 } });
        expect(await axeFindings(page)).toEqual([]);
      });
    });
  });

  test('the page of a wrong address has a search box', async () => {
    const page = await open('/404.html', phone);
    await page.locator('.not-found').getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('retry');
    await page.locator('.VPLocalSearchBox .result').first().waitFor();
  });
});

/** Returns the code in tables of which a word stands on two lines; code may break at spaces. Runs in the page. */
function brokenCode(): string[] {
  return [...document.querySelectorAll('.vp-doc :is(td, th) code')].flatMap(({ firstChild }) => {
    const text = firstChild?.textContent ?? '';
    return [...text.matchAll(/[\w$.]+/g)]
      .filter(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(firstChild as Node, index);
        range.setEnd(firstChild as Node, index + word.length);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
      })
      .map(([word]) => word);
  });
}

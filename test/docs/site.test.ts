import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from './collect.ts';

const site = mkdtempSync(join(tmpdir(), 'site-'));
let built: ReturnType<typeof spawnSync>;

beforeAll(() => {
  const typedoc = `${root}node_modules/typedoc/bin/typedoc`;
  built = spawnSync(process.execPath, [typedoc, '--options', 'docs/typedoc.config.js', '--out', site], {
    cwd: root,
    encoding: 'utf8',
  });
}, 120_000);

afterAll(() => rmSync(site, { recursive: true, force: true }));

test('the site is built without a warning', () => {
  expect(`${built.stdout}${built.stderr}`).not.toMatch(/\[(warning|error)\]/);
  expect(built.status).toBe(0);
});

test('every link and anchor of the site leads to a page that exists', () => {
  const pages = globSync('**/*.html', { cwd: site });
  const text = new Map(pages.map(page => [join(site, page), readFileSync(join(site, page), 'utf8')]));
  const broken: string[] = [];
  for (const page of pages)
    for (const [, link = ''] of (text.get(join(site, page)) ?? '').matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (/^(https?|data|mailto):/.test(link)) continue;
      const [path = '', anchor] = decodeURIComponent(link).split('#');
      const target = path === '' ? join(site, page) : join(site, dirname(page), path);
      const here =
        anchor && text.has(target) ? text.get(target)?.includes(`id="${anchor}"`) : existsSync(target);
      if (!here) broken.push(`${link} in ${page}`);
    }
  expect(pages.length).toBeGreaterThan(80);
  expect(broken).toEqual([]);
});

test('search finds guides and methods', () => {
  const packed = /"(.+)"/.exec(readFileSync(join(site, 'assets/search.js'), 'utf8'))?.[1] ?? '';
  const { rows } = JSON.parse(inflateSync(Buffer.from(packed, 'base64')).toString());
  const names = rows.map((row: { name: string }) => row.name);
  expect(names).toEqual(expect.arrayContaining(['Getting started', 'identify', 'createSandbox']));
});

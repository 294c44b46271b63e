import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig } from 'vitepress';
import { linkExamples } from './example-links.ts';
import { maintainersFiles } from './guides.ts';
import { addOpenButtons } from './playground/open-button.ts';
import { markReferenceTables } from './reference-tables.ts';
import { renderForSearch, searchOptions } from './search.ts';
import { sidebar } from './sidebar.ts';
import { slugify } from './slugify.ts';
import { keepShortCodeWhole } from './whole-code.ts';

const docs = join(import.meta.dirname, '..');

/** Files that guides and llms.txt link to and VitePress does not copy. */
const downloads = ['openapi.json', '../AGENTS.md'];

/** More than the index of the search has; it is loaded when the search opens. */
const searchIndexKilobytes = 1000;

const { version } = JSON.parse(readFileSync(join(docs, '../package.json'), 'utf8'));

const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;

/** Address of the repository, which only GitHub sets. */
const repository = server && name ? `${server}/${name}` : undefined;

/** Path of the site on its host, with a slash at both ends. */
const base = `/${process.env.DOCS_BASE ?? ''}/`.replace(/\/+/g, '/');

/** The built package, which the playground runs. */
const builtPackage = { 'email-marketing-client/testing': 'testing.js', 'email-marketing-client': 'index.js' };
const alias = Object.entries(builtPackage).map(([name, file]) => ({
  find: name,
  replacement: join(docs, '../dist', file),
}));

export default defineConfig({
  title: 'email-marketing-client',
  description:
    'An unofficial TypeScript client for the Email Marketing Service API v1, with a sandbox that simulates the whole service.',
  lang: 'en',
  base,
  cleanUrls: false,
  srcExclude: [...maintainersFiles],
  head: [
    ['meta', { name: 'color-scheme', content: 'light dark' }],
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}favicon.svg` }],
  ],
  markdown: {
    anchor: { slugify },
    config(renderer) {
      renderer.use(addOpenButtons(base)).use(markReferenceTables).use(keepShortCodeWhole);
      renderer.use(linkExamples(repository));
    },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  vite: {
    build: { chunkSizeWarningLimit: searchIndexKilobytes },
    resolve: { alias },
    worker: { format: 'es' },
  },
  themeConfig: {
    logo: '/favicon.svg',
    nav: [
      { text: 'Getting started', link: '/getting-started' },
      { text: 'Playground', link: '/playground' },
      { text: 'Reference', link: '/reference/', activeMatch: '/reference/' },
      { text: version, items: [{ text: 'Changelog', link: '/changelog' }] },
    ],
    ...(repository && { socialLinks: [{ icon: 'github', link: repository }] }),
    footer: { message: `email-marketing-client ${version}, released under the MIT License` },
    sidebar,
    outline: { level: [2, 3] },
    search: { provider: 'local', options: { _render: renderForSearch, miniSearch: { searchOptions } } },
  },
  buildEnd({ outDir }) {
    for (const file of downloads) cpSync(join(docs, file), join(outDir, basename(file)));
    const guides = readFileSync(join(docs, 'llms.txt'), 'utf8');
    const links = guides.replaceAll('](../', '](').replaceAll(/(?<!AGENTS)\.md\)/g, '.html)');
    writeFileSync(join(outDir, 'llms.txt'), links);
  },
});

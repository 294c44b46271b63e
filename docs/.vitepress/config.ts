import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { searchOptions } from './search.ts';
import { sidebar } from './sidebar.ts';
import { slugify } from './slugify.ts';

const docs = join(import.meta.dirname, '..');

/** Files that guides link to and VitePress does not copy. */
const downloads = ['openapi.json', 'llms.txt'];

/** More than the index of the search has; it is loaded when the search opens. */
const searchIndexKilobytes = 1000;

export default defineConfig({
  title: 'email-marketing-client',
  description: 'A TypeScript client for an email marketing service, with a sandbox of the whole service.',
  lang: 'en',
  // The path of the site on its host.
  base: (process.env.DOCS_BASE as `/${string}/` | undefined) ?? '/',
  cleanUrls: false,
  head: [['meta', { name: 'color-scheme', content: 'light dark' }]],
  markdown: {
    anchor: { slugify },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  vite: { build: { chunkSizeWarningLimit: searchIndexKilobytes } },
  themeConfig: {
    nav: [
      { text: 'Getting started', link: '/getting-started' },
      { text: 'Reference', link: '/reference/', activeMatch: '/reference/' },
    ],
    sidebar,
    outline: { level: [2, 3] },
    search: { provider: 'local', options: { miniSearch: { searchOptions } } },
  },
  buildEnd({ outDir }) {
    for (const file of downloads) cpSync(join(docs, file), join(outDir, file));
  },
});

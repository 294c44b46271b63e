import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { guideGroups } from './guides.ts';

const docs = join(import.meta.dirname, '..');
const generated = join(docs, 'reference/typedoc-sidebar.json');

/** Every export, by entry point, as typedoc lists them before the pages are built. */
const reference = (): DefaultTheme.SidebarItem[] =>
  existsSync(generated) ? JSON.parse(readFileSync(generated, 'utf8')).map(collapseLinksOnly) : [];

/** Leaves open what is no link: VitePress draws a closed heading as a button in a button, which axe finds serious. */
function collapseLinksOnly({
  items,
  collapsed,
  ...item
}: DefaultTheme.SidebarItem): DefaultTheme.SidebarItem {
  if (!items) return item;
  return { ...item, ...(item.link && { collapsed }), items: items.map(collapseLinksOnly) };
}

/** The groups of guides. The last one holds the reference of every entry point too. */
const groups = guideGroups.map(({ title, guides }) => ({
  text: title,
  items: guides
    .filter(({ file }) => existsSync(join(docs, file)))
    .map(guide => ({ text: guide.title, link: `/${guide.file.replace(/\.md$/, '')}` })),
}));

/** The sidebar: the guides on every page, and the list of all exports on pages of the reference. */
export const sidebar: DefaultTheme.Sidebar = {
  '/reference/': [
    { text: 'Guides', link: '/getting-started' },
    { text: 'Reference', items: reference() },
  ],
  '/': [...groups, { text: 'API reference', link: '/reference/' }],
};

import type { DefaultTheme } from 'vitepress';
import { guideGroups } from './guides.ts';
import { referencePages } from './reference-pages.ts';

/** Paths of the entry points after the name of the package. */
const entries = ['', '/browser', '/proxy', '/testing', '/testing/msw', '/opentelemetry'];

/** The pages of the reference: one per entry point, with those that it is split into below it. */
const reference = entries.map(entry => {
  const module = `email-marketing-client${entry}`;
  const items = referencePages
    .filter(([, name]) => name === module)
    .map(([title]) => ({ text: title, link: `/reference/${title.replaceAll(' ', '-')}` }));
  return { text: module, link: `/reference/${module}`, ...(items.length > 0 && { items }) };
});

/** The guides in the order of reading. */
const guides = guideGroups.map(({ title, guides }) => ({
  text: title,
  items: guides.map(guide => ({ text: guide.title, link: `/${guide.file.replace(/\.md$/, '')}` })),
}));

/** The sidebar of a guide lists the guides, and that of the reference its pages. */
export const sidebar: DefaultTheme.SidebarMulti = {
  '/reference/': [{ text: 'Reference', link: '/reference/', items: reference }],
  '/': guides,
};

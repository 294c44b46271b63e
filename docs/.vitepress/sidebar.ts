import type { DefaultTheme } from 'vitepress';
import { guideGroups } from './guides.ts';

/** Paths of the entry points after the name of the package; the reference has one page for each. */
const entries = ['', '/browser', '/proxy', '/testing', '/testing/msw', '/opentelemetry'];

/** The sidebar of every page: the guides, then the pages of the reference. */
export const sidebar: DefaultTheme.SidebarItem[] = [
  ...guideGroups.map(({ title, guides }) => ({
    text: title,
    items: guides.map(guide => ({ text: guide.title, link: `/${guide.file.replace(/\.md$/, '')}` })),
  })),
  {
    text: 'Reference',
    items: entries.map(entry => ({
      text: `email-marketing-client${entry}`,
      link: `/reference/email-marketing-client${entry}`,
    })),
  },
];

import type { SearchOptions } from 'minisearch';
import type { MarkdownEnv } from 'vitepress';
import { guideGroups } from './guides.ts';

/** Weight of a result: a reader with a question wants a guide, before the reference, the rules and the changelog. */
// biome-ignore format: VitePress writes this function into the page as text.
const boostDocument = (id: string): number => (/reference\/|service-rules|changelog/.test(id) ? 0.2 : 1);

/** Words of seven or more letters also match with one typo. */
// biome-ignore format: the same.
const fuzzy = (term: string): number | false => (term.length > 6 ? 0.15 : false);

/** Words of a question that say nothing about its subject are left out. */
// biome-ignore format: the same.
const processTerm = (term: string): string | null => /^(?:a|an|the|how|do|does|i|my|me|we|you|your|it|to|is|are|can|be|what|why|where|when|which|there|of|in|on|for|from|by|with|and|or|all)$/i.test(term) ? null : term.toLowerCase();

/** Options of the search, in the page and in the test of its index. A page with more of the words comes first. */
export const searchOptions = {
  combineWith: 'OR',
  processTerm,
  fuzzy,
  prefix: true,
  boost: { title: 3, titles: 2, text: 1 },
  boostDocument,
} satisfies SearchOptions;

const synonyms = new Map(
  guideGroups.flatMap(({ guides }) => guides.map(({ file, synonyms }) => [file, synonyms])),
);

/** How often a synonym counts as if the guide said it. */
const synonymWeight = 6;

/** What renders a page. */
interface Renderer {
  render(source: string, env: MarkdownEnv): string;
}

/** Renders a page for the index: headings without their numbers, and the synonyms of a guide below its title. */
export function renderForSearch(source: string, env: MarkdownEnv, markdown: Renderer): string {
  const html = markdown.render(source, env).replace(/(<h2[^>]*>)\d+\. /g, '$1');
  const words = synonyms.get(env.relativePath);
  return words ? html.replace('</h1>', `</h1><p>${`${words} `.repeat(synonymWeight)}</p>`) : html;
}

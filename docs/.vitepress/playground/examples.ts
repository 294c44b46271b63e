import { readFileSync } from 'node:fs';
import { collectSnippets, root, type Snippet } from '../../../test/docs/collect.ts';
import { guideGroups } from '../guides.ts';

/** An example of a guide or of the home page that runs in a page. */
export interface Example {
  /** Its place in the guide, as `errors-6`. */
  readonly id: string;
  /** Title of its guide, or `Home page`. */
  readonly group: string;
  /** Heading above it, with a number from the second example below that heading on. */
  readonly title: string;
  /** A whole program. */
  readonly code: string;
}

const snippets = collectSnippets();

/** Titles of the home page and the guides by their files, in the order of the sidebar. */
const titles = new Map([
  ['index.md', 'Home page'],
  ...guideGroups.flatMap(({ guides }) => guides.map(({ file, title }): [string, string] => [file, title])),
]);

const fileOf = ({ place }: Snippet): string => /^docs\/(.+):\d+$/.exec(place)?.[1] ?? '';
const lineOf = ({ place }: Snippet): number => Number(/\d+$/.exec(place)?.[0]);

const runsInPage = (snippet: Snippet): boolean =>
  titles.has(fileOf(snippet)) &&
  /^(ts|js)$/.test(snippet.language) &&
  !snippet.setup &&
  !snippet.noRun &&
  !snippet.noCheck &&
  !snippet.file &&
  importsOf(snippet.program).every(name => /^email-marketing-client(\/testing)?$/.test(name)) &&
  !/\bprocess\b|\brequire\(|\.listen\(/.test(snippet.program);

const importsOf = (code: string): string[] =>
  [...code.matchAll(/(?:from|import\(?) *'([^']+)'/g)].map(([, name = '']) => name);

const exampleId = (snippet: Snippet): string => `${fileOf(snippet).replace(/\.md$/, '')}-${lineOf(snippet)}`;

/** Returns the id of the example that a block of a file is, if it runs in a page. */
export function idOfBlock(file: string, block: string): string | undefined {
  const shown = snippets.find(snippet => fileOf(snippet) === file && snippet.code === block.trimEnd());
  return shown && runsInPage(shown) ? exampleId(shown) : undefined;
}

/** Every example that runs in a page: that of the home page, then those of the guides in the order of the sidebar. */
export const examples: readonly Example[] = [...titles].flatMap(([file, group]) => {
  const perHeading = new Map<string, number>();
  return snippets
    .filter(snippet => fileOf(snippet) === file && runsInPage(snippet))
    .map(snippet => {
      const heading = file === 'index.md' ? 'The first program' : headingOf(file, lineOf(snippet));
      const count = (perHeading.get(heading) ?? 0) + 1;
      perHeading.set(heading, count);
      const title = count === 1 ? heading : `${heading} (${count})`;
      return { id: exampleId(snippet), group, title, code: snippet.program };
    });
});

/** Returns the last heading above a line of a guide. */
function headingOf(file: string, line: number): string {
  const above = readFileSync(`${root}docs/${file}`, 'utf8').split('\n').slice(0, line);
  const heading = above.findLast(text => /^#+ /.test(text)) ?? file;
  return heading.replace(/^#+ |`/g, '').replace(/^\d+\. /, '');
}

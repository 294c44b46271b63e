import { readFileSync } from 'node:fs';
import { collectSnippets, root, type Snippet } from '../../../test/docs/collect.ts';
import { guideGroups } from '../guides.ts';

/** An example of a guide that runs in a page. */
export interface Example {
  /** Its place in the guide, as `errors-6`. */
  readonly id: string;
  readonly title: string;
  readonly code: string;
}

const runsInPage = ({ place, language, code, noRun, noCheck, file }: Snippet): boolean =>
  /^docs\/[\w-]+\.md:/.test(place) &&
  /^(ts|js)$/.test(language) &&
  !noRun &&
  !noCheck &&
  !file &&
  importsOf(code).every(name => /^email-marketing-client(\/testing)?$/.test(name)) &&
  !/\bprocess\b|\brequire\(|\.listen\(|\bopenAsBlob\b/.test(code);

const importsOf = (code: string): string[] =>
  [...code.matchAll(/(?:from|import\(?) *'([^']+)'/g)].map(([, name = '']) => name);

/** Returns the id of an example by its guide and the line of its fence. */
export const exampleId = (file: string, line: number): string => `${file.replace(/\.md$/, '')}-${line}`;

const guideFiles = guideGroups.flatMap(({ guides }) => guides.map(({ file }) => `docs/${file}`));

/** Returns the place of a snippet's guide in the sidebar; the front page, which is not there, comes last. */
function orderOf({ place }: Snippet): number {
  const index = guideFiles.indexOf(place.replace(/:\d+$/, ''));
  return index < 0 ? guideFiles.length : index;
}

/** Every example of the guides that runs in a page, in the order of the sidebar. */
export const examples: readonly Example[] = collectSnippets()
  .filter(runsInPage)
  .sort((first, second) => orderOf(first) - orderOf(second))
  .map(({ place, code }) => {
    const [, file = '', line = ''] = /^docs\/(.+):(\d+)$/.exec(place) ?? [];
    return { id: exampleId(file, Number(line)), title: titleOf(file, Number(line)), code };
  });

/** Returns the title of a guide, and the last heading above a line. */
function titleOf(file: string, line: number): string {
  const above = readFileSync(`${root}docs/${file}`, 'utf8').split('\n').slice(0, line);
  const headings = above.filter(text => /^#+ /.test(text)).map(text => text.replace(/^#+ |`/g, ''));
  const [guide = file, ...sections] = headings;
  return [guide, ...sections.slice(-1)].join(': ');
}

// Finds the snippets in the documents and in doc comments.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { filesIn } from '../support/files.ts';

/** The repository, with a slash at its end. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** One fenced block of code in a document or a doc comment. */
export interface Snippet {
  /** File and line of its fence: `docs/errors.md:6`. */
  readonly place: string;
  readonly language: string;
  readonly code: string;
  /** Program that a reader runs: the code, after the `setup` of its page if the code imports nothing. */
  readonly program: string;
  /** `true` if blocks of the page that import nothing assume this code. From `setup` after the language. */
  readonly setup: boolean;
  /** Why it is not run. From `no-run: reason` after the language, or in a comment above. */
  readonly noRun?: string | undefined;
  /** Why it is not compiled. From `no-check: reason`. */
  readonly noCheck?: string | undefined;
  /** File that it shows unchanged. From `file=examples/one.ts`. */
  readonly file?: string | undefined;
}

/** Pages of the site only. Their links lead to its other pages. */
export const sitePages: readonly string[] = ['docs/changelog.md', 'docs/index.md', 'docs/playground.md'];

/** Documents with snippets. */
export const documents = (): string[] =>
  ['AGENTS.md', 'README.md', ...filesIn(root, 'docs/*.{md,txt}')]
    .filter(file => existsSync(root + file))
    .sort();

/** Every snippet of the documents and of the doc comments in `src`. */
export function collectSnippets(): Snippet[] {
  const sources = filesIn(root, 'src/**/*.ts');
  return [
    ...documents().flatMap(file => snippetsOf(file, readFileSync(root + file, 'utf8').split('\n'))),
    ...sources.flatMap(file => snippetsOf(file, commentLines(readFileSync(root + file, 'utf8')))),
  ];
}

/** Returns the lines of a source file, empty except for the text of doc comments. */
function commentLines(source: string): string[] {
  let inside = false;
  return source.split('\n').map(line => {
    inside = /^\s*\/\*\*/.test(line) || (inside && /^\s*\*(?!\/)/.test(line));
    return inside ? line.replace(/^\s*\*? ?/, '') : '';
  });
}

function snippetsOf(file: string, lines: readonly string[]): Snippet[] {
  const found: Snippet[] = [];
  let setup = '';
  for (let index = 0; index < lines.length; index++) {
    const fence = /^(\s*)```(\S+)\s*(.*)$/.exec(lines[index] ?? '');
    if (!fence) continue;
    const [, indent = '', language = '', ownInfo = ''] = fence;
    // In a doc comment, editors show what follows the language.
    const info = ownInfo || (/^\s*<!-- (.+) -->$/.exec(lines[index - 1] ?? '')?.[1] ?? '');
    const end = lines.findIndex((line, at) => at > index && line.trim() === '```');
    const body = lines.slice(index + 1, end).map(line => line.slice(indent.length));
    const code = body.join('\n');
    if (info === 'setup') setup = code;
    const program = setup && !importsSomething(code) ? `${setup}\n\n${code}` : code;
    found.push({ place: `${file}:${index + 1}`, language, code, program, ...readInfo(info) });
    index = end;
  }
  return found;
}

/** Returns `true` if a block has imports, and so is complete. */
const importsSomething = (code: string): boolean => /^import |\brequire\(/m.test(code);

const readInfo = (info: string) => ({
  setup: info === 'setup',
  noRun: /no-run: *(.+)/.exec(info)?.[1],
  noCheck: /no-check: *(.+)/.exec(info)?.[1],
  file: /file=(\S+)/.exec(info)?.[1],
});

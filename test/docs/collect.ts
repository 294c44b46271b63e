// Finds the snippets in the documents and in doc comments.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { filesIn } from '../support/files.ts';

/** The repository, with a slash at its end. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** One fenced block of code in a document or a doc comment. */
export interface Snippet {
  /** Where its fence opens, as `docs/errors.md:6`. */
  readonly place: string;
  readonly language: string;
  readonly code: string;
  /** What a reader runs: the code, after the lines that the page shows at its top if the code imports nothing. */
  readonly program: string;
  /** Whether these are the lines that a page shows once, for all blocks that import nothing. From `setup`. */
  readonly setup: boolean;
  /** Why it cannot run here; absent when it can. From `no-run: reason` after the language, or in a comment above. */
  readonly noRun?: string | undefined;
  /** Why it cannot even be compiled; absent when it can. From `no-check: reason`. */
  readonly noCheck?: string | undefined;
  /** The file that it shows, word for word. From `file=examples/one.ts`. */
  readonly file?: string | undefined;
}

/** Pages that only the site has: their links are those of its pages. */
export const sitePages: readonly string[] = ['docs/changelog.md', 'docs/index.md', 'docs/playground.md'];

/** Files whose prose holds snippets. */
export const documents = (): string[] =>
  ['README.md', ...filesIn(root, 'docs/*.{md,txt}')].filter(file => existsSync(root + file)).sort();

/** Every snippet of the documents and of the doc comments in `src`. */
export function collectSnippets(): Snippet[] {
  const sources = filesIn(root, 'src/**/*.ts');
  return [
    ...documents().flatMap(file => snippetsOf(file, readFileSync(root + file, 'utf8').split('\n'))),
    ...sources.flatMap(file => snippetsOf(file, commentLines(readFileSync(root + file, 'utf8')))),
  ];
}

/** A source file with nothing left but the text of its doc comments, on the same lines. */
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

/** Whether a block begins with lines of its own, and so is whole. */
export const importsSomething = (code: string): boolean => /^import |\brequire\(/m.test(code);

const readInfo = (info: string) => ({
  setup: info === 'setup',
  noRun: /no-run: *(.+)/.exec(info)?.[1],
  noCheck: /no-check: *(.+)/.exec(info)?.[1],
  file: /file=(\S+)/.exec(info)?.[1],
});

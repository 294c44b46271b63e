import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import * as main from 'email-marketing-client';
import * as testing from 'email-marketing-client/testing';
import { root, type Snippet } from './collect.ts';

/** Where snippets are written to be compiled and run: inside the package, so that they import it by its name. */
export const workFolder = `${root}test/docs/.snippets/`;

/** A snippet as a module of its own. */
export interface Extracted {
  readonly snippet: Snippet;
  readonly path: string;
  /** What its `console.log` lines print, where a comment behind them says it. */
  readonly prints: readonly string[];
}

/** Writes each snippet to a file, with the imports and the `client` that short ones leave out. */
export function extract(snippets: readonly Snippet[]): Extracted[] {
  rmSync(workFolder, { recursive: true, force: true });
  mkdirSync(workFolder, { recursive: true });
  return snippets.map(snippet => {
    const name = snippet.place.replace(/[^a-zA-Z0-9]+/g, '-');
    const path = `${workFolder}${name}.${extensionOf(snippet)}`;
    writeFileSync(path, `${prelude(snippet.code)}${snippet.code}\n`);
    return { snippet, path, prints: printsOf(snippet.code) };
  });
}

function extensionOf({ language, code }: Snippet): string {
  if (language === 'ts') return 'ts';
  return code.includes('require(') ? 'cjs' : 'mjs';
}

/** On one line, so that the compiler's line numbers stay the snippet's own. */
function prelude(code: string): string {
  if (code.includes('require(')) return '';
  const wantsClient = /\bclient\b/.test(code) && !/\b(const|let) client\b|\bclient[:,)]/.test(code);
  const imports = [
    imported(code + (wantsClient ? ' EmailMarketingClient' : ''), main, 'email-marketing-client'),
    imported(code, testing, 'email-marketing-client/testing'),
  ];
  return imports.join('') + (wantsClient ? 'const client = new EmailMarketingClient(); ' : '');
}

function imported(code: string, module: object, from: string): string {
  if (code.includes(`'${from}'`)) return '';
  const names = Object.keys(module).filter(name => new RegExp(`(?<![.\\w])${name}\\b`).test(code));
  return names.length > 0 ? `import { ${names.join(', ')} } from '${from}'; ` : '';
}

/** The comments behind `console.log(…);`, in order. */
export const printsOf = (code: string): string[] =>
  [...code.matchAll(/^[^/\n]*console\.log\(.*\);? *\/\/ *(.+)$/gm)].map(([, text = '']) => text.trim());

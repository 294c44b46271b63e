// Writes snippets to modules that can be compiled and run.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import * as main from 'email-marketing-client';
import * as testing from 'email-marketing-client/testing';
import { root, type Snippet } from './collect.ts';

/** Folder of the written snippets: inside the package, so that they can import it by its name. */
export const workFolder = `${root}test/docs/.snippets/`;

/** Writes each snippet to a file. Examples in doc comments get the imports and the `client` that they leave out. */
export function extract(snippets: readonly Snippet[]) {
  rmSync(workFolder, { recursive: true, force: true });
  mkdirSync(workFolder, { recursive: true });
  return snippets.map(snippet => {
    const name = snippet.place.replace(/[^a-zA-Z0-9]+/g, '-');
    const path = `${workFolder}${name}.${extensionOf(snippet)}`;
    const { place, program } = snippet;
    writeFileSync(path, `${place.startsWith('src/') ? prelude(program) : ''}${program}\n`);
    return { snippet, path, prints: printsOf(snippet.code) };
  });
}

function extensionOf({ language, code }: Snippet): string {
  if (language === 'ts') return 'ts';
  return code.includes('require(') ? 'cjs' : 'mjs';
}

/** Names that the package exports, by entry point. */
const exportedNames = {
  'email-marketing-client': Object.keys(main),
  'email-marketing-client/testing': Object.keys(testing),
};

/** Returns the imports and the `client` that a snippet leaves out, on one line. */
function prelude(code: string): string {
  if (code.includes('require(')) return '';
  const wantsClient = /\bclient\b/.test(code) && !/\b(const|let) client\b|\bclient[:,)]/.test(code);
  const imports = Object.entries(exportedNames).map(([module, names]) =>
    imported(wantsClient ? `${code} EmailMarketingClient` : code, module, names),
  );
  return imports.join('') + (wantsClient ? 'const client = new EmailMarketingClient(); ' : '');
}

function imported(code: string, module: string, exported: readonly string[]): string {
  if (code.includes(`'${module}'`)) return '';
  const names = exported.filter(name => new RegExp(`(?<![.\\w])${name}\\b`).test(code));
  return names.length > 0 ? `import { ${names.join(', ')} } from '${module}'; ` : '';
}

/** Returns the comments after `console.log(…);`, in order. */
export const printsOf = (code: string): string[] =>
  [...code.matchAll(/^[^/\n]*console\.log\(.*\);? *\/\/ *(.+)$/gm)].map(([, text = '']) => text.trim());

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows } from '../endpoints.ts';
import { filesIn } from '../support/files.ts';
import { collectSnippets, importsSomething, root, type Snippet } from './collect.ts';
import { extract, printsOf, workFolder } from './extract.ts';

interface Ran {
  readonly path: string;
  readonly printed: readonly string[];
  readonly failure?: string;
}

const snippets = collectSnippets();
/** The script of a page, as a reader moves it to a TypeScript file. */
function scriptOf({ code, ...page }: Snippet): Snippet[] {
  const [, script] = /<script type="module">\n([\s\S]*?)<\/script>/.exec(code) ?? [];
  if (!script) return [];
  const program = script.replace("'/client/browser.js'", "'email-marketing-client/browser'");
  return [{ ...page, code: script, program, language: 'ts', noRun: 'it needs its page' }];
}

const isCode = ({ language, noCheck, file }: Snippet) => /^(ts|js)$/.test(language) && !noCheck && !file;
const pageScripts = snippets.filter(({ language }) => language === 'html').flatMap(scriptOf);
const modules = extract([...snippets.filter(isCode), ...pageScripts]);
const runnable = modules.filter(({ snippet }) => !snippet.noRun);
const examples = filesIn(root, 'examples/*.{ts,mjs}');
const scripts = Object.keys(JSON.parse(readFileSync(`${root}package.json`, 'utf8')).scripts);

/** Examples that are commands, each with the test that runs it. */
const testedElsewhere: Readonly<Record<string, string>> = {
  'examples/bullmq-import.mjs': 'test/queues/bullmq-import.ts',
  'examples/export-contacts.mjs': 'test/examples/export-contacts.long.test.ts',
  'examples/sign-up.test.ts': 'test/vitest.config.ts',
  'examples/import-contacts.mjs': 'test/examples/import-contacts.long.test.ts',
};

const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable', 'esnext.disposable'],
  module: 'nodenext',
  moduleDetection: 'force',
  types: ['node'],
  allowJs: true,
  checkJs: true,
  skipLibCheck: true,
  noEmit: true,
};

let compiled: { readonly status: number | null; readonly stdout: string };
const ran = new Map<string, Ran>();

beforeAll(() => {
  writeFileSync(`${workFolder}tsconfig.json`, JSON.stringify({ compilerOptions, include: ['*'] }));
  const tsc = `${root}node_modules/@typescript/native/bin/tsc`;
  const args = [tsc, '-p', workFolder, '--pretty', 'false'];
  compiled = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const paths = [
    ...runnable.map(({ path }) => path),
    ...examples.filter(file => !testedElsewhere[file]).map(file => root + file),
  ];
  const output = execFileSync(process.execPath, [`${root}test/docs/run-snippets.ts`], {
    input: JSON.stringify(paths),
    encoding: 'utf8',
    cwd: root,
  });
  for (const line of output.trim().split('\n')) {
    const result: Ran = JSON.parse(line);
    ran.set(result.path, result);
  }
}, 600_000);

afterAll(() => rmSync(workFolder, { recursive: true, force: true }));

/** Expects that a module ran, and printed these lines in this order, possibly with others between them. */
function expectRan(path: string, prints: readonly string[]): void {
  const { failure, printed = [] } = ran.get(path) ?? { failure: 'it did not run' };
  expect(failure).toBeUndefined();
  let from = 0;
  for (const line of prints) {
    expect(printed.slice(from)).toContain(line);
    from = printed.indexOf(line, from) + 1;
  }
}

describe('snippets', () => {
  test('compile', () => {
    expect(compiled).toMatchObject({ status: 0, stdout: '' });
  });

  test('the script of a page is one of them', () => {
    expect(pageScripts.map(({ place }) => place)).toEqual([expect.stringContaining('docs/browser.md:')]);
  });

  test.each(runnable)('$snippet.place prints what its comments say', ({ path, prints }) => {
    expectRan(path, prints);
  });

  test('each block of a guide is complete, or its page has a `setup` at the top', () => {
    const incomplete = snippets.filter(
      ({ place, language, program, noCheck }) =>
        /^(ts|js)$/.test(language) && !place.startsWith('src/') && !noCheck && !importsSomething(program),
    );
    expect(incomplete.map(({ place }) => place)).toEqual([]);
    for (const { place } of snippets.filter(({ setup }) => setup)) {
      const [file = '', line] = place.split(':');
      const above = readFileSync(root + file, 'utf8')
        .split('\n')
        .slice(0, Number(line));
      expect(above.filter(text => text.startsWith('## '))).toEqual([]);
    }
  });
});

test.each(rows)('$name has an example in its doc comment', ({ name }) => {
  const call = `client.${name}(`;
  const file = name.replace(/\..*/, '').replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
  const isExample = ({ place, code }: Snippet) =>
    place.startsWith(`src/resources/${file}.ts:`) && code.includes(call);
  expect(snippets.some(isExample)).toBe(true);
});

test('snippets that show a file are identical with it', () => {
  for (const { place, code, file } of snippets)
    if (file) expect(code, place).toBe(readFileSync(`${root}${file}`, 'utf8').trimEnd());
});

describe('examples', () => {
  test.each(examples)('%s runs', file => {
    const elsewhere = testedElsewhere[file];
    if (elsewhere) expect(readFileSync(root + elsewhere, 'utf8')).toContain(file.slice('examples/'.length));
    else expectRan(root + file, printsOf(readFileSync(root + file, 'utf8')));
  });
});

test('commands in the documents exist', () => {
  for (const { place, code } of snippets.filter(({ language }) => language === 'sh'))
    for (const command of code.split(/\n| && | &\s/).map(text => text.trim()))
      expect(command === '' || command.startsWith('#') || isKnown(command), `${place}: ${command}`).toBe(
        true,
      );
});

/** Whether a command exists for readers: a script of the package, a file of the repository, or a common program. */
function isKnown(command: string): boolean {
  const [, script] = /^npm run ([\w:]+)/.exec(command) ?? [];
  if (script) return scripts.includes(script);
  const [, file] = /^(?:[A-Z_]+=\S+ )*node (?:--\S+ )*(\S+)/.exec(command) ?? [];
  if (file) return /^(examples|test)\//.test(file) ? existsSync(root + file) : /^[\w-]+\.m?[jt]s$/.test(file);
  return /^(npm (ci|test|install|i|init|pack|pkg|version|publish)|npx email-marketing-client|gunzip -c \S+ \| npx email-marketing-client|export [A-Z_]+=|git |mkdir |cd |curl )/.test(
    command,
  );
}

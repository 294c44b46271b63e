import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows } from '../endpoints.ts';
import { filesIn } from '../support/files.ts';
import { collectSnippets, documents, root, type Snippet } from './collect.ts';
import { extract, printsOf, workFolder } from './extract.ts';

interface Ran {
  readonly path: string;
  readonly printed: readonly string[];
  readonly failure?: string;
}

const snippets = collectSnippets();
/** The script of a page, as a module of TypeScript. */
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

/** Expects that a module ran, and printed these lines in this order. Other lines may be between them. */
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

  test.each(runnable)('$snippet.place prints what its comments say', ({ path, prints }) => {
    expectRan(path, prints);
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

test.each(documents())('the scripts that %s names exist', file => {
  for (const [, script] of readFileSync(root + file, 'utf8').matchAll(/\bnpm run ([\w:-]+)/g))
    expect(scripts).toContain(script);
});

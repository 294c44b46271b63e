import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { beforeAll, expect, test, vi } from 'vitest';
import { installed } from './runtimes/install.ts';
import { filesIn } from './support/files.ts';

const root = join(import.meta.dirname, '..');

/** The function of recheck that analyses an expression. */
type Check = (
  source: string,
  flags: string,
  options: Readonly<Record<string, number | null>>,
) => Promise<
  | { readonly status: 'safe' }
  | { readonly status: 'vulnerable'; readonly complexity: { readonly summary: string } }
  | { readonly status: 'unknown'; readonly error: { readonly kind: string } }
>;

const require = createRequire(`${installed('recheck', { recheck: '4.5.0' })}/`);
const { check } = require('recheck') as { readonly check: Check };

/** A literal of a regular expression, with its file, line and text. */
interface Pattern {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

function patternsOf(file: string, text: string): readonly Pattern[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): readonly Pattern[] => {
    if (!ts.isRegularExpressionLiteral(node)) return node.getChildren().flatMap(visit);
    const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const end = node.text.lastIndexOf('/');
    const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
    return [{ place: `${file}:${line} ${node.text}`, source, flags }];
  };
  return visit(tree);
}

const patterns = filesIn(root, 'src/**/*.{ts,js}').flatMap(file =>
  patternsOf(file, readFileSync(join(root, file), 'utf8')),
);

/**
 * Expressions with a lookaround cannot be proved safe, only fuzzed: with the same seed in every run, and to the end
 * however long each step takes, so that a slow machine finds what a quick one does.
 */
const options = {
  randomSeed: 774675619,
  timeout: 50_000,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
};

/** Returns why an expression is not accepted; empty if it takes linear time. The check does not support the flag `d`. */
async function complaint(source: string, flags: string): Promise<string> {
  const result = await check(source, flags.replace('d', ''), options);
  if (result.status === 'safe') return '';
  const reason = result.status === 'vulnerable' ? result.complexity.summary : result.error.kind;
  return `${result.status}: ${reason}`;
}

beforeAll(() => {
  // The checker in JavaScript is the same on every platform, and in its own thread no coverage slows it.
  vi.stubEnv('RECHECK_BACKEND', 'worker');
});

test.each(patterns)('the regular expression takes linear time: $place', async ({ source, flags }) => {
  expect(await complaint(source, flags)).toBe('');
});

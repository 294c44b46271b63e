import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, test, vi } from 'vitest';
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

interface Pattern {
  readonly file: string;
  /** File and line, and the text of the expression. */
  readonly place: string;
  /** Absent if the expression is built from a value. */
  readonly source: string | undefined;
  readonly flags: string;
}

/** Returns the text of a string, or of a template literal without substitutions. */
const literal = (node: ts.Expression | undefined) =>
  node && ts.isStringLiteralLike(node) ? node.text : undefined;

/** Returns the expression at a node: a literal, `new RegExp(…)` or `RegExp(…)`. */
function patternAt(node: ts.Node): Pick<Pattern, 'source' | 'flags'> | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
  }
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return undefined;
  if (!ts.isIdentifier(node.expression) || node.expression.text !== 'RegExp') return undefined;
  const [source, flags] = node.arguments ?? [];
  return { source: literal(source), flags: literal(flags) ?? '' };
}

function patternsOf(file: string, text: string): readonly Pattern[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): readonly Pattern[] => {
    const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const pattern = patternAt(node);
    const here = pattern ? [{ file, place: `${file}:${line} ${node.getText()}`, ...pattern }] : [];
    return [...here, ...node.getChildren().flatMap(visit)];
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

/** Returns why an expression is refused; empty if it takes linear time. The check does not support the flag `d`. */
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

describe('regular expressions of the library', () => {
  test.each(patterns.filter(({ source }) => source !== undefined))(
    'take linear time: $place',
    async ({ source = '', flags }) => {
      expect(await complaint(source, flags)).toBe('');
    },
  );
});

import type { Issue } from '../errors.ts';
import { typeName } from '../http/json.ts';
import { scalarText } from './scalar-text.ts';

/** A path with its parameters replaced, or what is wrong with it or with them. */
export type EncodedPath =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Longest path, in characters: every message about the call repeats it. */
const maxPathLength = 500;

/** Segments of parameters and of characters that no URL changes or gives a meaning to. */
const pathPattern = /^(?:\/(?:\{\w+\}|[\w.~!$&'()*+,;=:@-])+)+\/?$/;

const dotSegment = /\/\.\.?(?:\/|$)/;

/** Tests of a path, with what it must be where one fails. */
const pathRules: readonly (readonly [isValid: (path: string) => boolean, expected: string])[] = [
  [path => path.startsWith('/'), 'a path relative to the interface, such as /contact/{id}'],
  [path => !/[?#]/.test(path), 'a path without query and fragment: pass the query as query'],
  [path => path.length <= maxPathLength, `at most ${maxPathLength} characters`],
  [path => !/^\/api\/v1(?:\/|$)/.test(path), 'relative to the interface: without /api/v1 or /api/v1/rest'],
  [
    path => pathPattern.test(path) && !dotSegment.test(path),
    'segments of letters and digits, and parameters such as {id}: pass any other value in params, where it is encoded',
  ],
];

const parameter = /\{(\w+)\}/g;

/** Returns the names of the parameters of a path. */
export const parameterNames = (path: string): readonly string[] =>
  Array.from(path.matchAll(parameter), ([, name]) => name as string);

/** Replaces the parameters of a path by their encoded values. */
export function encodePath(path: unknown, params: Readonly<Record<string, unknown>>): EncodedPath {
  if (typeof path !== 'string') return wrongPath('a path such as /contact/{id}', typeName(path));
  const broken = pathRules.find(([isValid]) => !isValid(path));
  if (broken) return wrongPath(broken[1], 'other text');
  const names = new Set(parameterNames(path));
  const issues = [...names].flatMap(name => issuesOf(name, params));
  for (const name of Object.keys(params))
    if (!names.has(name))
      issues.push({
        path: `params.${name}`,
        expected: `a parameter of ${path}`,
        received: 'another name',
      });
  if (issues.length > 0) return { ok: false, issues };
  const encoded = path.replaceAll(parameter, (_, name: string) => scalarText(params[name]) as string);
  // A URL gives `..` a meaning, however it is encoded.
  if (dotSegment.test(encoded))
    return {
      ok: false,
      issues: [{ path: 'params', expected: 'other than "." and ".."', received: 'one of them' }],
    };
  return { ok: true, path: encoded };
}

const wrongPath = (expected: string, received: string): EncodedPath => ({
  ok: false,
  issues: [{ path: 'path', expected, received }],
});

function issuesOf(name: string, params: Readonly<Record<string, unknown>>): Issue[] {
  const value = Object.hasOwn(params, name) ? params[name] : undefined;
  if (value !== '' && typeof value !== 'boolean' && scalarText(value) !== undefined) return [];
  const received = value === '' ? 'empty text' : typeName(value);
  return [{ path: `params.${name}`, expected: 'text that is not empty, or an exact number', received }];
}

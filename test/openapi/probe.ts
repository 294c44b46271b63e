import type { InputCheck, OutputDecode } from '../../src/core/operation.ts';
import type { Issue } from '../../src/errors.ts';

/** A rule that a check states: where it holds, in the words of an error, and whether the field may be left out. */
export interface Rule {
  /** As in an error's issue: `dkim.host`; empty for the whole. */
  readonly path: string;
  /** As in an error's issue: `text of 2 to 255 characters`. Absent where anything passes. */
  readonly expected: string | undefined;
  readonly optional: boolean;
}

const wrong = Symbol('a value that no rule lets through');

/** An object that has every field there is, each of them wrong, and remembers which were asked for. */
function everythingWrong(asked: Set<string>): object {
  return new Proxy(
    {},
    {
      get: (_, name) => {
        if (typeof name === 'symbol') return undefined;
        asked.add(name);
        return wrong;
      },
      has: () => true,
    },
  );
}

/** Every rule of an operation's input, found by giving it what is wrong. */
export function inputRules(check: InputCheck<never>): Rule[] {
  return rulesOf(input => {
    const checked = check(input);
    return checked.ok ? [] : checked.issues;
  });
}

/** Every rule of an operation's answer, found in the same way; `many` tells that it is an array of such records. */
export function outputRules(decode: OutputDecode<unknown>): {
  readonly many: boolean;
  readonly rules: Rule[];
} {
  const issuesOf = (json: unknown) => {
    const checked = decode(json, 'strict', () => {});
    return checked.ok ? [] : checked.issues;
  };
  const many = issuesOf(wrong)[0]?.expected === 'an array';
  const inPage = (record: unknown) =>
    issuesOf([record]).map(issue => ({ ...issue, path: issue.path.replace(/^\[0\]\.?/, '') }));
  return { many, rules: rulesOf(many ? inPage : issuesOf) };
}

function rulesOf(issuesOf: (value: unknown) => readonly Issue[]): Rule[] {
  const whole = issuesOf(wrong)[0];
  if (whole !== undefined && whole.expected !== 'an object')
    return [{ path: '', expected: whole.expected, optional: false }];
  const asked = new Set<string>();
  const issues = issuesOf(everythingWrong(asked));
  const absent = new Set(issuesOf({}).map(issue => issue.path));
  return [...asked].flatMap(path => {
    const expected = issues.find(issue => issue.path === path)?.expected;
    const rule = { path, expected, optional: expected !== undefined && !absent.has(path) };
    if (expected !== 'an object') return [rule];
    return [rule, ...rulesOf(inner => within(issuesOf({ [path]: inner }), path)).map(inside(path))];
  });
}

const within = (issues: readonly Issue[], path: string) =>
  issues
    .filter(issue => issue.path === path || issue.path.startsWith(`${path}.`))
    .map(issue => ({ ...issue, path: issue.path.slice(path.length + 1) }));

const inside =
  (path: string) =>
  (rule: Rule): Rule => ({ ...rule, path: `${path}.${rule.path}` });

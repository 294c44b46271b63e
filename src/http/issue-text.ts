import { cutMark } from './text-finder.ts';

/** Most issues that are reported of one input or response. */
export const maxIssues = 100;

/** Longest text of a path or a value that is shown, in characters. */
const maxShown = 50;

/** Characters by which a text adds lines to a log, moves the cursor of a terminal, or turns the direction of what follows. */
const controls = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** Returns a text of someone else's in one line that can be printed. */
export const oneLine = (text: string): string => text.replace(controls, ' ');

/** Writes a path as code has it: `[3].customFields.age`. Long keys are cut. */
export function pathText(path: readonly PropertyKey[]): string {
  const parts = path.map(key => (typeof key === 'number' ? `[${key}]` : `.${cut(String(key))}`));
  return parts.join('').replace(/^\./, '');
}

/** Cuts a text to what is shown of it. The mark at its end lets a secret be found of which only the start is left. */
export const cut = (text: string, length = maxShown): string =>
  text.length > length ? [...text.slice(0, 2 * length)].slice(0, length).join('') + cutMark : text;

/** Returns what stands at a path, or `undefined` where the path ends early. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key],
    value,
  );
}

/** Most issues that are reported of one input or response. */
export const maxIssues = 100;

/** Characters by which a text adds lines to a log, moves the cursor of a terminal, or turns the direction of what follows. */
const controls = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** Returns a text from outside in one line that can be printed. */
export const oneLine = (text: string): string => text.replace(controls, ' ');

/** Writes a path as code has it: `[3].customFields.age`. */
export function pathText(path: readonly PropertyKey[]): string {
  const parts = path.map(key => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  return parts.join('').replace(/^\./, '');
}

/** Cuts a text to so many characters, without halving a pair of surrogates. */
export const cut = (text: string, length: number): string =>
  text.length > length ? `${[...text.slice(0, 2 * length)].slice(0, length).join('')}…` : text;

/** Returns the value at a path; `undefined` if the path ends early. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key],
    value,
  );
}

/** Longest name that is compared, so that a hostile key costs nothing. */
const maxLength = 40;

/** Most single-character edits between a name and one that is suggested for it. */
const maxEdits = 2;

/** Returns the name that was probably meant: the one with the fewest edits, ignoring case, if there are few. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  if (given.length > maxLength) return undefined;
  let nearest: string | undefined;
  let fewest = maxEdits + 1;
  for (const name of names) {
    const count = edits(given.toLowerCase(), name.toLowerCase());
    // A name of which less than half is left was not meant.
    if (count < fewest && count < name.length / 2) [nearest, fewest] = [name, count];
  }
  return nearest;
}

/** Levenshtein distance: characters to insert, delete or replace. */
function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (character === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

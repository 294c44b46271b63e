import { maxIssues } from './issue-text.ts';

/** A name that is given and not known, with the known name that is nearest to it, if one is near. */
export interface UnknownName {
  readonly name: string;
  readonly nearest: string | undefined;
}

/** Maximum number of edits between two names that count as a typing mistake. */
const maxEdits = 2;

/** Returns the names in `given` that are not in `known`, at most 100, in time linear in their number. */
export function unknownNames(given: object, known: readonly string[]): UnknownName[] {
  const allowed = new Set(known);
  const unknown = Object.keys(given).filter(name => !allowed.has(name));
  return unknown.slice(0, maxIssues).map(name => ({ name, nearest: nearestName(name, known) }));
}

/** Returns the end of a sentence about an unknown name, which asks for the nearest one; empty if none is near. */
export const didYouMean = (nearest: string | undefined): string =>
  nearest === undefined ? '' : `; did you mean "${nearest}"?`;

/** Returns the known name that differs from `name` by case or by at most two edits, and least of all. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  // A short name is near to none by chance: at most a third of its characters may differ.
  let fewest = Math.min(maxEdits, Math.floor(name.length / 3)) + 1;
  let nearest: string | undefined;
  for (const candidate of known) {
    const edits = editsBetween(lower, candidate.toLowerCase());
    if (edits >= fewest) continue;
    fewest = edits;
    nearest = candidate;
  }
  return nearest;
}

/** Returns the Damerau-Levenshtein distance of two texts: insertions, deletions, changes and swaps of neighbours. */
function editsBetween(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > maxEdits) return Number.POSITIVE_INFINITY;
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  let beforeLast = last;
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const edits = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      );
      current.push(swapped ? Math.min(edits, at(beforeLast, column - 2) + 1) : edits);
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, to.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;

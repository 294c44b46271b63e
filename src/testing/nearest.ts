/** Longest edit distance at which a name still counts as a typing mistake. */
const maxDistance = 3;

/** Returns the valid name that is closest to a mistyped one, if any is close. */
function nearest(name: string, valid: readonly string[]): string | undefined {
  const wanted = name.slice(0, 50).toLowerCase();
  const ranked = valid
    .map(candidate => ({ candidate, distance: editDistance(wanted, candidate.toLowerCase()) }))
    .sort((left, right) => left.distance - right.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= Math.min(maxDistance, wanted.length - 1)
    ? best.candidate
    : undefined;
}

/** Returns a `RangeError` for a name that does not exist, with the nearest one that does. */
export function unknownName(what: string, name: string, valid: readonly string[]): RangeError {
  const close = nearest(name, valid);
  const hint = close === undefined ? `valid: ${valid.join(', ')}` : `did you mean "${close}"?`;
  return new RangeError(`unknown ${what} ${JSON.stringify(name.slice(0, 50))}; ${hint}`);
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next[j] = Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
    }
    row = next;
  }
  return row[right.length] ?? 0;
}

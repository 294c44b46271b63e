/** Maximum edit distance of a typing mistake. */
const maxDistance = 3;

/** Returns the valid name that is closest to a mistyped one, or the only operation with its method. */
function nearest(name: string, valid: readonly string[]): string | undefined {
  const wanted = name.slice(0, 50).toLowerCase();
  const ranked = valid
    .map(candidate => ({ candidate, distance: editDistance(wanted, candidate.toLowerCase()) }))
    .sort((left, right) => left.distance - right.distance);
  const [best] = ranked;
  if (best !== undefined && best.distance <= Math.min(maxDistance, wanted.length - 1)) return best.candidate;
  const sameMethod = valid.filter(
    candidate => methodOf(candidate) !== '' && methodOf(candidate) === methodOf(name),
  );
  return sameMethod.length === 1 ? sameMethod[0] : undefined;
}

/** Returns the part of an operation's name after its resource: `identify` of `legacy.identify`. */
const methodOf = (name: string) => name.split('.')[1] ?? '';

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

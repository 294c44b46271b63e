/**
 * Returns the known name that is meant by a mistyped one: the same but for case, `_`, `-`, blanks and the plural of a resource;
 * else one that differs in no more than three letters at its end, and begins with the same three.
 */
function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = fold(name);
  const isAlike = (other: string) => beginsLike(wanted, other) && beginsLike(other, wanted);
  return known.find(other => fold(other) === wanted) ?? known.find(other => isAlike(fold(other)));
}

const fold = (name: string): string => name.replaceAll(/[-_ ]|s(?=\.)/g, '').toLowerCase();

const beginsLike = (name: string, other: string): boolean =>
  name.startsWith(other.slice(0, Math.max(3, other.length - 3)));

/** Returns the end of a sentence about an unknown name, which asks for a similar one; empty without one. */
export function didYouMean(name: string, known: readonly string[]): string {
  const similar = nearestName(name, known);
  return similar === undefined ? '' : `; did you mean "${similar}"?`;
}

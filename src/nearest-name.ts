/**
 * Returns the known name that is meant by a mistyped one: the same but for case, `_` and `-`; else one that differs in no
 * more than three letters at its end, or at the end of each part of `tags.create`, and begins with the same three.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = fold(name);
  return known.find(other => fold(other) === wanted) ?? known.find(other => isAlike(wanted, fold(other)));
}

const fold = (name: string): string => name.replaceAll(/[-_]/g, '').toLowerCase();

function isAlike(name: string, other: string): boolean {
  const [parts, others] = [name.split('.'), other.split('.')];
  const beginsLike = (left = '', right = '') =>
    left.startsWith(right.slice(0, Math.max(3, right.length - 3)));
  return (
    parts.length === others.length &&
    parts.every((part, index) => beginsLike(part, others[index]) && beginsLike(others[index], part))
  );
}

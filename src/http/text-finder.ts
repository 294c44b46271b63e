/** Characters compared by the engine's own search before the pattern is searched whole. */
const prefixLength = 8;

/** Follows what is left of a text that was cut. */
export const cutMark = '…';

/** Fewest characters of a pattern that count as its start where a text was cut. */
const minCutLength = 4;

/**
 * Finds a pattern in texts in linear time, whatever they hold, by the algorithm of Knuth, Morris and Pratt: a text that
 * repeats most of the pattern many times costs no more than any other.
 */
export class TextFinder {
  readonly pattern: string;
  readonly #prefix: string;
  /** Length of the longest proper prefix of the pattern that ends at each index. */
  readonly #borders: Uint32Array;

  constructor(pattern: string) {
    this.pattern = pattern;
    this.#prefix = pattern.slice(0, prefixLength);
    this.#borders = new Uint32Array(pattern.length);
    for (let index = 1, length = 0; index < pattern.length; index++) {
      const code = pattern.charCodeAt(index);
      while (length > 0 && pattern.charCodeAt(length) !== code) length = this.#borders[length - 1] ?? 0;
      if (pattern.charCodeAt(length) === code) length++;
      this.#borders[index] = length;
    }
  }

  /** Returns the index of each match that does not overlap the one before it. */
  find(text: string): readonly number[] {
    const { pattern } = this;
    const found: number[] = [];
    if (pattern === '' || !text.includes(this.#prefix)) return found;
    for (let index = 0, matched = 0; index < text.length; index++) {
      matched = this.#matchedAfter(text.charCodeAt(index), matched);
      if (matched < pattern.length) continue;
      found.push(index + 1 - pattern.length);
      matched = 0;
    }
    return found;
  }

  /** Returns the range of each start of the pattern that a cut ends: of the longest one, the mark excluded. */
  findCut(text: string): readonly (readonly [start: number, end: number])[] {
    const found: (readonly [number, number])[] = [];
    if (!text.includes(cutMark) || !text.includes(this.pattern.slice(0, minCutLength))) return found;
    for (let index = 0, matched = 0; index < text.length; index++) {
      if (matched >= minCutLength && text[index] === cutMark) found.push([index - matched, index]);
      matched = this.#matchedAfter(text.charCodeAt(index), matched);
    }
    return found;
  }

  /** Returns how many characters of the pattern match once one more of the text is read. */
  #matchedAfter(code: number, matchedBefore: number): number {
    const { pattern } = this;
    let matched = matchedBefore;
    while (matched > 0 && pattern.charCodeAt(matched) !== code) matched = this.#borders[matched - 1] ?? 0;
    return pattern.charCodeAt(matched) === code ? matched + 1 : matched;
  }
}

import type { Page } from './page-fetcher.ts';

/** Empty pages after which the end is expected to stay where it is, for a try. */
const triesPerRound = 3;

/**
 * Follows the end of a list that moves towards its start, as records at the end or before it are deleted. A response
 * that holds the last record alone shows the end, so the next page is to start where that record will be.
 */
export class ListEnd {
  /** Number of pages so far, and of empty ones. */
  #pages = 0;
  #emptyPages = 0;
  /** Where the list seemed to end, and the number of the page that showed it. */
  #last: { readonly index: number; readonly page: number } | undefined;
  /** Distance by which the end moved from one page to the next. */
  #moved = 0;
  /** Pages for which the end may move less than before: one more after each empty page, as deletions are not regular. */
  #patience = 0;
  /** Records in the last page between its first and its last one. */
  #between = 0;

  /** Adds a page without a new record; `isKnown` if it holds a recent one. */
  add({ offset, records: { length } }: Page<unknown>, isKnown: boolean): void {
    this.#pages += 1;
    this.#between = Math.max(0, length - 2);
    if (length > 0 && !isKnown) this.#last = undefined;
    else if (length > 0 && this.#last) this.#addLast(offset + length - 1, this.#last);
    else if (length === 0) {
      // A page is read from where the one before it ended: where it is empty, the list has ended before that place.
      this.#last ??= { index: offset, page: this.#pages - 1 };
      this.#patience = ++this.#emptyPages;
    }
  }

  #addLast(index: number, before: { readonly index: number; readonly page: number }): void {
    this.#last = { index, page: this.#pages };
    const moved = Math.max(0, Math.ceil((before.index - index) / (this.#pages - before.page)));
    if (moved < this.#moved && this.#patience > 0) this.#patience -= 1;
    else this.#moved = moved;
  }

  /**
   * Distance by which the end is expected to move until the next page. Each round of empty pages makes it larger, and one
   * page of each expects none, so that no pattern of deletions hides the end.
   */
  get expectedMove(): number {
    if (this.#emptyPages % triesPerRound === 0) return 0;
    return Math.min(this.#moved + Math.floor(this.#emptyPages / triesPerRound), this.#between);
  }
}

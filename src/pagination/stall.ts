import { ListEnd } from './list-end.ts';
import type { Page } from './page-fetcher.ts';

/**
 * Pages without a new record, and no nearer to one, after which a request far behind the end tells why. More than a
 * moving list needs: a place that moved is found again within two or three pages.
 */
const pagesBeforeProbe = 8;

/** Pages without a new record, and no nearer to one, after which the list counts as growing faster than it is read. */
const maxStalledPages = 64;

/** What the pages since the last new record have shown of a list that moves. */
export class Stall {
  /** Position of the record yielded last, as it was when it was last seen. */
  #position = 0;
  /** A response held that record alone: a service that gives two at once had nothing behind it. */
  #isEndShown = false;
  /** Position of that record where the last page, and the one before it, ended with it. */
  #seenAt: number | undefined;
  #seenBefore: number | undefined;
  /** Distance that the record moved between these two pages, because records were added before it. */
  #growth = 0;
  #newest = 0;
  #lastOffset = Number.POSITIVE_INFINITY;
  #pages = 0;
  #isProbed = false;
  /** End of the list, which moves as records are deleted. */
  readonly end = new ListEnd();
  /** A page between the recent records and the new ones was passed over: the next ones are read one by one. */
  hasOvershot = false;
  /** Records before the one yielded last were passed over, as the list seems to have grown. */
  hasJumped = false;

  /** Adds a page without a new record; `newest` is the number of the newest recent record in it, 0 for none. */
  add(page: Page<unknown>, newest: number): void {
    const { offset } = page;
    this.end.add(page, newest > 0);
    const isNearer = newest > this.#newest || (newest === 0 && offset < this.#lastOffset);
    if (!isNearer) this.#pages += 1;
    if (newest === 0) this.hasOvershot = true;
    this.#newest = Math.max(this.#newest, newest);
    this.#lastOffset = offset;
    this.#seenBefore = this.#seenAt;
    this.#seenAt = undefined;
  }

  /** Adds that the page ended with the record yielded last; `isAlone` when it held no other. */
  addLatest(position: number, isAlone: boolean): void {
    this.#growth = Math.max(0, position - (this.#seenBefore ?? position));
    this.#seenAt = position;
    this.#position = position;
    this.#isEndShown ||= isAlone;
  }

  /**
   * Where to read once the record yielded last was seen and nothing behind it: where it will be when the list grows as
   * much again, or shrinks as much, so that the response shows what follows; or behind that place once a response has
   * shown it alone.
   */
  get nextOffset(): number {
    if (this.#isEndShown) return this.#position + this.#growth + 1;
    return this.#position + this.#growth - this.end.expectedMove;
  }

  /** Returns `true` when an empty response at `offset` shows that the list has ended. */
  endsAt(offset: number): boolean {
    return this.#isEndShown && offset > this.#position && offset <= this.nextOffset;
  }

  /** The last page was no nearer to a new record than one before it. */
  get isStalled(): boolean {
    return this.#pages > 0;
  }

  /** Returns `true` once, when it is time to find out whether `offset` has an effect. */
  needsProbe(isOversized: boolean): boolean {
    if (this.#isProbed || !(isOversized || this.#pages >= pagesBeforeProbe)) return false;
    this.#isProbed = true;
    return true;
  }

  /** The list grows faster than it is read. */
  get isHopeless(): boolean {
    return this.#pages >= maxStalledPages;
  }
}

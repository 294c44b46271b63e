import type { Page } from './page-loader.ts';

/** Tells where the last yielded record is to be looked for, from pages that show no new one. */
export class PositionSearch {
  /** Position of a known record, and offset of a page behind it that held none: the last one is between them. */
  #low = -1;
  #high = Number.POSITIVE_INFINITY;
  /** Distance to the next page further back. */
  #back: number;
  /** Position at which the last yielded record was or is expected, at a request. */
  #seen: { readonly position: number; readonly number: number } | undefined;
  /** How far the list is expected to move until the next request: as far as it did per request. */
  drift = 0;

  constructor(back: number) {
    this.#back = back;
  }

  /** A page that held no known record is behind the last yielded one. */
  get hasOvershot(): boolean {
    return this.#high < Number.POSITIVE_INFINITY;
  }

  /** Returns the offset to load after a page without a known record: further and further back, in steps up to `reach`. */
  back({ offset, records: { length } }: Page<unknown>, step: number, reach: number): number {
    if (length > 0 || !this.hasOvershot) this.#seen = undefined;
    this.#high = offset;
    if (this.#low >= 0 && this.#low < offset) return this.#halfway(step);
    this.#low = -1;
    const distance = this.#back;
    this.#back = Math.min(2 * distance, reach);
    return offset - distance;
  }

  /**
   * Returns the offset to load after a page that ends with a known record, at `position`. So many records as `missing`
   * were yielded after that, and stand behind it unless they were deleted.
   */
  onwards(position: number, missing: number, { number }: Page<unknown>, step: number): number {
    this.#back = step;
    this.#low = position;
    if (this.#high <= position) this.#high = Number.POSITIVE_INFINITY;
    const now = { position: this.hasOvershot ? position : position + missing, number };
    const { position: before, number: since } = this.#seen ?? { position: now.position, number: 0 };
    this.drift = Math.floor((now.position - before) / (number - since));
    this.#seen = now;
    return this.hasOvershot ? this.#halfway(step) + Math.min(0, this.drift) : now.position + this.drift;
  }

  #halfway(step: number): number {
    return this.#high - this.#low > step ? Math.floor((this.#low + this.#high) / 2) : this.#low;
  }
}

import type { Page } from './page-loader.ts';

/** Tells where the last yielded record is to be looked for, from pages that show no new one. */
export class PositionSearch {
  /** Position of a known record, and offset of a page behind it that held none: the last one is between them. */
  #low = -1;
  #high = Number.POSITIVE_INFINITY;
  /** Error by which the service rejected that offset. */
  #rejection: Error | undefined;
  /** Distance to the next page further back. */
  #back: number;
  /** Position at which the last yielded record was or is expected, at a request. */
  #seen: { readonly position: number; readonly requestNumber: number } | undefined;

  /** Position at which the last yielded record was, or would be if none were deleted. */
  #last: number;

  constructor(back: number, last: number) {
    this.#back = back;
    this.#last = last;
  }

  /** Returns the offset to load after a page without a known record: further and further back, in steps up to `reach`. */
  back({ offset, rejection }: Page<unknown>, step: number, reach: number): number {
    this.#high = offset;
    this.#rejection = rejection;
    if (this.#low >= 0 && this.#low < offset) return this.#halfway(step);
    this.#low = -1;
    // What the service rejected says nothing of how far the list has moved.
    const distance = rejection ? Math.max(step, this.#back) : this.#back;
    this.#back = Math.min(2 * distance, reach);
    return offset - distance;
  }

  /**
   * Returns the offset to load after a page that ends with a known record, at `position`. So many records as `missing`
   * were yielded after that, and stand behind it unless they were deleted. Throws the error by which the service rejected
   * an offset at which there is a record, unless the list moves.
   */
  onwards(position: number, missing: number, { requestNumber }: Page<unknown>, step: number): number {
    const hasMoved = this.#last !== position + missing;
    this.#last = position + missing;
    if (this.#rejection && this.#high <= position && !hasMoved) throw this.#rejection;
    this.#back = step;
    this.#low = position;
    const hasOvershot = this.#high < Number.POSITIVE_INFINITY;
    const now = { position: hasOvershot ? position : position + missing, requestNumber };
    const before = this.#seen ?? { position: now.position, requestNumber: 0 };
    const drift = Math.floor((now.position - before.position) / (requestNumber - before.requestNumber));
    this.#seen = now;
    return hasOvershot ? this.#halfway(step) + Math.min(0, drift) : now.position + drift;
  }

  #halfway(step: number): number {
    return this.#high - this.#low > step ? Math.floor((this.#low + this.#high) / 2) : this.#low;
  }
}

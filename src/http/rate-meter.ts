/** Time over which the rate is measured, in milliseconds. */
const measuredMs = 1_000;

/** Shortest time that a measured rate is based on, in milliseconds, so that a first burst has a finite rate. */
const minMeasuredMs = 100;

/** Measures the rate at which requests start. */
export class RateMeter {
  #since = 0;
  #count = 0;
  #lastRate = 0;

  /** Records that a request starts at this time of the clock. */
  record(now: number): void {
    const elapsedMs = now - this.#since;
    if (elapsedMs < 0 || elapsedMs >= measuredMs) {
      const idle = elapsedMs < 0 || elapsedMs >= 2 * measuredMs;
      this.#lastRate = idle ? 0 : this.#rate(now);
      this.#since = now;
      this.#count = 0;
    }
    this.#count += 1;
  }

  /**
   * Returns the rate of this second or of the last, whichever is higher, in requests per second, but at most `limit`;
   * `limit` itself if it is finite and less than a second was measured.
   */
  read(now: number, limit: number): number {
    const short = this.#lastRate === 0 && now - this.#since < measuredMs;
    if (short && limit !== Number.POSITIVE_INFINITY) return limit;
    return Math.min(limit, Math.max(this.#lastRate, this.#rate(now)));
  }

  #rate(now: number): number {
    return (this.#count * 1_000) / Math.max(minMeasuredMs, now - this.#since);
  }
}

/** Factor by which a refusal lowers the rate: that of CUBIC, gentler than TCP's classic half. */
const decreaseFactor = 0.7;

/** Shortest time between two decreases, in milliseconds: refusals of one burst count as one. */
const decreaseIntervalMs = 1_000;

/** Increase of the rate within one second of successes, as a share of the rate that was refused. */
const increasePerSecond = 0.1;

/** Multiple of the refused rate from which on the rate is free again: the refusal was not for too high a rate. */
const recoveredFactor = 2;

/** Lowest rate, in requests per second: below it, new capacity at the service is noticed too late. */
const minRequestsPerSecond = 1;

/** Weight of the latest response in the moving share of refusals: about the last eight count. */
const shareWeight = 1 / 4;

/** Share of refusals from which on the service refuses nearly everything, and all calls are paused again. */
const nearlyAllRefused = 0.85;

/** Time over which the rate is measured, in milliseconds. */
const measuredMs = 1_000;

/** Shortest time that a measured rate is based on, in milliseconds, so that a first burst has a finite rate. */
const minMeasuredMs = 100;

/** Measures the rate at which requests start: that of the current second or of the last, whichever is higher. */
class RateMeter {
  #since = 0;
  #count = 0;
  #lastRate = 0;

  record(now: number): void {
    const elapsedMs = now - this.#since;
    if (elapsedMs < 0 || elapsedMs >= measuredMs) {
      this.#lastRate = elapsedMs < 2 * measuredMs ? this.#rate(now) : 0;
      this.#since = now;
      this.#count = 0;
    }
    this.#count += 1;
  }

  /** Returns requests per second. */
  read(now: number): number {
    return Math.max(this.#lastRate, this.#rate(now));
  }

  #rate(now: number): number {
    return (this.#count * 1_000) / Math.max(minMeasuredMs, now - this.#since);
  }
}

/**
 * Adapts the rate of requests to what the service accepts, by additive increase and multiplicative decrease. The rate
 * is free until the service refuses a request, and again once it has come well past the rate that was refused.
 */
export class CongestionControl {
  readonly #configuredRate: number;
  readonly #meter = new RateMeter();
  #rate = Number.POSITIVE_INFINITY;
  #refusedRate = Number.POSITIVE_INFINITY;
  #decreasedAt = 0;
  #refusedShare = 0;
  #paused = false;

  /** @param configuredRate - the client's own limit, in requests per second; `Infinity` for none. */
  constructor(configuredRate: number) {
    this.#configuredRate = configuredRate;
  }

  /** Time between the starts of two requests, in milliseconds; 0 while the rate is free. */
  get intervalMs(): number {
    return 1_000 / this.#rate;
  }

  /** Records that a request starts. */
  started(): void {
    this.#meter.record(performance.now());
  }

  /** Records that the service accepted a request. */
  succeeded(): void {
    if (this.#rate === Number.POSITIVE_INFINITY) return;
    this.#refusedShare -= this.#refusedShare * shareWeight;
    // A second at this rate holds `rate` successes; together they add the increase of one second.
    this.#rate += (this.#refusedRate * increasePerSecond) / this.#rate;
    if (this.#rate >= Math.min(this.#refusedRate * recoveredFactor, this.#configuredRate)) this.#free();
  }

  /**
   * Records that the service refused a request. Returns whether a pause that it asks for is for all calls: always at
   * a free rate, and at a lowered one when nearly all requests are refused. Otherwise the lower rate is the response.
   */
  refused(asksForPause: boolean): boolean {
    this.#refusedShare += (1 - this.#refusedShare) * shareWeight;
    const now = performance.now();
    const elapsedMs = now - this.#decreasedAt;
    if (this.#rate === Number.POSITIVE_INFINITY || elapsedMs < 0 || elapsedMs >= decreaseIntervalMs)
      this.#decrease(now);
    if (!asksForPause || (this.#paused && this.#refusedShare < nearlyAllRefused)) return false;
    this.#paused = true;
    this.#refusedShare = 1;
    return true;
  }

  #decrease(now: number): void {
    const free = this.#rate === Number.POSITIVE_INFINITY;
    const rate = free ? Math.min(this.#configuredRate, this.#meter.read(now)) : this.#rate;
    this.#refusedRate = Math.max(minRequestsPerSecond, rate);
    this.#rate = Math.max(minRequestsPerSecond, this.#refusedRate * decreaseFactor);
    this.#decreasedAt = now;
  }

  #free(): void {
    this.#rate = Number.POSITIVE_INFINITY;
    this.#refusedShare = 0;
    this.#paused = false;
  }
}

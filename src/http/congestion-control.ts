import { RateMeter } from './rate-meter.ts';

/** Share of refusals up to which the rate is not lowered: some services refuse requests at any rate. */
const toleratedShare = 0.2;

/** Factor that lowers the rate below what the service accepted: that of CUBIC, gentler than TCP's classic half. */
const decreaseFactor = 0.7;

/** Shortest time between two decreases, in milliseconds: services count by the second, and this is two of them. */
const minWindowMs = 2_000;

/** Fewest responses between two decreases: of fewer, one in five is refused by chance too often. */
const minWindowResponses = 20;

/** Increase of the rate within one second of successes, as a share of the rate that was refused. */
const relativeIncrease = 0.03;

/** Further increase, in requests per second: the same for all clients, so that they get equal parts of a limit. */
const additiveIncrease = 0.3;

/** Multiple of the refused rate from which on the rate doubles each second: the refusal was not for too high a rate. */
const recoveredFactor = 1.25;

/** Share of refusals from which on the rate is lowered again only if the last decrease changed the share. */
const highShare = 0.4;

/** Change of the share of refusals up to which it counts as the same: chance changes it as much over 20 responses. */
const unchangedWithin = 0.15;

/** Lowest rate, in requests per second: below it, new capacity at the service is noticed too late. */
const minRequestsPerSecond = 1;

/** Lowest rate as a share of the first one that was refused, so that no run of refusals brings the client to a halt. */
const minShareOfFirstRate = 1 / 20;

/** Time without an accepted request after which the service counts as out of order, in milliseconds. */
const outageMs = 1_000;

/**
 * Adapts the rate of requests to what the service accepts, by additive increase and multiplicative decrease. The rate
 * is free until the service refuses a request, and again once it is back at the rate that was refused first. In between
 * the share of refusals decides, every two seconds: above a fifth, the rate becomes 70 % of what was accepted. It is not
 * lowered where that does not help, nor while pauses replace it because nothing is accepted.
 */
export class CongestionControl {
  readonly #configuredRate: number;
  readonly #meter = new RateMeter();
  #rate = Number.POSITIVE_INFINITY;
  /** The rate that was refused first; it is free again from there on. */
  #firstRate = 0;
  /** The rate at the last decrease, and the share of refusals that led to it. */
  #refusedRate = 0;
  #refusedShare = 0;
  /** Responses since the rate was last decided on. */
  #windowStart = 0;
  #responses = 0;
  #refusals = 0;
  /** Refusals since the last success; `Infinity` once they have led to a pause. */
  #refusedInARow = 0;
  /** All calls were paused since the rate was free. */
  #hasPaused = false;

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

  /** Records that the service accepted a request. During a pause that says nothing about the rate. */
  succeeded(paused = false): void {
    this.#refusedInARow = 0;
    if (paused) return;
    const recovered = this.#rate > this.#refusedRate * recoveredFactor;
    const increase = this.#refusedRate * relativeIncrease + additiveIncrease;
    // A second at this rate holds `rate` successes; together they add the increase of one second.
    this.#rate += recovered ? 1 : increase / this.#rate;
    if (this.#rate >= this.#firstRate) this.#rate = Number.POSITIVE_INFINITY;
    else this.#count(false);
  }

  /**
   * Records that the service refused a request. Returns `true` if a pause that it asks for is for all calls: the first
   * since the rate was free, those of a pause, and those while nothing is accepted. Otherwise the lower rate is the
   * response.
   */
  refused(asksForPause: boolean, paused = false): boolean {
    this.#refusedInARow += 1;
    if (!paused && this.intervalMs === 0) this.#begin();
    else if (!paused) this.#count(true);
    const nothingAccepted = this.#refusedInARow * this.intervalMs >= outageMs;
    if (!asksForPause || (this.#hasPaused && !paused && !nothingAccepted)) return false;
    this.#hasPaused = true;
    this.#refusedInARow = Number.POSITIVE_INFINITY;
    return true;
  }

  #begin(): void {
    this.#firstRate = Math.max(
      minRequestsPerSecond,
      this.#meter.read(performance.now(), this.#configuredRate),
    );
    this.#rate = this.#firstRate;
    this.#lower(decreaseFactor);
    this.#refusedShare = 0;
    this.#hasPaused = false;
    this.#restartWindow();
  }

  #count(refused: boolean): void {
    this.#responses += 1;
    if (refused) this.#refusals += 1;
    const elapsedMs = performance.now() - this.#windowStart;
    // The clock jumps back when fake timers are removed.
    const tooShort = elapsedMs >= 0 && elapsedMs < minWindowMs;
    if (tooShort || this.#responses < minWindowResponses) return;
    const share = this.#refusals / this.#responses;
    this.#restartWindow();
    const pausesInstead = this.#refusedInARow === Number.POSITIVE_INFINITY;
    if (share <= toleratedShare || pausesInstead || this.#isUnchanged(share)) return;
    this.#refusedShare = share;
    this.#lower((1 - share) * decreaseFactor);
  }

  /** Returns `true` if the last decrease has left a high share of refusals as it was: a lower rate does not help. */
  #isUnchanged(share: number): boolean {
    const hasRisen = this.#rate > this.#refusedRate;
    return !hasRisen && share > highShare && Math.abs(share - this.#refusedShare) <= unchangedWithin;
  }

  #lower(factor: number): void {
    this.#refusedRate = this.#rate;
    const minRate = Math.max(minRequestsPerSecond, this.#firstRate * minShareOfFirstRate);
    this.#rate = Math.max(minRate, this.#rate * factor);
  }

  #restartWindow(): void {
    this.#windowStart = performance.now();
    this.#responses = 0;
    this.#refusals = 0;
  }
}

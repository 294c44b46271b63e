import { RateMeter } from './rate-meter.ts';

/** Factor by which a refusal lowers the rate: that of CUBIC, gentler than TCP's classic half. */
const decreaseFactor = 0.7;

/** Shortest time between two decreases, in milliseconds: refusals of one burst count as one. */
const decreaseIntervalMs = 1_000;

/** Increase of the rate within one second of successes, as a share of the rate that was refused. */
const increasePerSecond = 0.1;

/** Multiple of the refused rate from which on the rate doubles each second: the refusal was not for too high a rate. */
const recoveredFactor = 2;

/** Multiple of the refused rate from which on the rate is free again. */
const freeFactor = 16;

/** Lowest rate, in requests per second: below it, new capacity at the service is noticed too late. */
const minRequestsPerSecond = 1;

/** Lowest rate as a share of the first one that was refused, so that no run of refusals brings the client to a halt. */
const minShareOfFirstRate = 1 / 20;

/** Weight of the latest response in the moving share of refusals: about the last eight count. */
const shareWeight = 1 / 4;

/** Share of refusals from which on the service refuses nearly everything, and all calls are paused again. */
const nearlyAllRefused = 0.85;

/** Share of refusals up to which the rate is always lowered: many clients at one service settle below it. */
const highShare = 0.3;

/** Share that remains of a high share of refusals, at most, if a lower rate helps. */
const remainingIfHelpful = 0.75;

/** Responses since the rate was last decided on. */
class Interval {
  since = 0;
  #responses = 0;
  #refusals = 0;

  /** Share of refusals; 0 without responses. */
  get refusedShare(): number {
    return this.#refusals / Math.max(1, this.#responses);
  }

  count(refused: boolean): void {
    this.#responses += 1;
    if (refused) this.#refusals += 1;
  }

  restart(now: number): void {
    this.since = now;
    this.#responses = 0;
    this.#refusals = 0;
  }
}

/**
 * Adapts the rate of requests to what the service accepts, by additive increase and multiplicative decrease. The rate
 * is free until the service refuses a request, and again once it has come well past the rate that was refused. It is
 * not lowered further where a lower rate does not lower the share of refusals, nor where pauses replace it because
 * everything is refused.
 */
export class CongestionControl {
  readonly #configuredRate: number;
  readonly #meter = new RateMeter();
  readonly #interval = new Interval();
  #rate = Number.POSITIVE_INFINITY;
  #minRate = minRequestsPerSecond;
  /** The rate at the last decrease, and the share of refusals that led to it. */
  #refusedRate = Number.POSITIVE_INFINITY;
  #refusedShare = 0;
  /** Moving share of refusals among the latest responses. */
  #recentShare = 0;
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
    if (this.#free) return;
    this.#count(false);
    const recovered = this.#rate > this.#refusedRate * recoveredFactor;
    // A second at this rate holds `rate` successes; together they add the increase of one second.
    this.#rate += recovered ? 1 : (this.#refusedRate * increasePerSecond) / this.#rate;
    if (this.#rate >= Math.min(this.#refusedRate * freeFactor, this.#configuredRate)) this.#reset();
  }

  /**
   * Records that the service refused a request. Returns whether a pause that it asks for is for all calls: always at
   * a free rate, and at a lowered one when nearly all requests are refused. Otherwise the lower rate is the response.
   */
  refused(asksForPause: boolean): boolean {
    const now = performance.now();
    this.#count(true);
    const elapsedMs = now - this.#interval.since;
    if (this.#free || elapsedMs < 0 || elapsedMs >= decreaseIntervalMs) this.#decide(now, asksForPause);
    if (!asksForPause || (this.#paused && this.#recentShare < nearlyAllRefused)) return false;
    this.#paused = true;
    this.#recentShare = 1;
    return true;
  }

  get #free(): boolean {
    return this.#rate === Number.POSITIVE_INFINITY;
  }

  #count(refused: boolean): void {
    this.#recentShare += (Number(refused) - this.#recentShare) * shareWeight;
    this.#interval.count(refused);
  }

  /** Lowers the rate if that can help. */
  #decide(now: number, asksForPause: boolean): void {
    const share = this.#interval.refusedShare;
    this.#interval.restart(now);
    if (!this.#free && !this.#canHelp(share, asksForPause)) return;
    if (this.#free) {
      this.#rate = this.#meter.read(now, this.#configuredRate);
      this.#minRate = Math.max(minRequestsPerSecond, this.#rate * minShareOfFirstRate);
    }
    this.#refusedRate = Math.max(this.#minRate, this.#rate);
    this.#refusedShare = share;
    this.#rate = Math.max(this.#minRate, this.#refusedRate * decreaseFactor);
  }

  /** Returns whether a lower rate can help, after one that led to this share of refusals. */
  #canHelp(share: number, asksForPause: boolean): boolean {
    if (share === 1) return !asksForPause;
    const helped = this.#rate > this.#refusedRate || share <= this.#refusedShare * remainingIfHelpful;
    return helped || share < highShare || share >= nearlyAllRefused;
  }

  #reset(): void {
    this.#rate = Number.POSITIVE_INFINITY;
    this.#recentShare = 0;
    this.#paused = false;
    this.#interval.restart(performance.now());
  }
}

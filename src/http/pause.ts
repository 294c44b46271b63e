import { maxRetryAfterMs } from './retry-policy.ts';
import { startTimer, type Timer, unrefTimer } from './timers.ts';

/**
 * A time in which no request starts. It ends when its timer fires, not only when a clock says so, because test tools
 * can replace the timers and leave the clock. A pause whose timer can no longer fire ends at once: when a test's fake
 * timers are installed or removed, `setTimeout` becomes another function.
 */
export class Pause {
  readonly #onTimer: () => void;
  #endsAt = 0;
  #timer: Timer | undefined;
  #startedWith: typeof setTimeout | undefined;

  /** @param onTimer - called when the timer ends a pause. */
  constructor(onTimer: () => void) {
    this.#onTimer = onTimer;
  }

  /** Pauses for at least `ms` milliseconds from now, up to 300 s. Never shortens a pause. */
  begin(ms: number): void {
    const remainingMs = Math.min(ms, maxRetryAfterMs);
    if (!(remainingMs > this.remainingMs())) return;
    clearTimeout(this.#timer);
    this.#endsAt = performance.now() + remainingMs;
    this.#startedWith = setTimeout;
    this.#timer = startTimer(() => {
      this.#end();
      this.#onTimer();
    }, remainingMs);
    unrefTimer(this.#timer);
  }

  /** Returns the milliseconds until the pause ends; 0 if there is none. */
  remainingMs(): number {
    if (this.#timer === undefined) return 0;
    const remainingMs = this.#endsAt - performance.now();
    if (remainingMs > 0 && this.#startedWith === setTimeout) return remainingMs;
    this.#end();
    return 0;
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

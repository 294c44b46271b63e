/** Bounds on all calls of a client together. */
export interface ThrottleLimits {
  /** Requests started in a second at most, evenly spaced; default no bound. */
  readonly requestsPerSecond?: number | undefined;
  /** Requests in flight at most; default no bound. */
  readonly concurrency?: number | undefined;
}

/** A limiter of your own, such as one that many machines share. */
export interface ThrottleLimiter {
  /** Resolves when one request may start; rejects when `signal` aborts. */
  acquire(signal: AbortSignal): Promise<void>;
}

interface Waiter {
  readonly start: () => void;
}

/** The one gate that every attempt of a client passes: first come, first served. */
export class Gate {
  readonly #intervalMs: number;
  readonly #concurrency: number;
  readonly #waiters = new Set<Waiter>();
  readonly #limiter: ThrottleLimiter | undefined;
  #inFlight = 0;
  #nextAt = 0;
  #heldUntil = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(throttle: ThrottleLimits | ThrottleLimiter = {}) {
    this.#limiter = 'acquire' in throttle ? throttle : undefined;
    const limits = 'acquire' in throttle ? {} : throttle;
    this.#intervalMs = limits.requestsPerSecond ? 1000 / limits.requestsPerSecond : 0;
    this.#concurrency = limits.concurrency ?? Number.POSITIVE_INFINITY;
  }

  /** Takes a turn if one is free now. */
  tryEnter(): boolean {
    const free = !this.#limiter && this.#waiters.size === 0 && this.#startable() === 0;
    if (free) this.#start();
    return free;
  }

  /** Waits for a turn; every turn taken is given back by {@link leave}. Rejects with `signal.reason`. */
  async enter(signal: AbortSignal): Promise<void> {
    await this.#limiter?.acquire(signal);
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const cancel = () => {
        this.#waiters.delete(waiter);
        if (this.#waiters.size === 0) clearTimeout(this.#timer);
        reject(signal.reason);
      };
      const waiter = {
        start: () => {
          signal.removeEventListener('abort', cancel);
          resolve();
        },
      };
      this.#waiters.add(waiter);
      signal.addEventListener('abort', cancel, { once: true });
      this.#pump();
    });
  }

  /** Gives a turn back. */
  leave(): void {
    this.#inFlight -= 1;
    if (this.#waiters.size > 0) this.#pump();
  }

  /** Lets nothing start for this many milliseconds. */
  hold(ms: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, performance.now() + ms);
  }

  /** Milliseconds until one may start; `Infinity` while it takes another to leave first. */
  #startable(): number {
    if (this.#inFlight >= this.#concurrency) return Number.POSITIVE_INFINITY;
    const at = Math.max(this.#heldUntil, this.#nextAt);
    return at === 0 ? 0 : Math.max(0, at - performance.now());
  }

  #start(): void {
    this.#inFlight += 1;
    if (this.#intervalMs > 0) this.#nextAt = Math.max(this.#nextAt, performance.now()) + this.#intervalMs;
  }

  /** Starts all that may start, and comes back when the next one may. */
  #pump(): void {
    clearTimeout(this.#timer);
    for (const waiter of this.#waiters) {
      const ms = this.#startable();
      if (ms > 0) {
        if (ms !== Number.POSITIVE_INFINITY) this.#timer = setTimeout(() => this.#pump(), Math.ceil(ms));
        return;
      }
      this.#waiters.delete(waiter);
      this.#start();
      waiter.start();
    }
  }
}

import type { Random } from '../service/random.ts';
import type { OperationName } from '../service/router.ts';
import { checkFault } from './fault-check.ts';

/** The ways in which a request can go wrong. */
export type FaultKind = 'fail' | 'stall' | 'drop' | 'latency' | 'rateLimit';

/** Which requests a fault strikes: those for one operation, or all. */
export type FaultTarget = OperationName | '*';

/** How often a fault strikes. */
export interface FaultLimits {
  /** How many requests it strikes before it is over. @defaultValue without end */
  readonly times?: number | undefined;
  /** Chance that it strikes a request, from 0 to 1. @defaultValue 1 */
  readonly chance?: number | undefined;
}

/** An answer in place of the real one. */
export interface Failure extends FaultLimits {
  /** HTTP status. @defaultValue 503 */
  readonly status?: number | undefined;
  /** Seconds, or an HTTP date, for the `Retry-After` header. @defaultValue no such header */
  readonly retryAfter?: number | string | undefined;
  /** The body: text as it is, anything else as JSON. @defaultValue the specification's error body */
  readonly body?: unknown;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether the service does what it is asked before it fails. @defaultValue false */
  readonly acted?: boolean | undefined;
}

/** An answer that never ends, or a connection that is cut. */
export interface Interruption extends FaultLimits {
  /** Before the answer's head, or half-way through its body. @defaultValue 'head' */
  readonly at?: 'head' | 'body' | undefined;
  /** Whether the service does what it is asked first; in the body it always does. @defaultValue false */
  readonly acted?: boolean | undefined;
}

/** A wait before the service acts. */
export interface Latency extends FaultLimits {
  /** Milliseconds. */
  readonly ms: number;
  /** Up to so many milliseconds more, by chance. @defaultValue 0 */
  readonly jitterMs?: number | undefined;
}

/** A limit of requests in a time, beyond which the answer is 429 with `Retry-After`. */
export interface RateLimit {
  /** How many requests are served in each span. */
  readonly requests: number;
  /** Length of the span in seconds. @defaultValue 1 */
  readonly perSeconds?: number | undefined;
}

/** A fault as data. */
export type FaultOrder =
  | ({ readonly kind: 'fail' } & Failure)
  | ({ readonly kind: 'stall' | 'drop' } & Interruption)
  | ({ readonly kind: 'latency' } & Latency)
  | ({ readonly kind: 'rateLimit' } & RateLimit);

/** A fault that is switched on. */
export interface Fault {
  /** What it does. */
  readonly kind: FaultKind;
  /** Which requests it strikes. */
  readonly operation: FaultTarget;
  /** How many requests it has struck. */
  readonly hits: number;
  /** Switches it off. */
  cancel(): void;
}

interface Active {
  readonly number: number;
  readonly operation: FaultTarget;
  readonly order: FaultOrder;
  hits: number;
  /** Rate limits alone: when the span began, and what was served in it. */
  spanStart: number;
  served: number;
}

/** What strikes one request. */
export interface Strike {
  readonly waitMs: number;
  readonly fault?: Exclude<FaultOrder, { readonly kind: 'latency' | 'rateLimit' }>;
  /** Seconds until the rate limit lets requests through again. */
  readonly limitedFor?: number;
}

/** The faults that are switched on, in the order in which they were. */
export class Faults {
  readonly #random: Random;
  readonly #now: () => Date;
  #active: Active[] = [];
  #count = 0;

  constructor(random: Random, now: () => Date) {
    this.#random = random;
    this.#now = now;
  }

  /** Switches a fault on. Throws a `RangeError` for one that cannot be. */
  add(operation: FaultTarget, order: FaultOrder): Fault {
    checkFault(operation, order);
    const active: Active = { number: ++this.#count, operation, order, hits: 0, spanStart: 0, served: 0 };
    this.#active.push(active);
    return {
      kind: order.kind,
      operation,
      get hits() {
        return active.hits;
      },
      cancel: () => {
        this.#active = this.#active.filter(other => other !== active);
      },
    };
  }

  /** Every fault that is on, as plain data. */
  list(): (FaultOrder & {
    readonly operation: FaultTarget;
    readonly hits: number;
    readonly number: number;
  })[] {
    return this.#active.map(({ number, operation, order, hits }) => ({ number, operation, hits, ...order }));
  }

  /** Switches off the fault with this number, or all; tells whether there was any. */
  clear(number?: number): boolean {
    const before = this.#active.length;
    this.#active = number === undefined ? [] : this.#active.filter(active => active.number !== number);
    return this.#active.length < before;
  }

  /** Decides what strikes a request: every latency, and the first other fault whose turn it is. */
  strike(operation: OperationName | undefined): Strike {
    let waitMs = 0;
    for (const active of this.#active.filter(({ operation: on }) => on === '*' || on === operation)) {
      const { order } = active;
      if (order.kind === 'rateLimit') {
        const limitedFor = this.#overLimit(active, order);
        if (limitedFor > 0) return { waitMs, limitedFor };
      } else if (this.#strikes(active, order)) {
        if (order.kind !== 'latency') return { waitMs, fault: order };
        waitMs += order.ms + this.#random.next() * (order.jitterMs ?? 0);
      }
    }
    return { waitMs };
  }

  #strikes(active: Active, { times = Number.POSITIVE_INFINITY, chance = 1 }: FaultLimits): boolean {
    if (active.hits >= times || (chance < 1 && this.#random.next() >= chance)) return false;
    active.hits += 1;
    return true;
  }

  /** Seconds to wait, or 0 when this request is within the limit. */
  #overLimit(active: Active, { requests, perSeconds = 1 }: RateLimit): number {
    const now = this.#now().getTime();
    if (now >= active.spanStart + perSeconds * 1000) Object.assign(active, { spanStart: now, served: 0 });
    if (active.served++ < requests) return 0;
    active.hits += 1;
    return Math.max(1, Math.ceil((active.spanStart - now) / 1000 + perSeconds));
  }
}

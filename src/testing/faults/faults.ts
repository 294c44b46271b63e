import { operationNames, operationOf } from '../service/endpoints.ts';
import type { Random } from '../service/random.ts';
import { checkOrder, checkTarget } from './fault-check.ts';
import type { ActiveFault, Fault, FaultLimits, FaultOrder, FaultTarget, RateLimit } from './kinds.ts';

interface Active {
  readonly number: number;
  readonly operation: FaultTarget;
  readonly order: FaultOrder;
  hits: number;
  /** Rate limits alone: when the span began, and how many requests were served in it. */
  spanStart: number;
  served: number;
}

/** The faults that apply to one request. */
export interface AppliedFaults {
  /** Milliseconds to wait first. */
  readonly waitMs: number;
  /** The fault that decides the response; else, with a wait, the last latency. */
  readonly fault?: ActiveFault | undefined;
  /** Seconds until the rate limit lets requests through again. */
  readonly limitedFor?: number;
}

/** The faults that are switched on, in the order in which they were. */
export class Faults {
  readonly #random: Random;
  readonly #now: () => Date;
  readonly #endpoints: () => readonly string[];
  #active: Active[] = [];
  #count = 0;

  /** @param endpoints Returns the endpoints that can be named. */
  constructor(random: Random, now: () => Date, endpoints: () => readonly string[]) {
    this.#random = random;
    this.#now = now;
    this.#endpoints = endpoints;
  }

  /** Switches a fault on. Throws a `RangeError` for one that cannot be. */
  add(operation: FaultTarget, order: FaultOrder): Fault {
    checkTarget(operation, ['*', ...operationNames, ...this.#endpoints()]);
    checkOrder(order);
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

  /** Returns every fault that is on, as plain data. */
  list(): ActiveFault[] {
    return this.#active.map(asData);
  }

  /** Switches off the fault with this number, or all. Returns `true` if there was any. */
  clear(number?: number): boolean {
    const before = this.#active.length;
    this.#active = number === undefined ? [] : this.#active.filter(active => active.number !== number);
    return this.#active.length < before;
  }

  /** Decides what applies to a request: every latency, and the first other fault whose turn it is. */
  apply(endpoint: string | undefined): AppliedFaults {
    let waitMs = 0;
    let slowedBy: ActiveFault | undefined;
    for (const active of this.#active.filter(({ operation }) => concerns(operation, endpoint))) {
      const { order } = active;
      if (order.kind === 'rateLimit') {
        const limitedFor = this.#overLimit(active, order);
        if (limitedFor > 0) return { waitMs, limitedFor, fault: asData(active) };
      } else if (this.#hits(active, order)) {
        if (order.kind !== 'latency') return { waitMs, fault: asData(active) };
        waitMs += order.ms + this.#random.next() * (order.jitterMs ?? 0);
        slowedBy = asData(active);
      }
    }
    return { waitMs, fault: slowedBy };
  }

  #hits(active: Active, { times = Number.POSITIVE_INFINITY, chance = 1 }: FaultLimits): boolean {
    if (active.hits >= times || (chance < 1 && this.#random.next() >= chance)) return false;
    active.hits += 1;
    return true;
  }

  /** Returns the seconds to wait, or 0 when this request is within the limit. */
  #overLimit(active: Active, { requests, perSeconds = 1 }: RateLimit): number {
    const now = this.#now().getTime();
    if (now >= active.spanStart + perSeconds * 1000) Object.assign(active, { spanStart: now, served: 0 });
    if (active.served++ < requests) return 0;
    active.hits += 1;
    return Math.max(1, Math.ceil((active.spanStart - now) / 1000 + perSeconds));
  }
}

function concerns(target: FaultTarget, endpoint: string | undefined): boolean {
  return (
    target === '*' || target === endpoint || (endpoint !== undefined && target === operationOf(endpoint))
  );
}

function asData({ number, operation, order, hits }: Active): ActiveFault {
  return { number, operation, hits, ...order };
}

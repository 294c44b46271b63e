import type { RecordedResponse } from '../request-log.ts';
import { contains } from '../rules.ts';
import { errorKinds } from '../service/error-response.ts';
import type { Random } from '../service/random.ts';
import { operationNames } from '../service/router.ts';
import { checkOrder, checkTarget, type FaultOrder } from './fault-rules.ts';
import type { ActiveFault, Failure, FaultKind, FaultTarget, Hold, ReceivedRequest } from './kinds.ts';

interface Active {
  readonly number: number;
  readonly operation: FaultTarget;
  readonly order: FaultOrder;
  /** Number of requests that `when` selected. */
  selected: number;
  hits: number;
  /** For a rate limit: start of the current period. */
  periodStart: number;
  served: number;
  /** For a hold: to call for each request. */
  readonly arrive: () => void;
  /** Resolves when the first request arrives, or the hold has ended without one. */
  readonly arrived: Promise<void>;
  /** For a hold: its end. */
  readonly released: Promise<void>;
  readonly release: () => void;
}

/** Returns a promise, and the function that resolves it. */
function event(): readonly [happened: Promise<void>, happen: () => void] {
  let happen = () => {};
  const happened = new Promise<void>(resolve => {
    happen = resolve;
  });
  return [happened, happen];
}

/** A wait of a request. */
export interface Pause {
  ms: number;
  /** Holds to wait for. */
  readonly holds: Promise<void>[];
}

/** The faults that apply to one request. */
export interface AppliedFaults {
  /** Every one of them; if one decides the response, it is the last. */
  readonly faults: ActiveFault[];
  /** Wait before the service performs the request. */
  readonly before: Pause;
  /** Wait after it. */
  readonly after: Pause;
  /** Seconds until the rate limit allows requests again. */
  limitedFor?: number;
}

/** Faults that decide the response. */
const decisive = new Set<FaultKind>(['fail', 'stall', 'drop', 'rateLimit']);

/** The active faults, oldest first. A fault ends after `times` requests, a hold when it is released. */
export class Faults {
  readonly #random: Random;
  readonly #now: () => Date;
  readonly #endpoints: () => readonly string[];
  #active: Active[] = [];
  /** Every fault since the last reset, by number. */
  #added = new Map<number, Active>();
  #count = 0;

  /** @param endpoints Returns the endpoints that exist. */
  constructor(random: Random, now: () => Date, endpoints: () => readonly string[]) {
    this.#random = random;
    this.#now = now;
    this.#endpoints = endpoints;
  }

  /** Adds a fault. Throws a `RangeError` if it is invalid. */
  add(operation: FaultTarget, order: FaultOrder): Hold {
    checkTarget(operation, ['*', ...operationNames, ...this.#endpoints()]);
    checkOrder(order);
    const counts = { number: ++this.#count, selected: 0, hits: 0, periodStart: 0, served: 0 };
    const [applied, arrive] = event();
    const [released, release] = event();
    const arrived = Promise.race([applied, released]);
    const active: Active = { ...counts, operation, order, arrive, arrived, released, release };
    this.#active.push(active);
    this.#added.set(active.number, active);
    const cancel = () => this.#remove(other => other === active);
    return {
      kind: order.kind,
      operation,
      get hits() {
        return active.hits;
      },
      arrived,
      cancel,
      release: cancel,
    };
  }

  /** Returns the active faults as plain data. */
  list(): ActiveFault[] {
    return this.#active.map(asData);
  }

  /** Returns the fault with this number, also after it has ended; `undefined` after a reset. */
  get(number: number): ActiveFault | undefined {
    const active = this.#added.get(number);
    return active && asData(active);
  }

  /** Removes all faults, and forgets those that have ended. */
  reset(): void {
    this.clear();
    this.#added.clear();
  }

  /** Removes the fault with this number, or all faults. Returns `true` if there was one. */
  clear(number?: number): boolean {
    const before = this.#active.length;
    this.#remove(active => number === undefined || active.number === number);
    return this.#active.length < before;
  }

  /** Returns the faults for a request: the first that decides the response, and every other before it. */
  apply(request: ReceivedRequest): AppliedFaults {
    const applied: AppliedFaults = {
      faults: [],
      before: { ms: 0, holds: [] },
      after: { ms: 0, holds: [] },
    };
    for (const active of this.#active.filter(each => concerns(each, request))) {
      const { kind } = active.order;
      const limitedFor = kind === 'rateLimit' ? this.#overLimit(active) : 0;
      if (kind === 'rateLimit' ? limitedFor === 0 : !this.#hits(active, request)) continue;
      applied.faults.push(asData(active));
      if (kind === 'rateLimit') applied.limitedFor = limitedFor;
      if (decisive.has(kind)) break;
      this.#add(active, applied);
    }
    return applied;
  }

  /** Adds the effect of a fault that leaves the response to the service. */
  #add(active: Active, applied: AppliedFaults): void {
    const { kind, acted, ms = 0, jitterMs = 0 } = active.order;
    const pause = acted === true ? applied.after : applied.before;
    if (kind === 'latency') pause.ms += ms + this.#random.next() * jitterMs;
    if (kind === 'hold') pause.holds.push(active.released);
  }

  #hits(active: Active, request: ReceivedRequest): boolean {
    const { kind, when = {}, after = 0, times = Number.POSITIVE_INFINITY, chance = 1 } = active.order;
    if (active.hits >= times) return false;
    if (typeof when === 'function' ? !when(request) : !contains(request, when)) return false;
    if (++active.selected <= after) return false;
    if (chance < 1 && this.#random.next() >= chance) return false;
    active.hits += 1;
    active.arrive();
    if (active.hits >= times && kind !== 'hold') this.#remove(other => other === active);
    return true;
  }

  #remove(removed: (active: Active) => boolean): void {
    for (const active of this.#active.filter(removed)) active.release();
    this.#active = this.#active.filter(active => !removed(active));
  }

  /** Returns the seconds to wait; 0 if the request is within the limit. */
  #overLimit(active: Active): number {
    const { requests = 0, perSeconds = 1 } = active.order;
    const now = this.#now().getTime();
    if (now >= active.periodStart + perSeconds * 1000) Object.assign(active, { periodStart: now, served: 0 });
    if (active.served++ < requests) return 0;
    active.hits += 1;
    return Math.ceil((active.periodStart - now) / 1000 + perSeconds);
  }
}

function concerns({ operation: target }: Active, { endpoint, operation }: ReceivedRequest): boolean {
  return target === '*' || target === endpoint || target === operation;
}

function asData({ number, operation, order, hits }: Active): ActiveFault {
  return { number, operation, hits, ...order };
}

/** Statuses whose responses have no body. */
export const bodiless = new Set([204, 205, 304]);

/** Default messages by HTTP status: the service's own, and those of gateways. */
const messages: Readonly<Record<number, string>> = {
  ...Object.fromEntries(Object.values(errorKinds).map(([status, message]) => [status, message])),
  400: 'request body not in proper format',
  403: 'permission denied',
  502: 'bad gateway',
  503: 'service unavailable',
  504: 'gateway timed out',
};

/** Returns the response of a `fail` fault. */
export function failureResponse({ status = 503, retryAfter, body, headers }: Failure): RecordedResponse {
  const message = messages[status] ?? `request failed with status ${status}`;
  const json = body === undefined ? { status: status === 401 ? 401 : 'error', message } : body;
  const plain = typeof json === 'string';
  return {
    status,
    text: bodiless.has(status) ? '' : plain ? json : JSON.stringify(json),
    headers: {
      'content-type': plain ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
      ...(retryAfter === undefined ? {} : { 'retry-after': `${retryAfter}` }),
      ...headers,
    },
  };
}

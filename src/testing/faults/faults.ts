import type { RecordedResponse } from '../request-log.ts';
import type { Random } from '../service/random.ts';
import { operationNames, operationOf } from '../service/router.ts';
import { checkOrder, checkTarget, type FaultOrder } from './check.ts';
import type { ActiveFault, Failure, Fault, FaultTarget } from './kinds.ts';

interface Active {
  readonly number: number;
  readonly operation: FaultTarget;
  readonly order: FaultOrder;
  hits: number;
  /** For a rate limit: start of the current period. */
  periodStart: number;
  served: number;
}

/** The faults that apply to one request. */
export interface AppliedFaults {
  /** Delay before the response, in milliseconds. */
  readonly waitMs: number;
  /** The fault that decides the response; otherwise the last latency. */
  readonly fault?: ActiveFault | undefined;
  /** Seconds until the rate limit allows requests again. */
  readonly limitedFor?: number;
}

/** The active faults, oldest first. A fault ends after `times` requests. */
export class Faults {
  readonly #random: Random;
  readonly #now: () => Date;
  readonly #endpoints: () => readonly string[];
  #active: Active[] = [];
  #count = 0;

  /** @param endpoints Returns the endpoints that exist. */
  constructor(random: Random, now: () => Date, endpoints: () => readonly string[]) {
    this.#random = random;
    this.#now = now;
    this.#endpoints = endpoints;
  }

  /** Adds a fault. Throws a `RangeError` if it is invalid. */
  add(operation: FaultTarget, order: FaultOrder): Fault {
    checkTarget(operation, ['*', ...operationNames, ...this.#endpoints()]);
    checkOrder(order);
    const active: Active = { number: ++this.#count, operation, order, hits: 0, periodStart: 0, served: 0 };
    this.#active.push(active);
    return {
      kind: order.kind,
      operation,
      get hits() {
        return active.hits;
      },
      cancel: () => this.#remove(active),
    };
  }

  /** Returns the active faults as plain data. */
  list(): ActiveFault[] {
    return this.#active.map(asData);
  }

  /** Removes the fault with this number, or all faults. Returns `true` if there was one. */
  clear(number?: number): boolean {
    const before = this.#active.length;
    this.#active = number === undefined ? [] : this.#active.filter(active => active.number !== number);
    return this.#active.length < before;
  }

  /** Returns the faults for a request: the first that is not a latency, and each latency before it. */
  apply(endpoint: string | undefined): AppliedFaults {
    let waitMs = 0;
    let slowedBy: ActiveFault | undefined;
    for (const active of this.#active.filter(({ operation }) => concerns(operation, endpoint))) {
      const { order } = active;
      if (order.kind === 'rateLimit') {
        const limitedFor = this.#overLimit(active);
        if (limitedFor > 0) return { waitMs, limitedFor, fault: asData(active) };
      } else if (this.#hits(active)) {
        if (order.kind !== 'latency') return { waitMs, fault: asData(active) };
        waitMs += (order.ms ?? 0) + this.#random.next() * (order.jitterMs ?? 0);
        slowedBy = asData(active);
      }
    }
    return { waitMs, fault: slowedBy };
  }

  #hits(active: Active): boolean {
    const { times = Number.POSITIVE_INFINITY, chance = 1 } = active.order;
    if (chance < 1 && this.#random.next() >= chance) return false;
    active.hits += 1;
    if (active.hits >= times) this.#remove(active);
    return true;
  }

  #remove(active: Active): void {
    this.#active = this.#active.filter(other => other !== active);
  }

  /** Returns the seconds to wait; 0 if the request is within the limit. */
  #overLimit(active: Active): number {
    const { requests = 0, perSeconds = 1 } = active.order;
    const now = this.#now().getTime();
    if (now >= active.periodStart + perSeconds * 1000) Object.assign(active, { periodStart: now, served: 0 });
    if (active.served++ < requests) return 0;
    active.hits += 1;
    return Math.max(1, Math.ceil((active.periodStart - now) / 1000 + perSeconds));
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

const defaultStatus = 503;
/** Statuses whose responses have no body. */
export const bodiless = new Set([204, 205, 304]);

/** Default messages by HTTP status: the service's own, if documented. */
const messages: Readonly<Record<number, string>> = {
  400: 'request body not in proper format',
  401: 'team id or API key not valid',
  403: 'permission denied',
  404: 'resource not found',
  405: 'method not allowed',
  408: 'request timed out',
  409: 'resource with this name already exists',
  413: 'request body too large',
  422: 'request body not in proper format',
  429: 'too many requests',
  500: 'internal server error occurred',
  501: 'not implemented',
  502: 'bad gateway',
  503: 'service unavailable',
  504: 'gateway timed out',
};

/** Returns the response of a `fail` fault. */
export function failureResponse({
  status = defaultStatus,
  retryAfter,
  body,
  headers,
}: Failure): RecordedResponse {
  const json = body === undefined ? errorBody(status) : body;
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

function errorBody(status: number): unknown {
  return {
    status: status === 401 ? 401 : 'error',
    message: messages[status] ?? `request failed with status ${status}`,
  };
}

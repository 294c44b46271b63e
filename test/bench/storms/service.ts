// The service in virtual time that the scenarios of storms call.
import { now, pass } from './virtual-time.ts';

/** Shortest and longest time that the service takes for a response, in milliseconds. */
const latencyMs = { min: 30, max: 70 };

/** Share of a rate from which on a service counts as busy again. */
const busyShare = 4 / 5;

/** A response that the service gives in place of accepting a request. */
export interface Refusal {
  readonly status: number;
  readonly retryAfter?: number | undefined;
}

/** Decides on a request by its number, from 1; `undefined` accepts it. */
export type Policy = (request: number) => Refusal | undefined;

/** A service that creates tags as its policy allows, and counts what it is sent. */
export class Service {
  requests = 0;
  /** Requests accepted in each second of the clock. */
  readonly #accepted: number[] = [];
  readonly #policy: Policy;

  constructor(policy: Policy) {
    this.#policy = policy;
  }

  /** Responds to a client, as its `fetch` option. */
  readonly fetch = async (): Promise<Response> => {
    this.requests += 1;
    const refusal = this.#policy(this.requests);
    const second = Math.floor(now());
    if (!refusal) this.#accepted[second] = (this.#accepted[second] ?? 0) + 1;
    await pass(latencyMs.min + Math.random() * (latencyMs.max - latencyMs.min));
    return refusal ? refuse(refusal) : created();
  };

  /** Returns the seconds from one of the clock to the first in which four fifths of a rate were accepted. */
  secondsUntilBusy(from: number, ratePerSecond: number): number | undefined {
    const second = this.#accepted.findIndex((count, at) => at >= from && count >= ratePerSecond * busyShare);
    return second === -1 ? undefined : second - from;
  }
}

const created = () =>
  Response.json({ id: 'tag_1', name: 'n', created: '2026-01-01T00:00:00Z', updated: '2026-01-01T00:00:00Z' });

function refuse({ status, retryAfter }: Refusal): Response {
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return Response.json({ status: 'error', message: 'come back later' }, { status, headers });
}

/** Refuses every n-th request, however fast they come. */
export const everyNthRefused =
  (n: number): Policy =>
  request =>
    request % n === 0 ? { status: 429, retryAfter: 1 } : undefined;

/** Refuses every request. */
export const allRefused: Policy = () => ({ status: 429, retryAfter: 1 });

/** Refuses a share of the requests, however fast they come. */
export const refusedAtRandom =
  (share: number): Policy =>
  () =>
    Math.random() < share ? { status: 429, retryAfter: 1 } : undefined;

/** Accepts so many requests in each second of the clock, as rate limits commonly count. */
export function limitPerSecond(limitAt: (second: number) => number): Policy {
  let second = -1;
  let accepted = 0;
  return () => {
    const current = Math.floor(now());
    if (current !== second) accepted = 0;
    second = current;
    accepted += 1;
    return accepted > limitAt(current) ? { status: 429, retryAfter: 1 } : undefined;
  };
}

/** Refuses every request from one second of the clock to another. */
export const outage =
  (from: number, to: number, refusal: Refusal): Policy =>
  () => {
    const seconds = now();
    return seconds >= from && seconds < to ? refusal : undefined;
  };

import { contains } from '../rules.ts';
import { operationNames } from '../service/router.ts';
import type { ActiveFault, FaultKind, FaultTarget, Hold, ReceivedRequest } from './fault-kinds.ts';
import { checkSettings, checkTarget, type FaultSettings } from './fault-rules.ts';

interface Active {
  readonly number: number;
  readonly operation: FaultTarget;
  readonly settings: FaultSettings;
  /** Number of requests that `when` selected. */
  selected: number;
  hits: number;
  /** For a hold: to call for each request. */
  readonly arrive: () => void;
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

/** A fault that applies to a request. */
export interface AppliedFault {
  readonly fault: ActiveFault;
  /** For a hold: its end. */
  readonly released: Promise<void>;
}

/** Faults that decide the response. */
const decisive = new Set<FaultKind>(['fail', 'stall', 'drop']);

/** The active faults, oldest first. A fault ends after `times` requests, a hold when it is released. */
export class Faults {
  readonly #endpoints: () => readonly string[];
  #active: Active[] = [];
  /** Every fault since the last reset, by number. */
  readonly #added = new Map<number, Active>();
  #count = 0;

  /** @param endpoints Returns the endpoints that exist. */
  constructor(endpoints: () => readonly string[]) {
    this.#endpoints = endpoints;
  }

  /** Adds a fault, which may come as JSON. Throws a `RangeError` if it is invalid. */
  add(operation: string, settings: { readonly kind: string }): Hold {
    checkTarget(operation, ['*', ...operationNames, ...this.#endpoints()]);
    checkSettings(settings);
    const [applied, arrive] = event();
    const [released, release] = event();
    const number = ++this.#count;
    const active: Active = { number, operation, settings, selected: 0, hits: 0, arrive, released, release };
    this.#active.push(active);
    this.#added.set(number, active);
    const cancel = () => this.remove(number);
    return {
      number,
      kind: settings.kind,
      operation,
      get hits() {
        return active.hits;
      },
      arrived: Promise.race([applied, released]),
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

  /** Removes all faults. */
  clear(): void {
    for (const { release } of this.#active) release();
    this.#active = [];
  }

  /** Removes the fault with this number, if it has not ended. */
  remove(number: number): void {
    this.#added.get(number)?.release();
    this.#active = this.#active.filter(active => active.number !== number);
  }

  /** Returns the faults for a request: the first that decides the response, and every other before it. */
  apply(request: ReceivedRequest): AppliedFault[] {
    const applied: AppliedFault[] = [];
    for (const active of this.#active) {
      if (!this.#hits(active, request)) continue;
      applied.push({ fault: asData(active), released: active.released });
      if (decisive.has(active.settings.kind)) break;
    }
    return applied;
  }

  #hits(active: Active, request: ReceivedRequest): boolean {
    const { number, operation: target } = active;
    const { kind, when = {}, after = 0, times = Number.POSITIVE_INFINITY } = active.settings;
    if (target !== '*' && target !== request.endpoint && target !== request.operation) return false;
    if (active.hits >= times) return false;
    if (typeof when === 'function' ? !when(request) : !contains(request, when)) return false;
    if (++active.selected <= after) return false;
    active.hits += 1;
    active.arrive();
    if (active.hits >= times && kind !== 'hold') this.remove(number);
    return true;
  }
}

function asData({ number, operation, settings, hits }: Active): ActiveFault {
  return { number, operation, hits, ...settings };
}

import { onAbort } from '../../core/timers.ts';
import { contains } from '../rules.ts';
import { operationNames } from '../service/router.ts';
import type { ActiveFault, FaultKind, FaultTarget, Hold, ReceivedRequest } from './fault-kinds.ts';
import { checkSettings, checkTarget, type FaultSettings } from './fault-rules.ts';

interface AddedFault {
  readonly number: number;
  readonly operation: FaultTarget;
  readonly settings: FaultSettings;
  /** Number of requests that `when` selected. */
  selected: number;
  hits: number;
  /** For a hold: called for each request. */
  readonly arrive: () => void;
  readonly ended: AbortController;
}

/** A fault that applies to a request. */
export interface AppliedFault {
  readonly fault: ActiveFault;
  /** Aborts when the fault ends. */
  readonly ended: AbortSignal;
}

/** Faults that decide the response. */
const decisive = new Set<FaultKind>(['fail', 'stall', 'drop']);

/** All faults since the last reset, by number from 1. One ends after `times` requests, a hold when it is released. */
export class Faults {
  readonly #endpoints: () => readonly string[];
  #added: AddedFault[] = [];

  /** @param endpoints Returns the endpoints that exist. */
  constructor(endpoints: () => readonly string[]) {
    this.#endpoints = endpoints;
  }

  /** Adds a fault, which may come as JSON. Throws a `RangeError` if it is invalid. */
  add(operation: string, settings: { readonly kind: string }): Hold {
    checkTarget(operation, ['*', ...operationNames, ...this.#endpoints()]);
    checkSettings(settings);
    const number = this.#added.length + 1;
    const ended = new AbortController();
    let arrive = () => {};
    const arrived = new Promise<void>(resolve => {
      arrive = resolve;
      onAbort(ended.signal, resolve);
    });
    const added: AddedFault = { number, operation, settings, selected: 0, hits: 0, arrive, ended };
    this.#added.push(added);
    const cancel = () => ended.abort();
    return {
      number,
      kind: settings.kind,
      operation,
      get hits() {
        return added.hits;
      },
      arrived,
      cancel,
      release: cancel,
    };
  }

  /** Returns the active faults as plain data. */
  list(): ActiveFault[] {
    return this.#added.filter(({ ended }) => !ended.signal.aborted).map(asData);
  }

  /** Returns the fault with this number, even after it has ended; `undefined` after a reset. */
  get(number: number): ActiveFault | undefined {
    const added = this.#added[number - 1];
    return added && asData(added);
  }

  /** Removes all faults, and forgets those that have ended. */
  reset(): void {
    this.clear();
    this.#added = [];
  }

  /** Removes all faults. */
  clear(): void {
    for (const { ended } of this.#added) ended.abort();
  }

  /** Removes the fault with this number, if it has not ended. */
  remove(number: number): void {
    this.#added[number - 1]?.ended.abort();
  }

  /** Returns the faults for a request: the first that decides the response, and every other before it. */
  apply(request: ReceivedRequest): AppliedFault[] {
    const applied: AppliedFault[] = [];
    for (const added of this.#added) {
      if (!hits(added, request)) continue;
      applied.push({ fault: asData(added), ended: added.ended.signal });
      if (decisive.has(added.settings.kind)) break;
    }
    return applied;
  }
}

/** Whether a fault applies to a request. If so, counts the request. */
function hits(fault: AddedFault, request: ReceivedRequest): boolean {
  const { operation: target } = fault;
  const { kind, when = {}, after = 0, times = Number.POSITIVE_INFINITY } = fault.settings;
  if (fault.ended.signal.aborted || fault.hits >= times) return false;
  if (target !== '*' && target !== request.endpoint && target !== request.operation) return false;
  if (typeof when === 'function' ? !when(request) : !contains(request, when)) return false;
  if (++fault.selected <= after) return false;
  fault.hits += 1;
  fault.arrive();
  if (fault.hits >= times && kind !== 'hold') fault.ended.abort();
  return true;
}

function asData({ number, operation, settings, hits }: AddedFault): ActiveFault {
  return { number, operation, hits, ...settings };
}

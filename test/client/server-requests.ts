// Requests of a runtime such as Cloudflare Workers, where what belongs to a request ends with it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { vi } from 'vitest';
import type { FetchFunction } from '../../src/index.ts';

/** A request that a server receives. */
interface ServerRequest {
  hasEnded: boolean;
  /** Timers that it has started and that have neither fired nor been cleared. */
  readonly timers: Set<unknown>;
}

const current = new AsyncLocalStorage<ServerRequest>();

/**
 * Gives timers to the request that starts them, until mocks are restored: they end with it, and no other can clear them.
 * Use after fake timers.
 */
export function giveTimersToRequests(): void {
  const { setTimeout: start, clearTimeout: clear } = globalThis;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((callback: () => void, ms: number) => {
    const request = current.getStore();
    const timer = start(() => {
      if (!request?.timers.delete(timer)) return;
      if (!request.hasEnded) current.run(request, callback);
    }, ms);
    request?.timers.add(timer);
    return timer;
  }) as never);
  vi.spyOn(globalThis, 'clearTimeout').mockImplementation(timer => {
    if (current.getStore()?.timers.delete(timer)) clear(timer);
  });
}

/** Runs a function as one request, which can be ended. */
export function serverRequest<T>(run: () => T) {
  const request: ServerRequest = { hasEnded: false, timers: new Set() };
  const end = () => {
    request.hasEnded = true;
  };
  return { result: current.run(request, run), timers: request.timers, end };
}

/** Returns a `fetch` that responds to a request after `ms` milliseconds, unless that ends before. */
export function fetchOfRequests(ms: number) {
  const startedAt = performance.now();
  const sentAt: number[] = [];
  const fetch: FetchFunction = async () => {
    // Nothing goes on in a request that has ended.
    if (current.getStore()?.hasEnded) return new Promise(() => {});
    sentAt.push(Math.round(performance.now() - startedAt));
    await new Promise<void>(resolve => setTimeout(resolve, ms));
    return { status: 200, headers: new Headers(), text: async () => '[]' };
  };
  return { fetch, sentAt };
}

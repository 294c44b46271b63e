import type { TimeoutError } from '../errors.ts';

/** Longest delay that timers support, in milliseconds (24.8 days). Longer ones fire immediately. */
export const maxTimerMs = 2 ** 31 - 1;

export type Timer = ReturnType<typeof setTimeout>;

/** Starts a timer, with its delay limited to what timers support. */
export const startTimer = (callback: () => void, ms: number): Timer =>
  setTimeout(callback, Math.min(Math.ceil(ms), maxTimerMs));

/** Abort reason and rejection when a time limit is exceeded. Internal to the library. */
export class TimeLimitExceeded extends Error {
  readonly limit: TimeoutError['limit'];

  constructor(limit: TimeoutError['limit'] = 'timeout') {
    super();
    this.limit = limit;
  }
}

/**
 * Calls `listener` once when `signal` aborts, immediately if it already has. Returns a function that removes the
 * listener.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal?.aborted) listener();
  else signal?.addEventListener('abort', listener, { once: true });
  return () => signal?.removeEventListener('abort', listener);
}

/** Throws the reason of an aborted signal. Signals of polyfills lack this method. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason;
}

/** Resolves after `ms` milliseconds. Rejects with `signal.reason` when `signal` aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = startTimer(() => {
      removeListener();
      resolve();
    }, ms);
    const removeListener = onAbort(signal, () => {
      clearTimeout(timer);
      reject(signal?.reason);
    });
  });
}

/** Runs `task` with a signal that aborts when one of `signals` does, or after `ms`. Settles as `task` does. */
export async function withDeadline<T>(
  ms: number,
  signals: readonly (AbortSignal | undefined)[],
  task: (signal: AbortSignal) => Promise<T>,
  limit?: TimeoutError['limit'],
): Promise<T> {
  signals.forEach(throwIfAborted);
  const controller = new AbortController();
  const unlink = signals.map(signal => onAbort(signal, () => controller.abort(signal?.reason)));
  // Times longer than timers support are unlimited.
  const timer = ms <= maxTimerMs && startTimer(() => controller.abort(new TimeLimitExceeded(limit)), ms);
  try {
    return await task(controller.signal);
  } finally {
    if (timer) clearTimeout(timer);
    for (const removeListener of unlink) removeListener();
  }
}

/** As {@link withDeadline}, but rejects as soon as the signal aborts, even if `task` ignores it. */
export const withTimeout = <T>(
  ms: number,
  signals: readonly (AbortSignal | undefined)[],
  task: (signal: AbortSignal) => Promise<T>,
  limit?: TimeoutError['limit'],
): Promise<T> => withDeadline(ms, signals, linked => untilAborted(linked, task(linked)), limit);

/** Settles as `promise` does, or rejects with `signal.reason` as soon as `signal` aborts. */
export async function untilAborted<T>(signal: AbortSignal, promise: PromiseLike<T>): Promise<T> {
  let removeListener = () => {};
  const aborted = new Promise<never>((_, reject) => {
    removeListener = onAbort(signal, () => reject(signal.reason));
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    removeListener();
  }
}

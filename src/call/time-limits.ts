import { withTimeout } from '../core/timers.ts';
import type { Call } from './call-state.ts';

/** Returns the milliseconds until `totalTimeout` ends the call. */
export const timeLeftMs = ({ startedAt, options }: Call): number =>
  Math.max(0, startedAt + options.totalTimeout - performance.now());

/** Runs a task within the time limits of an attempt and until the call is aborted, even if it ignores its signal. */
export function withinLimits<T>(call: Call, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, timeout } = call.options;
  const leftMs = timeLeftMs(call);
  return leftMs < timeout
    ? withTimeout(leftMs, [signal], task, 'totalTimeout')
    : withTimeout(timeout, [signal], task, 'timeout');
}

/** Thrown by {@link within} when its time ran out. */
export const timedOut = Symbol('timed out');

/** The longest time that a timer can hold, in milliseconds: 24.8 days. */
export const longestTimerMs = 2 ** 31 - 1;

/**
 * Links `controller` to `signal`. `aborted` rejects with the signal's reason at once, also where what runs does not
 * heed its signal; `release` unlinks, so that a signal that outlives many calls keeps no listener.
 */
export function follow(signal: AbortSignal, controller: AbortController) {
  let release = () => {};
  const aborted = new Promise<never>((_, reject) => {
    const stop = () => {
      controller.abort(signal.reason);
      reject(signal.reason);
    };
    release = () => signal.removeEventListener('abort', stop);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  return { aborted, release };
}

/** Runs something for `ms` milliseconds at most (`Infinity`: no limit), and until `signal` aborts. */
export async function within<T>(
  ms: number,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const link = signal && follow(signal, controller);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const racers = [run(controller.signal)];
  if (link) racers.push(link.aborted);
  if (ms <= longestTimerMs)
    racers.push(
      new Promise((_, reject) => {
        timer = setTimeout(() => reject(timedOut), ms);
      }),
    );
  try {
    return await Promise.race(racers);
  } catch (error) {
    controller.abort(error);
    throw error;
  } finally {
    clearTimeout(timer);
    link?.release();
  }
}

/** Resolves after `ms` milliseconds, or rejects with the signal's reason. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', cancel);
      resolve();
    }, ms);
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel, { once: true });
  });
}

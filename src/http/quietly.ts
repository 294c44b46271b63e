/**
 * Calls a function that the user gave to observe with. An error that it throws, and a promise of it that rejects, are
 * dropped: an observer changes no result and never makes an unhandled rejection.
 */
export function quietly(run: () => unknown): void {
  try {
    const result = run();
    if (typeof result === 'object' && result !== null) Promise.resolve(result).catch(() => {});
  } catch {}
}

/**
 * Calls a function that the user gave to observe with. An error that it throws, and a promise of it that rejects, are
 * dropped: an observer changes no result and never makes an unhandled rejection.
 */
export function quietly(run: () => unknown): void {
  try {
    Promise.resolve(run()).catch(() => {});
  } catch {}
}

/**
 * Calls an observer of the user. If it throws or rejects, the error is ignored: an observer changes no result, and causes
 * no unhandled rejection.
 */
export function ignoreErrors(run: () => unknown): void {
  try {
    Promise.resolve(run()).catch(() => {});
  } catch {}
}

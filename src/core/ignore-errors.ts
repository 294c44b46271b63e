/** Calls an observer of the user, and ignores what it throws or rejects with: an observer changes no result. */
export function ignoreErrors(run: () => unknown): void {
  try {
    Promise.resolve(run()).catch(() => {});
  } catch {}
}

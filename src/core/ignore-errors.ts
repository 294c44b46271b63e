/** Calls a user's observer. Its errors and rejections are ignored, so that it cannot change a result. */
export function ignoreErrors(run: () => unknown): void {
  try {
    Promise.resolve(run()).catch(() => {});
  } catch {}
}

/** Runs something for at most `ms` milliseconds; `Infinity` is no limit. */
export async function withTimeLimit<T>(
  ms: number,
  run: () => T | Promise<T>,
  timeoutError: () => Error,
): Promise<T> {
  if (ms === Number.POSITIVE_INFINITY) return run();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timeoutError()), ms);
  });
  try {
    return await Promise.race([run(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

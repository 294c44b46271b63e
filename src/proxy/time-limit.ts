/** Longest time that a timer can hold, in milliseconds: 24.8 days. */
const longestTimer = 2 ** 31 - 1;

/** Runs something for at most `ms` milliseconds; beyond `longestTimer` there is no limit. */
export async function withTimeLimit<T>(
  ms: number,
  run: () => T | Promise<T>,
  timeoutError: () => Error,
): Promise<T> {
  if (ms > longestTimer) return run();
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

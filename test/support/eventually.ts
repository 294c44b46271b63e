import { vi } from 'vitest';

/** Resolves as soon as a check passes, with time enough for a busy machine. */
export const eventually = (check: () => unknown): Promise<unknown> =>
  vi.waitFor(check, { interval: 2, timeout: 20_000 });

import { vi } from 'vitest';

/** Resolves as soon as a check passes. A busy machine may take its time. */
export const eventually = (check: () => unknown): Promise<unknown> =>
  vi.waitFor(check, { interval: 2, timeout: 20_000 });

import type { AttemptContext } from '../../../src/http/transport.ts';

/** Makes the context of an attempt, by default with generous limits. */
export const attemptOf = (context: Partial<AttemptContext> = {}): AttemptContext => ({
  timeoutMs: 1_000,
  timeLeftMs: () => Number.POSITIVE_INFINITY,
  signal: undefined,
  maxBytes: 1_000,
  mayHaveActed: false,
  keyRefused: false,
  phase: 'head',
  maySend: true,
  begin() {},
  ...context,
});

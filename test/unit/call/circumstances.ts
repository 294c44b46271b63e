import type { Circumstances } from '../../../src/call/attempt.ts';
import { callDefaults, mergeCallOptions } from '../../../src/call/call-options.ts';
import { type Failure, toError } from '../../../src/call/failure.ts';

/** What the first attempt of a call is given. */
export const circumstances = (url = 'https://api.example.com/api/v1/rest'): Circumstances => ({
  url: new URL(url),
  options: mergeCallOptions(callDefaults, {}),
  settings: { redact: text => text, maxResponseBytes: 1_000 },
  endsAt: Number.POSITIVE_INFINITY,
  mayHaveActed: false,
  isKeyRefused: false,
  onSend: () => {},
});

/** The error of a call of `tags.create` that failed once. */
export const errorOfOne = (failure: Failure) =>
  toError('tags.create', [failure], [{ durationMs: 0, waitMs: 0, reason: failure.reason }], false);

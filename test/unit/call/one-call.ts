import { callDefaults, mergeCallOptions } from '../../../src/call/call-options.ts';
import { type CallFailure, type FailureContext, toError } from '../../../src/call/failure.ts';

/** A call to this URL, as far as its failures are described with it. */
export const describedCall = (url = 'https://api.example.com/api/v1/rest'): FailureContext => ({
  url: new URL(url),
  options: mergeCallOptions(callDefaults, {}),
  settings: { redact: text => text, copyError: error => error, maxResponseBytes: 1_000 },
});

/** The error of a call of `tags.create` that failed once. */
export const errorOfOne = (failure: CallFailure) =>
  toError('tags.create', [failure], [{ durationMs: 0, waitMs: 0, reason: failure.reason }], false);

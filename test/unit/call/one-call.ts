import { startCall } from '../../../src/call/call.ts';
import { callDefaults, mergeCallOptions } from '../../../src/call/call-options.ts';
import type { Call, CallEndpoint, CallFailure, CallSettings } from '../../../src/call/call-state.ts';
import { toError } from '../../../src/call/failure.ts';

const endpoint: CallEndpoint = { name: 'tags.create', method: 'POST', path: '/tag', kind: 'create' };

/** A call of `tags.create` to this URL that has just started. */
export const startedCall = (
  url = 'https://api.example.com/api/v1/rest',
  settings: Partial<CallSettings> = {},
): Call =>
  startCall(endpoint, new URL(url), {
    options: mergeCallOptions(callDefaults, {}),
    hooks: [],
    redact: text => text,
    copyError: error => error,
    maxResponseBytes: 1_000,
    ...settings,
  });

/** The error of a call of `tags.create` that failed once. */
export const errorOfOne = (failure: CallFailure) =>
  toError({
    ...startedCall(),
    failures: [failure],
    attempts: [{ durationMs: 0, waitMs: 0, reason: failure.reason }],
  });

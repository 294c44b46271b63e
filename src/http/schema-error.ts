import { type CallState, toError } from './call-state.ts';
import { schemaFailure, timeoutFailure } from './response/failure.ts';
import type { Redaction } from './secrets/redactor.ts';
import { TimeLimitExceeded } from './timers.ts';

/** Returns the error of a call whose schema threw, or took too long. Throws the reason of an abort. */
export function schemaError(call: CallState, error: unknown): Error {
  const { signal, totalTimeout } = call.options;
  if (signal?.aborted) throw signal.reason;
  if (error instanceof TimeLimitExceeded)
    return toError(call, timeoutFailure('totalTimeout', totalTimeout, 'body', 'done'));
  return toError(call, schemaFailure(withoutSecrets(error, call.redactor)));
}

/** Copies what a schema threw: its text can hold parts of the response, and so a key that the service repeated. */
function withoutSecrets(thrown: unknown, redactor: Redaction): Error {
  const { name = 'Error', message = String(thrown), stack = '' } = thrown instanceof Error ? thrown : {};
  const copy = new Error(redactor.text(message));
  return Object.assign(copy, { name: redactor.text(name), stack: redactor.text(stack) });
}

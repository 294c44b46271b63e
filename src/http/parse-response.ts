import type { Issue } from '../errors.ts';
import { type CallState, timeLeftMs, toError } from './call-state.ts';
import { invalidResponse, schemaFailure, timeoutFailure } from './failure.ts';
import type { Redaction } from './http-context.ts';
import type { ResponseResult, Validation } from './operation.ts';
import type { Success } from './read-response.ts';
import { TimeLimitExceeded, withTimeout } from './timers.ts';

/** Value of a response, and where it differs from what is documented. */
export interface ParsedResponse<Output> {
  readonly value: Output;
  readonly drift: readonly Issue[];
}

/** Parses the JSON of a response by the operation's schema. Throws the error of the call where it cannot be used. */
export async function parseResponse<Output>(
  call: CallState<Output>,
  { json, response }: Success,
  validation: Validation,
  redactor: Redaction,
): Promise<ParsedResponse<Output>> {
  const parsed = await runSchema(call, json, validation, redactor);
  const issues = (parsed.ok ? parsed.drift : parsed.issues).map(issue => ({
    ...issue,
    path: redactor.text(issue.path),
    expected: redactor.text(issue.expected),
  }));
  if (!parsed.ok) throw toError(call, invalidResponse('done', response.status, issues));
  return { value: parsed.value, drift: issues };
}

/** Runs the schema, within the time of the whole call where it is asynchronous. */
async function runSchema<Output>(
  call: CallState<Output>,
  json: unknown,
  validation: Validation,
  redactor: Redaction,
): Promise<ResponseResult<Output>> {
  const { operation, options } = call;
  const { signal, totalTimeout } = options;
  try {
    const parsing = operation.output.parse(json, validation);
    if (!(parsing instanceof Promise)) return parsing;
    return await withTimeout(timeLeftMs(call), signal, () => parsing);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (error instanceof TimeLimitExceeded)
      throw toError(call, timeoutFailure('totalTimeout', totalTimeout, 'body', 'done'));
    throw toError(call, schemaFailure(withoutSecrets(error, redactor)));
  }
}

/** Copies what a schema threw: its text can hold parts of the response, and so a key that the service repeated. */
function withoutSecrets(thrown: unknown, redactor: Redaction): Error {
  const { name = 'Error', message = String(thrown), stack = '' } = thrown instanceof Error ? thrown : {};
  const copy = new Error(redactor.text(message));
  return Object.assign(copy, { name, stack: redactor.text(stack) });
}

import type { Attempt, EmailMarketingError } from '../errors.ts';
import type { ResolvedCallOptions } from './call-options.ts';
import type { EncodedRequest } from './encode.ts';
import type { ConnectedEndpoint } from './endpoint.ts';
import type { Failure } from './failure.ts';
import type { Redaction } from './http-context.ts';
import type { Operation } from './operation.ts';
import type { Success } from './read-response.ts';
import type { AttemptEvent } from './telemetry.ts';

/** One call on its way. */
export interface CallState<Output = unknown> {
  /** Number of the call, unique in this process. */
  readonly id: number;
  readonly operation: Operation<never, Output>;
  readonly endpoint: ConnectedEndpoint;
  readonly request: EncodedRequest;
  readonly idempotent: boolean;
  readonly options: ResolvedCallOptions;
  /** Time at which `totalTimeout` ends the call, by `performance.now()`. */
  readonly deadline: number;
  readonly attempts: Attempt[];
  /** Time at which the last attempt ended, or the call began. */
  idleSince: number;
  /** Says that an attempt ended with an unknown outcome. */
  mayHaveActed: boolean;
}

/** Returns the milliseconds until `totalTimeout` ends the call. */
export const timeLeftMs = ({ deadline }: CallState): number => Math.max(0, deadline - performance.now());

/** Adds an attempt that has ended to the list of the call. */
export function recordAttempt(call: CallState, startedAt: number, result: Success | Failure): void {
  const waitMs = Math.round(startedAt - call.idleSince);
  call.idleSince = performance.now();
  const durationMs = Math.round(call.idleSince - startedAt);
  const { status, reason } = result.ok ? { status: result.response.status } : result;
  call.attempts.push({ durationMs, waitMs, status, reason });
}

/** Returns what every event of a call has. */
export function eventOf(call: CallState, redactor: Redaction, attempt = call.attempts.length): AttemptEvent {
  const { operation, endpoint, request, id } = call;
  return {
    operation: operation.name,
    method: operation.method,
    origin: endpoint.origin,
    path: redactor.text(endpoint.basePath + request.path),
    template: endpoint.basePath + operation.path,
    attempt,
    callId: id,
  };
}

/** Makes the error of a call whose last attempt is not retried. */
export function toError(call: CallState, failure: Failure): EmailMarketingError {
  const { attempts, operation, idempotent, mayHaveActed } = call;
  const outcome = mayHaveActed && failure.outcome !== 'done' ? 'unknown' : failure.outcome;
  const caution =
    outcome === 'unknown' && !idempotent
      ? 'It may have taken effect: check before you repeat it.'
      : undefined;
  // Messages of the service come with a full stop and without.
  const happened = failure.message.replace(/\.$/, '');
  const sentences = [`${happened}${afterRetries(attempts)}.`, failure.advice, caution];
  const message = `${operation.name}: ${sentences.filter(Boolean).join(' ')}`;
  return failure.toError(message, { operation: operation.name, outcome, attempts });
}

/** Says how often a call was retried in vain, and over what time. */
function afterRetries(attempts: readonly Attempt[]): string {
  if (attempts.length < 2) return '';
  const totalMs = attempts.reduce((sum, { waitMs, durationMs }) => sum + waitMs + durationMs, 0);
  return `, after ${attempts.length} attempts over ${(totalMs / 1000).toFixed(1)} s`;
}

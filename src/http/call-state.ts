import type { Attempt, EmailMarketingError } from '../errors.ts';
import type { ResolvedCallOptions } from './call-options.ts';
import type { EncodedRequest } from './encode.ts';
import type { ConnectedEndpoint } from './endpoint.ts';
import type { Operation } from './operation.ts';
import type { Failure } from './response/failure.ts';
import type { Redaction } from './secrets/redactor.ts';
import type { AttemptEvent } from './telemetry.ts';

/** State of one call. */
export interface CallState<Output = unknown> {
  /** Number of the call, unique in this process. */
  readonly id: number;
  readonly operation: Operation<never, Output>;
  readonly endpoint: ConnectedEndpoint;
  readonly request: EncodedRequest;
  readonly idempotent: boolean;
  readonly options: ResolvedCallOptions;
  readonly redactor: Redaction;
  /** Time at which `totalTimeout` ends the call, by `performance.now()`. */
  readonly deadline: number;
  readonly attempts: Attempt[];
  /** Time at which the last attempt ended, or the call began. */
  idleSince: number;
  /** `true` if an attempt ended with an unknown outcome. */
  mayHaveActed: boolean;
  /** Functions to call when the call ends. */
  readonly atEnd: (() => void)[];
}

/** Returns the milliseconds until `totalTimeout` ends the call. */
export const timeLeftMs = ({ deadline }: CallState): number => Math.max(0, deadline - performance.now());

/** Returns what every event of a call has. */
export function eventOf({ operation, endpoint, request, redactor, attempts, id }: CallState): AttemptEvent {
  return {
    operation: operation.name,
    method: operation.method,
    origin: endpoint.origin,
    path: redactor.text(endpoint.basePath + request.path),
    template: endpoint.basePath + operation.path,
    attempt: attempts.length,
    callId: id,
  };
}

/** Creates the error of a call whose last attempt is not retried. */
export function toError(call: CallState, failure: Failure): EmailMarketingError {
  const { attempts, operation, endpoint, idempotent, mayHaveActed } = call;
  const outcome = mayHaveActed && failure.outcome !== 'done' ? 'unknown' : failure.outcome;
  const actsAgain = !idempotent || operation.oncePerCall;
  const mayRepeat = !actsAgain || outcome === 'not-sent' || outcome === 'refused';
  // Messages of the service come with a full stop and without.
  const happened = failure.message(endpoint.host).replace(/\.$/, '');
  const sentences = [
    `${happened}${afterRetries(attempts)}.`,
    failure.advice ?? (failure.transient && mayRepeat ? 'Try again later.' : undefined),
    mayRepeat ? undefined : 'It may have taken effect: check before you repeat it.',
  ];
  const message = `${operation.name}: ${sentences.filter(Boolean).join(' ')}`;
  return failure.toError(message, { operation: operation.name, outcome, attempts });
}

/** Says how often a call was retried without success, and over what time. */
function afterRetries(attempts: readonly Attempt[]): string {
  if (attempts.length < 2) return '';
  const totalMs = attempts.reduce((sum, { waitMs, durationMs }) => sum + waitMs + durationMs, 0);
  return `, after ${attempts.length} attempts over ${(totalMs / 1000).toFixed(1)} s`;
}

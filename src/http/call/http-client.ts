import { type Attempt, EmailMarketingError, type Issue, type TimeoutPhase } from '../../errors.ts';
import { invalidRequest, redactIssue } from '../issues.ts';
import { type CallOptions, mergeCallOptions, type ResolvedCallOptions } from '../options/call-options.ts';
import { checkOptions } from '../options/check-options.ts';
import {
  abortedFailure,
  FailedAttempt,
  type Failure,
  invalidResponse,
  localFailure,
  schemaFailure,
  timeoutFailure,
} from '../response/failure.ts';
import type { Success } from '../response/read-response.ts';
import type { Redactor } from '../secrets/redactor.ts';
import { onAbort, sleep, TimeLimitExceeded, withDeadline, withTimeout } from '../timers.ts';
import type { AttemptContext, HeaderRecord } from '../transport/transport.ts';
import { ApiPromise, addCallSite, type CallResult, reasonOf } from './api-promise.ts';
import type { Endpoint, HttpContext, HttpDefaults } from './context.ts';
import { type EncodedRequest, isIdempotent, type Operation, type ResponseResult } from './operation.ts';
import { mayRetry, type RetryBudget, retryDelayMs } from './retry-policy.ts';
import { quietly, type ReportedCall, type Telemetry } from './telemetry.ts';

/** Most places whose drift is reported: paths hold names from responses, which could be any number. */
const maxReportedDrift = 1_000;

const jsonBody: HeaderRecord = { 'content-type': 'application/json' };

/** Result of a deletion whose first response was lost. */
const lostSuccess: Success = { ok: true, json: {}, status: 200, headers: () => new Headers() };

/** State of one call. */
interface Call<Output = unknown> {
  /** Number of the call, unique in this process. */
  readonly id: number;
  readonly operation: Operation<never, Output>;
  readonly endpoint: Endpoint;
  readonly request: EncodedRequest;
  readonly idempotent: boolean;
  readonly options: ResolvedCallOptions;
  /** Follows the caller's signal until the call ends. */
  readonly signal: AbortSignal | undefined;
  readonly redactor: Redactor;
  readonly startedAt: number;
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

let callCount = 0;

/**
 * Performs operations: validates the input, sends the request, retries what may be retried, and parses the response.
 */
export class HttpClient {
  readonly #context: HttpContext;
  readonly #defaults: HttpDefaults;

  constructor(context: HttpContext, defaults: HttpDefaults) {
    this.#context = context;
    this.#defaults = defaults;
  }

  /** Performs an operation. Never throws: an invalid input is a rejection too. */
  call<Input, Output>(
    operation: Operation<Input, Output>,
    input: Input,
    options?: CallOptions,
  ): ApiPromise<Output> {
    const callSite = new Error();
    return new ApiPromise(this.#run(operation as Operation<never, Output>, input, options, callSite));
  }

  async #run<Output>(
    operation: Operation<never, Output>,
    input: unknown,
    callOptions: CallOptions | undefined,
    callSite: Error,
  ): Promise<CallResult<Output>> {
    const { redactor } = this.#context;
    const { telemetry } = this.#defaults;
    const call = this.#begin(operation, input, callOptions);
    try {
      const success = await this.#untilSuccess(call);
      const data = await this.#parse(call, success);
      telemetry.report('onResponse', call, { outcome: 'done' });
      const { status, headers } = success;
      return { data, status, headers: () => redactor.headers(headers()) };
    } catch (thrown) {
      const error = callError(call, thrown);
      addCallSite(error, callSite);
      reportError(telemetry, call, error);
      throw error;
    } finally {
      for (const end of call.atEnd) end();
    }
  }

  /** Validates the input and the options, and encodes the request. A call that is refused is reported. */
  #begin<Output>(
    operation: Operation<never, Output>,
    input: unknown,
    callOptions: CallOptions | undefined,
  ): Call<Output> {
    const { name } = operation;
    const { endpointOf, redactor } = this.#context;
    const { call: defaults, callOptionRules, telemetry } = this.#defaults;
    const startedAt = performance.now();
    const validated = operation.input?.validate(input) ?? { ok: true, value: undefined };
    const endpoint = endpointOf(operation.api);
    const common = { id: ++callCount, operation, endpoint, redactor, startedAt, attempts: [] };
    try {
      if (!validated.ok) throw invalidRequest(name, validated.issues, redactor);
      if (callOptions !== undefined) checkOptions(name, callOptions, callOptionRules, redactor);
    } catch (error) {
      reportError(telemetry, { ...common, request: operation, options: defaults }, error);
      throw error;
    }
    const options = callOptions === undefined ? defaults : mergeCallOptions(defaults, callOptions);
    const atEnd = [redactor.carry(redactor.secretsIn(options.headers))];
    return {
      ...common,
      request: operation.request ?? encode(operation, validated.value),
      idempotent: isIdempotent(operation, validated.value),
      options,
      signal: options.signal && follow(options.signal, atEnd),
      deadline: startedAt + options.totalTimeout,
      idleSince: startedAt,
      mayHaveActed: false,
      atEnd,
    };
  }

  /** Makes attempts until one succeeds. Throws the error of the last one that must not be retried. */
  async #untilSuccess(call: Call): Promise<Success> {
    for (;;) {
      call.signal?.throwIfAborted();
      const result = await this.#attempt(call);
      if (result.ok) return result;
      // The first attempt of a deletion acted.
      if (result.notFound && call.mayHaveActed && call.operation.kind === 'delete') return lostSuccess;
      await waitForRetry(call, result, this.#context.retryBudget, this.#defaults.telemetry);
    }
  }

  /** Makes one attempt, under a permit of the rate limiter if there is one. */
  async #attempt(call: Call): Promise<Success | Failure> {
    const { rateLimiter } = this.#context;
    if (rateLimiter)
      try {
        await withDeadline(timeLeftMs(call), call.signal, signal => rateLimiter.acquire(signal));
      } catch (error) {
        return toFailure(call, error, 'queue', 'totalTimeout');
      }
    let result: Success | Failure | undefined;
    try {
      result = await this.#send(call);
      return result;
    } finally {
      rateLimiter?.release(result?.ok === false ? result.retryAfterMs : undefined);
    }
  }

  /** Sends one request, reads the response, and adds the attempt to those of the call. */
  async #send(call: Call): Promise<Success | Failure> {
    const { endpoint, operation, options, redactor, attempts } = call;
    let startedAt = performance.now();
    const limit = shorterLimit(call);
    const attempt: AttemptContext = {
      timeoutMs: options.timeout,
      totalTimeoutMs: timeLeftMs(call),
      signal: call.signal,
      maxBytes: this.#defaults.maxResponseBytes,
      idempotent: call.idempotent,
      phase: 'queue',
      begin: secrets => {
        call.atEnd.push(redactor.carry(secrets));
        attempt.phase = 'head';
        startedAt = performance.now();
        this.#defaults.telemetry.report('onRequest', call, { attempt: attempts.length + 1 });
      },
    };
    const response = await endpoint
      .send(httpRequest(call), attempt)
      .catch((error: unknown) => toFailure(call, error, attempt.phase, limit));
    const result = 'ok' in response ? response : endpoint.read(response, { ...operation, redactor });
    if (attempt.phase === 'queue') return result;
    const waitMs = Math.round(startedAt - call.idleSince);
    call.idleSince = performance.now();
    const { status, reason } = result;
    attempts.push({ durationMs: Math.round(call.idleSince - startedAt), waitMs, status, reason });
    return result;
  }

  /** Parses the JSON of a response, and reports its drift. */
  async #parse<Output>(call: Call<Output>, success: Success): Promise<Output> {
    const { operation, options, signal, redactor } = call;
    const { json, status } = success;
    const validation = success === lostSuccess ? 'report' : this.#defaults.validation;
    const limit = shorterLimit(call);
    const limitMs = Math.min(options.timeout, timeLeftMs(call));
    let parsed: ResponseResult<Output>;
    try {
      const parsing = operation.output.parse(json, validation);
      // An abort does not wait for a schema, which can reject later.
      if (parsing instanceof Promise) parsing.catch(() => {});
      parsed = parsing instanceof Promise ? await withTimeout(limitMs, signal, () => parsing) : parsing;
    } catch (error) {
      const failure = signal?.aborted
        ? abortedFailure('done', signal.reason)
        : error instanceof TimeLimitExceeded
          ? timeoutFailure(limit, options[limit], 'body', 'done')
          : schemaFailure(copyOf(error, redactor));
      throw toError(call, failure);
    }
    if (!parsed.ok) {
      const issues = parsed.issues.map(issue => redactIssue(issue, redactor));
      // What was parsed is an empty object.
      if (status === 204 && issues[0]?.path === '') issues[0] = { ...issues[0], received: 'no body' };
      throw toError(call, invalidResponse('done', status, issues));
    }
    this.#context.retryBudget.earn();
    this.#reportDrift(operation.name, parsed.drift);
    return parsed.value;
  }

  /** Reports each place once, whatever the number of records. */
  #reportDrift(operation: string, drift: readonly Issue[]): void {
    const { reportedDrift, redactor } = this.#context;
    for (const mismatch of drift) {
      const issue = redactIssue(mismatch, redactor);
      const key = `${operation} ${issue.path}`;
      if (reportedDrift.has(key) || reportedDrift.size >= maxReportedDrift) continue;
      reportedDrift.add(key);
      quietly(() => this.#defaults.onDrift({ operation, ...issue }));
    }
  }
}

/** Puts an input into the path, the query or the body, as its operation says. */
function encode({ method, path, takes, query = [] }: Operation, input: unknown): EncodedRequest {
  const fields = Object.entries(input ?? {});
  const isInQuery = (name: string) => takes === 'query' || query.includes(name);
  const inQuery = fields.filter(([name, value]) => isInQuery(name) && value !== undefined);
  const inBody = fields.filter(([name]) => !isInQuery(name));
  return {
    path: path.replace('{identifier}', () => encodeURIComponent(String(input))),
    query: new URLSearchParams(inQuery).toString(),
    body: method === 'POST' ? JSON.stringify(Object.fromEntries(inBody)) : undefined,
  };
}

/** Returns the request of each attempt of a call. */
function httpRequest({ request, endpoint, operation, options }: Call): Parameters<Endpoint['send']>[0] {
  const { path, query, body } = request;
  const search = [query, endpoint.query].filter(Boolean).join('&');
  return {
    method: operation.method,
    path: search ? `${path}?${search}` : path,
    headers: body === undefined ? options.headers : { ...options.headers, ...jsonBody },
    body: body ?? null,
  };
}

/** Returns a signal that follows the caller's, which can outlive many calls and must keep nothing of them. */
function follow(signal: AbortSignal, atEnd: (() => void)[]): AbortSignal {
  const controller = new AbortController();
  atEnd.push(onAbort(signal, () => controller.abort(signal.reason)));
  return controller.signal;
}

/** Returns the milliseconds until `totalTimeout` ends the call. */
const timeLeftMs = ({ deadline }: Call): number => Math.max(0, deadline - performance.now());

/** Returns the option that ends what begins now. */
const shorterLimit = (call: Call): 'timeout' | 'totalTimeout' =>
  timeLeftMs(call) < call.options.timeout ? 'totalTimeout' : 'timeout';

/**
 * Turns what ended an attempt without a response into a failure. In the phase `queue` nothing was sent. `limit` names
 * the option that bounded it. Throws errors of this library.
 */
function toFailure(
  { signal, options, endpoint, redactor }: Call,
  error: unknown,
  phase: TimeoutPhase,
  limit: 'timeout' | 'totalTimeout',
): Failure {
  const isSent = phase !== 'queue';
  if (signal?.aborted) return abortedFailure(isSent ? 'unknown' : 'not-sent', signal.reason);
  if (error instanceof FailedAttempt) return error.failure;
  if (error instanceof TimeLimitExceeded)
    return timeoutFailure(limit, options[limit], phase, isSent ? 'unknown' : 'not-sent');
  if (isSent) return endpoint.failureOf(error, phase, endpoint.url, redactor);
  if (EmailMarketingError.isInstance(error)) throw error;
  return localFailure('not-sent', 'apiKey or throttle.acquire threw an error (see cause)', {
    cause: error,
  });
}

/** Copies what a schema threw, without secrets. Its text can repeat a key, and it can be a value that cannot be read. */
function copyOf(thrown: unknown, redactor: Redactor): Error {
  try {
    const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
    const text = (value: unknown) => redactor.text(String(value));
    return Object.assign(new Error(text(message)), { name: text(name), stack: text(stack) });
  } catch {
    return new Error('a value that cannot be read');
  }
}

/** A call of either client whose last attempt failed. */
type FailedCall = ReportedCall &
  Pick<Call, 'options' | 'signal' | 'deadline' | 'idempotent' | 'mayHaveActed'> & {
    readonly operation: Pick<Operation, 'oncePerCall'>;
  };

/** Waits before the next attempt of a call. Throws the error of the call if there must not be one. */
export async function waitForRetry(
  call: FailedCall,
  failure: Failure,
  retryBudget: RetryBudget,
  telemetry: Telemetry,
): Promise<void> {
  const { attempts, options, idempotent, deadline } = call;
  call.mayHaveActed ||= failure.outcome === 'unknown';
  const waitMs = retryDelayMs(attempts.length, failure.retryAfterMs);
  const retried =
    attempts.length <= options.maxRetries &&
    mayRetry(idempotent, failure) &&
    performance.now() + waitMs < deadline &&
    retryBudget.take(failure);
  if (!retried) throw toError(call, failure);
  telemetry.report('onRetry', call, { ...attempts.at(-1), waitMs: Math.round(waitMs) });
  await sleep(waitMs, call.signal);
}

/** Reports the end of a call that failed, with what it rejects with. */
export function reportError(telemetry: Telemetry, call: ReportedCall, error: unknown): void {
  const outcome = EmailMarketingError.isInstance(error) ? error.outcome : 'unknown';
  telemetry.report('onError', call, { outcome, error: reasonOf(error) });
}

/** Returns the error of a call: that of an abort between its attempts, or the one that was thrown. */
export function callError(call: FailedCall, thrown: unknown): unknown {
  const { signal, attempts } = call;
  if (!signal?.aborted || thrown !== signal.reason) return thrown;
  return toError(call, abortedFailure(attempts.at(-1)?.status ? 'refused' : 'not-sent', thrown));
}

/** Creates the error of a call whose last attempt is not retried. */
function toError(call: FailedCall, failure: Failure): EmailMarketingError {
  const { attempts, operation, endpoint, idempotent, mayHaveActed } = call;
  const outcome = mayHaveActed && failure.outcome !== 'done' ? 'unknown' : failure.outcome;
  const actsAgain = !idempotent || operation.oncePerCall;
  const mayRepeat = !actsAgain || outcome === 'not-sent' || outcome === 'refused';
  // Messages of the service come with a full stop and without.
  const happened = failure.message(endpoint.url.host).replace(/\.$/, '');
  const sentences = [
    `${happened}${attempts.length > 1 ? `, after ${attempts.length} attempts` : ''}.`,
    failure.advice ?? (failure.transient && mayRepeat ? 'Try again later.' : undefined),
    mayRepeat ? undefined : 'It may have taken effect: check before you repeat it.',
  ];
  const message = `${operation.name}: ${sentences.filter(Boolean).join(' ')}`;
  return failure.toError(message, { operation: operation.name, outcome, attempts });
}

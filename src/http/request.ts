import { ApiPromise, type CallResult } from './api-promise.ts';
import {
  type AttemptResult,
  alreadyDone,
  failureBeforeSending,
  feedbackOf,
  isFailure,
} from './attempt-result.ts';
import type { CallOptions } from './call-options.ts';
import { CallSite } from './call-site.ts';
import { type CallState, eventOf, recordAttempt, timeLeftMs, toError } from './call-state.ts';
import { encode } from './encode.ts';
import type { HeaderRecord } from './endpoint.ts';
import type { Failure } from './failure.ts';
import type { HttpContext, HttpDefaults } from './http-context.ts';
import { invalidRequest } from './invalid-request.ts';
import type { Operation } from './operation.ts';
import { parseResponse } from './parse-response.ts';
import { quietly } from './quietly.ts';
import type { Success } from './read-response.ts';
import { mayRetry, retryDelayMs } from './retry-policy.ts';
import { send } from './send.ts';
import type { Drift } from './telemetry.ts';
import { sleep, withDeadline, withTimeout } from './timers.ts';

const jsonBody: HeaderRecord = { 'content-type': 'application/json' };

/** Most places whose drift is reported: paths hold names from responses, which could be any number. */
const maxReportedDrift = 1_000;

let callCount = 0;

/**
 * Performs operations: validates the input, sends the request, retries what may be retried, and parses the response.
 */
export class HttpClient {
  readonly #context: HttpContext;
  readonly #defaults: HttpDefaults;
  /** Operations and paths whose drift was reported. */
  readonly #reportedDrift = new Set<string>();

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
    const callSite = new CallSite();
    const result = this.#run(operation as Operation<never, Output>, input, options, callSite);
    return new ApiPromise(
      result.catch(error => {
        callSite.addTo(error);
        throw error;
      }),
    );
  }

  async #run<Output>(
    operation: Operation<never, Output>,
    input: unknown,
    options: CallOptions | undefined,
    callSite: CallSite,
  ): Promise<CallResult<Output>> {
    const call = this.#prepare(operation, input, options);
    call.options.signal?.throwIfAborted();
    try {
      const success = await this.#untilSuccess(call);
      const data = await this.#parse(call, success);
      this.#report('response', call);
      return { data, response: this.#withoutSecrets(success) };
    } catch (error) {
      const { telemetry } = this.#defaults;
      callSite.addTo(error);
      if (telemetry.isObserved('error'))
        telemetry.report('error', { ...eventOf(call, this.#context.redactor), error });
      throw error;
    }
  }

  /** Validates the input and the options, and encodes the request. */
  #prepare<Output>(
    operation: Operation<never, Output>,
    input: unknown,
    own: CallOptions | undefined,
  ): CallState<Output> {
    const validated = operation.input?.validate(input) ?? { ok: true, value: undefined };
    if (!validated.ok) throw invalidRequest(operation.name, validated.issues);
    const { call: defaults, resolve } = this.#defaults;
    const options = resolve(operation.name, defaults, own);
    const { idempotent } = operation;
    const now = performance.now();
    return {
      id: ++callCount,
      operation,
      endpoint: this.#context.endpoint(operation.api),
      request: operation.request ?? encode(operation, validated.value),
      idempotent: typeof idempotent === 'function' ? idempotent(validated.value as never) : idempotent,
      options,
      deadline: now + options.totalTimeout,
      attempts: [],
      idleSince: now,
      mayHaveActed: false,
    };
  }

  /** Makes attempts until one succeeds. Throws the error of the last one that must not be retried. */
  async #untilSuccess(call: CallState): Promise<Success> {
    for (;;) {
      const result = await this.#attempt(call);
      if (result.ok) return result;
      if (result.notFound && call.mayHaveActed && call.operation.notFoundIsSuccess) return alreadyDone();
      call.mayHaveActed ||= result.outcome === 'unknown';
      await this.#waitForRetry(call, result);
    }
  }

  /** Makes one attempt under a permit of the rate limiter. */
  async #attempt(call: CallState): Promise<AttemptResult> {
    const { rateLimiter } = this.#context;
    const failed = rateLimiter.tryAcquire() ? undefined : await this.#acquire(call);
    if (failed) return failed;
    let result: AttemptResult | undefined;
    try {
      const headers = await this.#authenticate(call);
      result = isFailure(headers) ? headers : await this.#send(call, headers);
      return result;
    } finally {
      rateLimiter.release(feedbackOf(result));
    }
  }

  /** Waits in the queue of the rate limiter, within the time of the whole call. */
  async #acquire(call: CallState): Promise<Failure | undefined> {
    try {
      const acquire = (signal: AbortSignal) => this.#context.rateLimiter.acquire(signal);
      await withDeadline(timeLeftMs(call), call.options.signal, acquire);
      return undefined;
    } catch (error) {
      return failureBeforeSending(call, error);
    }
  }

  async #authenticate(call: CallState): Promise<HeaderRecord | Failure> {
    const { endpoint, options, id, mayHaveActed } = call;
    try {
      const headers = endpoint.authenticate({ callId: id, mayHaveActed });
      if (!(headers instanceof Promise)) return headers;
      // Nobody awaits it where the signal has aborted meanwhile.
      headers.catch(() => {});
      return await withTimeout(timeLeftMs(call), options.signal, () => headers);
    } catch (error) {
      return failureBeforeSending(call, error);
    }
  }

  /** Sends one request and reads the response. */
  async #send(call: CallState, authentication: HeaderRecord): Promise<AttemptResult> {
    const { endpoint, operation, request, options, idempotent } = call;
    this.#report('request', call, call.attempts.length + 1);
    const startedAt = performance.now();
    const limit = call.deadline - startedAt < options.timeout ? 'totalTimeout' : 'timeout';
    const query = [request.query, endpoint.query].filter(Boolean).join('&');
    const response = await send(
      endpoint,
      {
        method: operation.method,
        path: query ? `${request.path}?${query}` : request.path,
        headers: { ...options.headers, ...(request.body !== undefined && jsonBody), ...authentication },
        body: request.body,
        idempotent,
      },
      {
        timeoutMs: Math.max(1, Math.min(options.timeout, call.deadline - startedAt)),
        limit,
        limitMs: options[limit],
        maxBytes: this.#defaults.maxResponseBytes,
        signal: options.signal,
      },
    );
    const { redactor } = this.#context;
    const result = 'ok' in response ? response : endpoint.read(response, { ...operation, redactor });
    recordAttempt(call, startedAt, result);
    return result;
  }

  /** Waits before the next attempt. Throws the error of the call if there must not be one. */
  async #waitForRetry(call: CallState, failure: Failure): Promise<void> {
    const { attempts, options, idempotent, deadline } = call;
    const waitMs = retryDelayMs(attempts.length, failure.retryAfterMs);
    const retried =
      attempts.length > 0 &&
      attempts.length <= options.maxRetries &&
      mayRetry(idempotent, failure) &&
      performance.now() + waitMs < deadline &&
      this.#context.retryBudget.take(failure);
    if (!retried) throw toError(call, failure);
    this.#report('retry', call, attempts.length, Math.round(waitMs));
    await sleep(waitMs, options.signal);
  }

  /** Parses the JSON of a response, and reports where it differs from what is documented. */
  async #parse<Output>(call: CallState<Output>, success: Success): Promise<Output> {
    const { redactor, retryBudget } = this.#context;
    const { value, drift } = await parseResponse(call, success, this.#defaults.validation, redactor);
    retryBudget.earn();
    for (const issue of drift) this.#reportDrift({ operation: call.operation.name, ...issue });
    return value;
  }

  #report(name: 'request' | 'response' | 'retry', call: CallState, attempt?: number, waitMs?: number): void {
    const { telemetry } = this.#defaults;
    if (!telemetry.isObserved(name)) return;
    const last = call.attempts.at(-1) ?? { durationMs: 0, waitMs: 0 };
    const event = eventOf(call, this.#context.redactor, attempt);
    telemetry.report(name, name === 'request' ? event : { ...event, ...last, waitMs: waitMs ?? last.waitMs });
  }

  /** Reports each place once, whatever the number of records. */
  #reportDrift(drift: Drift): void {
    const key = `${drift.operation} ${drift.path}`;
    if (this.#reportedDrift.has(key) || this.#reportedDrift.size >= maxReportedDrift) return;
    this.#reportedDrift.add(key);
    quietly(() => this.#defaults.onDrift(drift));
  }

  /** Makes headers when they are asked for, as most calls never read them. */
  #withoutSecrets({ response }: Success): CallResult<unknown>['response'] {
    const { redactor } = this.#context;
    return {
      status: response.status,
      get headers() {
        return redactor.headers(response.headers);
      },
    };
  }
}

import type { Issue } from '../errors.ts';
import { ApiPromise, type CallResult } from './api-promise.ts';
import { type AttemptResult, alreadyDone, failureBeforeSending } from './attempt-result.ts';
import type { CallOptions } from './call-options.ts';
import { addCallSite } from './call-site.ts';
import { type CallState, timeLeftMs, toError } from './call-state.ts';
import { encode } from './encode.ts';
import type { Authenticate, ConnectedEndpoint, HeaderRecord } from './endpoint.ts';
import type { HttpContext, HttpDefaults } from './http-context.ts';
import type { AttemptContext } from './http-response.ts';
import { invalidRequest, redactIssue } from './invalid-request.ts';
import type { RateLimiter } from './limits/rate-limiter.ts';
import type { Operation, ResponseResult } from './operation.ts';
import { quietly } from './quietly.ts';
import { type Failure, invalidResponse } from './response/failure.ts';
import type { Success } from './response/read-response.ts';
import { mayRetry, retryDelayMs } from './retry-policy.ts';
import { schemaError } from './schema-error.ts';
import { secretsIn } from './secrets/redactor.ts';
import { failureOfSending } from './send.ts';
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
    const callSite = new Error();
    return new ApiPromise(this.#run(operation as Operation<never, Output>, input, options, callSite));
  }

  async #run<Output>(
    operation: Operation<never, Output>,
    input: unknown,
    options: CallOptions | undefined,
    callSite: Error,
  ): Promise<CallResult<Output>> {
    const call = this.#prepare(operation, input, options);
    call.options.signal?.throwIfAborted();
    const { redactor } = this.#context;
    const { telemetry } = this.#defaults;
    call.atEnd.push(redactor.carry(secretsIn(call.options.headers)));
    try {
      const success = await this.#untilSuccess(call);
      const data = await this.#parse(call, success);
      telemetry.report('response', call, call.attempts.at(-1));
      const { response } = success;
      return { data, status: response.status, headers: () => redactor.headers(response.headers()) };
    } catch (error) {
      addCallSite(error, callSite);
      telemetry.report('error', call, { error });
      throw error;
    } finally {
      for (const end of call.atEnd) end();
    }
  }

  /** Validates the input and the options, and encodes the request. */
  #prepare<Output>(
    operation: Operation<never, Output>,
    input: unknown,
    own: CallOptions | undefined,
  ): CallState<Output> {
    const validated = operation.input?.validate(input) ?? { ok: true, value: undefined };
    if (!validated.ok) throw invalidRequest(operation.name, validated.issues, this.#context.redactor);
    const { call: defaults, resolve } = this.#defaults;
    const options = own === undefined ? defaults : resolve(operation.name, defaults, own);
    const { idempotent, api } = operation;
    const now = performance.now();
    return {
      id: ++callCount,
      operation,
      endpoint: this.#context.endpoints[api] as ConnectedEndpoint,
      request: operation.request ?? encode(operation, validated.value),
      idempotent: typeof idempotent === 'function' ? idempotent(validated.value as never) : idempotent,
      options,
      redactor: this.#context.redactor,
      deadline: now + options.totalTimeout,
      attempts: [],
      idleSince: now,
      mayHaveActed: false,
      atEnd: [],
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

  /** Makes one attempt, under a permit of the rate limiter if there is one. */
  async #attempt(call: CallState): Promise<AttemptResult> {
    const { rateLimiter } = this.#context;
    const failed = rateLimiter && (await this.#acquire(call, rateLimiter));
    if (failed) return failed;
    let result: AttemptResult | undefined;
    try {
      const { authentication } = call.endpoint;
      if (typeof authentication !== 'function') result = await this.#send(call, authentication);
      else result = await this.#authenticateAndSend(call, authentication);
      return result;
    } finally {
      rateLimiter?.release(result?.ok === false ? result.retryAfterMs : undefined);
    }
  }

  /** Takes a permit, or waits for one within the time of the whole call. */
  async #acquire(call: CallState, rateLimiter: RateLimiter): Promise<Failure | undefined> {
    if (rateLimiter.tryAcquire()) return undefined;
    try {
      const acquire = (signal: AbortSignal) => rateLimiter.acquire(signal);
      await withDeadline(timeLeftMs(call), call.options.signal, acquire);
      return undefined;
    } catch (error) {
      return failureBeforeSending(call, error, 'totalTimeout');
    }
  }

  /** Sends one request with the headers of a function, which has as long as the attempt itself. */
  async #authenticateAndSend(call: CallState, authenticate: Authenticate): Promise<AttemptResult> {
    const { options, mayHaveActed } = call;
    const leftMs = timeLeftMs(call);
    const limit = leftMs < options.timeout ? 'totalTimeout' : 'timeout';
    let headers: HeaderRecord;
    try {
      const ask = async () => authenticate({ mayHaveActed });
      headers = await withTimeout(Math.min(leftMs, options.timeout), options.signal, ask);
    } catch (error) {
      return failureBeforeSending(call, error, limit);
    }
    call.atEnd.push(call.redactor.carry(Object.values(headers)));
    return this.#send(call, headers);
  }

  /** Sends one request, reads the response, and adds the attempt to those of the call. */
  async #send(call: CallState, authentication: HeaderRecord): Promise<AttemptResult> {
    const { endpoint, operation, options, attempts, idempotent } = call;
    const { path, query, body } = call.request;
    const { telemetry, maxResponseBytes: maxBytes } = this.#defaults;
    telemetry.report('request', call, { attempt: attempts.length + 1 });
    const startedAt = performance.now();
    const timeoutMs = Math.max(1, Math.min(options.timeout, call.deadline - startedAt));
    const { signal } = options;
    const context: AttemptContext = { timeoutMs, signal, maxBytes, idempotent, phase: 'head' };
    const search = [query, endpoint.query].filter(Boolean).join('&');
    const request = {
      method: operation.method,
      path: search ? `${path}?${search}` : path,
      headers: { ...options.headers, ...(body !== undefined && jsonBody), ...authentication },
      body,
    };
    const response = await endpoint
      .send(request, context)
      .catch((error: unknown) => failureOfSending(call, context, error));
    const { redactor } = this.#context;
    const result = 'ok' in response ? response : endpoint.read(response, { ...operation, redactor });
    const waitMs = Math.round(startedAt - call.idleSince);
    call.idleSince = performance.now();
    const { status, reason } = result.ok ? { status: result.response.status } : result;
    attempts.push({ durationMs: Math.round(call.idleSince - startedAt), waitMs, status, reason });
    return result;
  }

  /** Waits before the next attempt. Throws the error of the call if there must not be one. */
  async #waitForRetry(call: CallState, failure: Failure): Promise<void> {
    const { attempts, options, idempotent, deadline } = call;
    const waitMs = retryDelayMs(attempts.length, failure.retryAfterMs);
    const retried =
      attempts.length <= options.maxRetries &&
      mayRetry(idempotent, failure) &&
      performance.now() + waitMs < deadline &&
      this.#context.retryBudget.take(failure);
    if (!retried) throw toError(call, failure);
    this.#defaults.telemetry.report('retry', call, { ...attempts.at(-1), waitMs: Math.round(waitMs) });
    await sleep(waitMs, options.signal);
  }

  /** Parses the JSON of a response, and reports where it differs from what is documented. */
  async #parse<Output>(call: CallState<Output>, { json, response }: Success): Promise<Output> {
    let parsed: ResponseResult<Output>;
    try {
      const parsing = call.operation.output.parse(json, this.#defaults.validation);
      if (!(parsing instanceof Promise)) parsed = parsing;
      else parsed = await withTimeout(timeLeftMs(call), call.options.signal, () => parsing);
    } catch (error) {
      throw schemaError(call, error);
    }
    if (!parsed.ok) {
      const issues = response.status === 204 ? parsed.issues.map(withoutBody) : parsed.issues;
      throw toError(call, invalidResponse('done', response.status, this.#withoutSecrets(issues)));
    }
    this.#context.retryBudget.earn();
    if (parsed.drift.length > 0) this.#reportDrift(call.operation.name, parsed.drift);
    return parsed.value;
  }

  /** Reports each place once, whatever the number of records. */
  #reportDrift(operation: string, drift: readonly Issue[]): void {
    for (const issue of this.#withoutSecrets(drift)) {
      const key = `${operation} ${issue.path}`;
      if (this.#reportedDrift.has(key) || this.#reportedDrift.size >= maxReportedDrift) continue;
      this.#reportedDrift.add(key);
      quietly(() => this.#defaults.onDrift({ operation, ...issue }));
    }
  }

  #withoutSecrets(issues: readonly Issue[]): readonly Issue[] {
    const { redactor } = this.#context;
    return issues.map(issue => redactIssue(issue, redactor));
  }
}

/** Names what was received under 204, which is parsed as an object. */
const withoutBody = (issue: Issue): Issue => (issue.path === '' ? { ...issue, received: 'no body' } : issue);

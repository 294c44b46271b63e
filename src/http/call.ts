import { invalidRequest, redactIssue } from '../core/issues.ts';
import { shown } from '../core/json.ts';
import { checkOptions } from '../core/options.ts';
import type { Redaction } from '../core/redactor.ts';
import { sleep, TimeLimitExceeded } from '../core/timers.ts';
import { type Attempt, EmailMarketingError, type Outcome } from '../errors.ts';
import type { ApiPromise } from './api-promise.ts';
import {
  type CallOptions,
  callOptionRules,
  mergeCallOptions,
  type ResolvedCallOptions,
} from './call-options.ts';
import { addCallSite, CallPromise, type CallResult, reasonOf } from './call-promise.ts';
import { notWanted, onDropped } from './dropped-call.ts';
import type { Report, ReportDrift, ReportedCall } from './events.ts';
import {
  type AttemptState,
  abortedFailure,
  type Failure,
  invalidResponse,
  localFailure,
  timeoutFailure,
} from './failure.ts';
import type { EncodedRequest, InputResult, Operation, ResponseResult, Validation } from './operation.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { Success } from './response.ts';
import { isIdempotent, mayRetry, type RetryBudget, retryDelayMs } from './retries.ts';
import { type AttemptContext, type HttpResponse, type Transport, withLimits } from './transport.ts';

/**
 * One interface of the service, which `makeApis` of `client.ts` creates, or a handler, which `handlerApi` of
 * `browser/` creates: its URL, the form of its requests and responses, and its transport.
 */
export interface ServiceApi {
  /** Base URL without a trailing slash. Its host names the service in messages. */
  readonly url: URL;
  /** `true` if it performs a call once, even if several requests of that call arrive. */
  readonly performsOnce: boolean;
  /** `true` if a function returns the key: after a 401, a call asks it once for another. */
  readonly renewsKey?: boolean;
  readonly encodeInput: (operation: Operation, input: unknown) => EncodedRequest;
  /** Authenticates and sends one attempt: of the service, by `kyTransport`. */
  readonly transport: Transport;
  /** Reads a response, without secrets: of the service, by `readResponse`. */
  readonly readResponse: (response: HttpResponse, operation: Operation) => Success | Failure;
  /** Turns what an attempt threw into a failure. In the phase `queue`, it is not an error of the network. */
  readonly failureOf: (error: unknown, attempt: AttemptState) => Failure;
}

/** Context that all calls of a client, and of clients made from it, share. */
export interface HttpContext {
  /** Returns the interface that an operation names. */
  readonly apiOf: (api: string) => ServiceApi;
  /** Absent without a `throttle`. */
  readonly rateLimiter: RateLimiter | undefined;
  readonly retryBudget: RetryBudget;
  readonly redactor: Redaction;
}

/** Defaults of the calls of one client, which another client made from it can change. */
export interface HttpDefaults {
  readonly call: ResolvedCallOptions;
  readonly validation: Validation;
  /** Largest response that is read, in bytes. */
  readonly maxResponseBytes: number;
  /** Reports what calls do to hooks and the log. */
  readonly report: Report;
  readonly reportDrift: ReportDrift;
}

/** Result of a deletion that an earlier attempt did, whose response was lost. */
const alreadyDeleted = (): Success => ({
  ok: true,
  json: { status: 'success', message: '' },
  status: 200,
  headers: () => new Headers(),
});

interface Call<Output = unknown> extends ReportedCall {
  readonly operation: Operation<never, Output>;
  readonly api: ServiceApi;
  /** What the caller passed, validated. */
  readonly input: unknown;
  readonly request: EncodedRequest;
  /** `true` if another call with the same input changes nothing. */
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
  /** Number of attempts after which the key was renewed, if it was. */
  renewedAfter: number | undefined;
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
    return new CallPromise(this.#run(operation as Operation<never, Output>, input, options, callSite));
  }

  async #run<Output>(
    operation: Operation<never, Output>,
    input: unknown,
    callOptions: CallOptions | undefined,
    callSite: Error,
  ): Promise<CallResult<Output>> {
    const call = this.#begin(operation, input, callOptions);
    try {
      const success = await this.#untilSuccess(call);
      const data = await this.#parse(call, success);
      this.#defaults.report('onResponse', call, { outcome: 'done' });
      const { status, headers } = success;
      return { data, status, headers };
    } catch (error) {
      addCallSite(error, callSite);
      this.#reportError(call, error);
      throw error;
    }
  }

  /** Validates the input and the options, and encodes the request. A call that is refused is reported. */
  #begin<Output>(
    operation: Operation<never, Output>,
    input: unknown,
    callOptions: CallOptions | undefined,
  ): Call<Output> {
    const { name } = operation;
    const { apiOf, redactor } = this.#context;
    const { call: defaults } = this.#defaults;
    const startedAt = performance.now();
    const validated = operation.input ? operation.input.validateInput(input) : withoutInput(input);
    const api = apiOf(operation.api);
    const common = { id: ++callCount, operation, api, redactor, startedAt, attempts: [] };
    try {
      if (!validated.ok) throw invalidRequest(name, validated.issues, redactor);
      if (callOptions !== undefined) checkOptions(name, callOptions, callOptionRules, redactor);
    } catch (error) {
      this.#reportError({ ...common, request: operation, options: defaults }, error);
      throw error;
    }
    const options = callOptions === undefined ? defaults : mergeCallOptions(defaults, callOptions);
    return {
      ...common,
      input: validated.value,
      request: operation.request ?? api.encodeInput(operation, validated.value),
      idempotent: isIdempotent(operation, validated.value),
      options,
      deadline: startedAt + options.totalTimeout,
      idleSince: startedAt,
      mayHaveActed: false,
      renewedAfter: undefined,
    };
  }

  /** Makes attempts until one succeeds. Throws the error of the last one that must not be retried. */
  async #untilSuccess(call: Call): Promise<Success> {
    const { attempts, options } = call;
    for (;;) {
      const result = options.signal?.aborted
        ? abortedFailure(attempts.at(-1)?.status ? 'refused' : 'not-sent', options.signal.reason)
        : await this.#attempt(call);
      if (result.ok) return result;
      // The first attempt of a deletion acted.
      if (result.notFound && call.mayHaveActed && call.operation.kind === 'delete') return alreadyDeleted();
      await this.#waitForRetry(call, result);
    }
  }

  /** Makes one attempt, under a permit of the rate limiter if there is one. */
  #attempt(call: Call): Promise<Success | Failure> {
    const { rateLimiter } = this.#context;
    if (!rateLimiter) return this.#send(call);
    let hasPermit = false;
    const send = () => {
      hasPermit = true;
      return this.#send(call);
    };
    return rateLimiter.run(send, timeLeftMs(call), call.options.signal).catch(error => {
      // Nothing was sent only if the wait for the permit failed.
      if (hasPermit) throw error;
      return toFailure(call, error, { phase: 'queue', maySend: false }, 'totalTimeout');
    });
  }

  /** Sends one request, reads the response, and adds the attempt to those of the call. */
  async #send(call: Call): Promise<Success | Failure> {
    const { api, operation, options, attempts } = call;
    let startedAt = performance.now();
    let limit = shorterLimit(call);
    const attempt: AttemptContext = {
      timeoutMs: options.timeout,
      // Functions that return the headers and the key take of the time, too.
      timeLeftMs: () => timeLeftMs(call),
      signal: options.signal,
      maxBytes: this.#defaults.maxResponseBytes,
      mayHaveActed: call.mayHaveActed,
      keyRefused: call.renewedAfter === attempts.length,
      phase: 'queue',
      maySend: false,
      begin: () => {
        attempt.phase = 'head';
        attempt.maySend = true;
        limit = shorterLimit(call);
        startedAt = performance.now();
        this.#defaults.report('onRequest', call, { attempt: attempts.length + 1 });
      },
    };
    const response = await sendRequest(call, attempt).catch((error: unknown) =>
      toFailure(call, error, attempt, limit),
    );
    const result = 'ok' in response ? response : api.readResponse(response, operation);
    if (attempt.phase === 'queue') return result;
    const waitMs = Math.round(startedAt - call.idleSince);
    call.idleSince = performance.now();
    const { status, reason } = result;
    attempts.push({ durationMs: Math.round(call.idleSince - startedAt), waitMs, status, reason });
    return result;
  }

  /** Parses the JSON of a response, and reports its drift. */
  async #parse<Output>(call: Call<Output>, success: Success): Promise<Output> {
    const { operation, redactor } = call;
    const { json, status } = success;
    let parsed: ResponseResult<Output>;
    try {
      parsed = await operation.output.parseResponse(json, this.#defaults.validation, call.input);
    } catch (error) {
      const cause = redactor.error(error);
      throw toError(call, localFailure(outcomeOf(json), 'the schema failed (see cause)', { cause }));
    }
    if (!parsed.ok) {
      const issues = parsed.issues.map(issue => redactIssue(issue, redactor));
      throw toError(call, invalidResponse(outcomeOf(json), status, issues));
    }
    this.#context.retryBudget.earn();
    this.#defaults.reportDrift(operation.name, parsed.drift);
    return parsed.value;
  }

  /** Waits before the next attempt of a call. Throws the error of the call if there must not be one. */
  async #waitForRetry(call: Call, failure: Failure): Promise<void> {
    const { api, attempts, options, deadline, idempotent } = call;
    call.mayHaveActed ||= failure.outcome === 'unknown';
    // A call asks for another key once.
    const isRenewed = Boolean(failure.keyRefused && api.renewsKey) && call.renewedAfter === undefined;
    const waitMs = isRenewed ? 0 : retryDelayMs(attempts.length, failure.retryAfterMs);
    const retried =
      attempts.length <= options.maxRetries &&
      (isRenewed || mayRetry(idempotent || api.performsOnce, failure)) &&
      performance.now() + waitMs < deadline &&
      (isRenewed || this.#context.retryBudget.take(failure));
    if (isRenewed) call.renewedAfter = attempts.length;
    if (!retried) throw toError(call, failure);
    this.#defaults.report('onRetry', call, { ...attempts.at(-1), waitMs: Math.round(waitMs) });
    // An abort ends the wait, and the call before its next attempt.
    await sleep(waitMs, options.signal).catch(() => {});
  }

  /** Reports the end of a call that failed, with what it rejects with. */
  #reportError(call: ReportedCall, error: unknown): void {
    const reason = reasonOf(error);
    const outcome = EmailMarketingError.isInstance(error) ? error.outcome : 'unknown';
    if (reason === notWanted) this.#defaults.report(onDropped, call);
    else this.#defaults.report('onError', call, { outcome, error: reason });
  }
}

/** Refuses the input of an operation that has none: in JavaScript, options can be passed in its place. */
function withoutInput(input: unknown): InputResult {
  if (input === undefined) return { ok: true, value: undefined };
  const expected = 'the first argument: this call has no input';
  return { ok: false, issues: [{ path: 'options', expected, received: shown(input) }] };
}

/** Sends the request of an attempt with the headers of the options, which a function may return. */
async function sendRequest({ api, operation, request, options }: Call, attempt: AttemptContext) {
  const common =
    typeof options.headers === 'function' ? await withLimits(attempt, options.headers) : options.headers;
  const headers = { ...common, ...request.headers };
  return api.transport({ ...request, method: operation.method, headers }, attempt);
}

/**
 * Returns the outcome of a response under 2xx that cannot be used. Nothing, a text or a number is not a response of the
 * service: a login page, a captive portal or a wrong address sends it.
 */
const outcomeOf = (json: unknown): Outcome =>
  typeof json === 'object' && json !== null ? 'done' : 'unknown';

/** Returns the milliseconds until `totalTimeout` ends the call. */
const timeLeftMs = ({ deadline }: Call): number => Math.max(0, deadline - performance.now());

/** Returns the option that ends what begins now. */
const shorterLimit = (call: Call): 'timeout' | 'totalTimeout' =>
  timeLeftMs(call) < call.options.timeout ? 'totalTimeout' : 'timeout';

/**
 * Turns what ended an attempt without a response into a failure. `limit` names the option that bounded the time.
 */
function toFailure(
  { api, options }: Call,
  error: unknown,
  attempt: AttemptState,
  limit: 'timeout' | 'totalTimeout',
): Failure {
  const { phase, maySend } = attempt;
  const outcome = maySend ? 'unknown' : 'not-sent';
  if (options.signal?.aborted) return abortedFailure(outcome, options.signal.reason);
  try {
    if (error instanceof TimeLimitExceeded) return timeoutFailure(limit, options[limit], phase, outcome);
    return api.failureOf(error, attempt);
  } catch {
    // A function of the user can throw what throws again when it is read.
    return api.failureOf(new Error('an error that cannot be read'), attempt);
  }
}

/** Creates the error of a call whose last attempt is not retried. */
function toError(call: Call, failure: Failure): EmailMarketingError {
  const { attempts, operation, api, idempotent, mayHaveActed } = call;
  const outcome = mayHaveActed && failure.outcome !== 'done' ? 'unknown' : failure.outcome;
  const isSafe = idempotent || outcome === 'not-sent' || outcome === 'refused';
  // Messages of the service come with a full stop and without.
  const happened = failure.message(api.url.host).replace(/\.$/, '');
  const sentences = [
    `${happened}${attempts.length > 1 ? `, after ${attempts.length} attempts` : ''}.`,
    failure.advice ?? (failure.transient && isSafe && 'Try again later.'),
    !isSafe &&
      (outcome === 'done'
        ? 'It took effect: do not repeat it.'
        : 'It may have taken effect: check before you repeat it.'),
  ];
  const message = `${operation.name}: ${sentences.filter(Boolean).join(' ')}`;
  return failure.toError(message, { operation: operation.name, outcome, attempts });
}

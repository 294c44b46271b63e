import type { Attempt, TimeoutPhase } from '../errors.ts';
import { ApiPromise, addCallSite, type CallResult } from '../http/call/api-promise.ts';
import { toError } from '../http/call/http-client.ts';
import type { ResponseResult } from '../http/call/operation.ts';
import { mayRetry, RetryBudget, retryDelayMs } from '../http/call/retry-policy.ts';
import type { Telemetry } from '../http/call/telemetry.ts';
import { invalidRequest } from '../http/issues.ts';
import type { JsonText } from '../http/json.ts';
import {
  type CallOptions,
  mergeCallOptions,
  type ResolvedCallOptions,
} from '../http/options/call-options.ts';
import { checkOptions } from '../http/options/check-options.ts';
import type { OptionRules } from '../http/options/rules.ts';
import { type Failure, invalidResponse, schemaFailure, timeoutFailure } from '../http/response/failure.ts';
import type { Success } from '../http/response/read-response.ts';
import { noSecrets } from '../http/secrets/redactor.ts';
import { sleep, TimeLimitExceeded, withTimeout } from '../http/timers.ts';
import type { FetchFunction } from '../http/transport/fetch-transport.ts';
import { callIdHeader, isRetry, makeCallId, retryHeader } from '../protocol.ts';
import { connectionFailure, readProxyResponse } from './read-response.ts';

/** Settings of a {@link HandlerClient}. */
export interface HandlerClientSettings {
  /** Address of the handler. */
  readonly url: URL;
  readonly fetch: FetchFunction | undefined;
  readonly defaults: ResolvedCallOptions;
  readonly optionRules: OptionRules;
  readonly telemetry: Telemetry;
}

/** A call as the handler takes it. */
export interface HandlerCall<Output> {
  /** Name in errors and events, such as `tags.create`. */
  readonly name: string;
  /** Name that the handler knows. */
  readonly operation: string;
  readonly input: JsonText;
  /** `true` if another call of the same input acts again. Attempts of one call do not, as they carry its id. */
  readonly oncePerCall: boolean;
  /** Turns the data of a response into the result. Rejects if a schema throws. */
  readonly parse: (data: unknown) => ResponseResult<Output> | Promise<ResponseResult<Output>>;
}

/** State of a call, as telemetry and errors show it. */
interface CallState {
  readonly id: number;
  readonly operation: {
    readonly name: string;
    readonly method: string;
    readonly path: string;
    readonly oncePerCall: boolean;
  };
  readonly endpoint: { readonly origin: string; readonly host: string; readonly basePath: string };
  readonly request: { readonly path: string };
  readonly redactor: typeof noSecrets;
  readonly options: ResolvedCallOptions;
  readonly attempts: Attempt[];
  /** The handler performs each call once, and knows which operations are idempotent. */
  readonly idempotent: true;
  readonly deadline: number;
  idleSince: number;
  mayHaveActed: boolean;
}

let callCount = 0;

/** Makes the calls of a web page: each is one POST per attempt to the handler, retried under the id of the call. */
export class HandlerClient {
  readonly #settings: HandlerClientSettings;
  readonly #retryBudget = new RetryBudget();

  constructor(settings: HandlerClientSettings) {
    this.#settings = settings;
  }

  /** Makes a call. Never throws: an invalid input is a rejection too. */
  call<Output>(call: HandlerCall<Output>, options?: CallOptions): ApiPromise<Output> {
    return new ApiPromise(this.#run(call, options, new Error()));
  }

  async #run<Output>(
    { name, operation, input, oncePerCall, parse }: HandlerCall<Output>,
    own: CallOptions | undefined,
    callSite: Error,
  ): Promise<CallResult<Output>> {
    if (!input.ok) throw invalidRequest(name, [input.issue]);
    const { url, telemetry, defaults, optionRules } = this.#settings;
    if (own !== undefined) checkOptions(name, own, optionRules);
    const options = own === undefined ? defaults : mergeCallOptions(defaults, own);
    const now = performance.now();
    const path = url.pathname + url.search;
    const call: CallState = {
      id: ++callCount,
      operation: { name, method: 'POST', path, oncePerCall },
      endpoint: { origin: url.origin, host: url.host, basePath: '' },
      request: { path },
      ...{ redactor: noSecrets, options, attempts: [], idempotent: true },
      deadline: now + options.totalTimeout,
      idleSince: now,
      mayHaveActed: false,
    };
    const body = `{"operation":"${operation}"${input.text === undefined ? '' : `,"input":${input.text}`}}`;
    const headers = { ...options.headers, 'content-type': 'application/json', [callIdHeader]: makeCallId() };
    try {
      const { json, response } = await this.#untilSuccess(call, operation, { headers, body });
      const data = await parsed(call, parse, json);
      this.#retryBudget.earn();
      telemetry.report('response', call, call.attempts.at(-1));
      return { data, ...response };
    } catch (error) {
      addCallSite(error, callSite);
      telemetry.report('error', call, { error });
      throw error;
    }
  }

  /** Makes attempts until one succeeds. Throws the error of the last one that must not be retried. */
  async #untilSuccess(call: CallState, operation: string, request: BrowserRequest): Promise<Success> {
    const { attempts, options, deadline } = call;
    const { signal, maxRetries } = options;
    for (;;) {
      signal?.throwIfAborted();
      const result = await this.#attempt(call, request);
      if (result.ok) return result;
      if (result.notFound && call.mayHaveActed && operation.endsWith('.delete')) return deleted;
      call.mayHaveActed ||= result.outcome === 'unknown';
      const waitMs = retryDelayMs(attempts.length, result.retryAfterMs);
      const retried =
        attempts.length <= maxRetries &&
        mayRetry(true, result) &&
        performance.now() + waitMs < deadline &&
        this.#retryBudget.take(result);
      if (!retried) throw toError(call, result);
      this.#settings.telemetry.report('retry', call, { ...attempts.at(-1), waitMs: Math.round(waitMs) });
      await sleep(waitMs, signal);
    }
  }

  /** Sends one request, reads the response, and adds the attempt to those of the call. */
  async #attempt(call: CallState, request: BrowserRequest): Promise<Success | Failure> {
    const { attempts, options, deadline } = call;
    this.#settings.telemetry.report('request', call, { attempt: attempts.length + 1 });
    const startedAt = performance.now();
    const limit = deadline - startedAt < options.timeout ? 'totalTimeout' : 'timeout';
    const limitMs = Math.min(options.timeout, deadline - startedAt);
    let phase: TimeoutPhase = 'head';
    const send = (signal: AbortSignal) => this.#send(call, request, signal, () => (phase = 'body'));
    const result = await withTimeout(limitMs, options.signal, send).catch((error: unknown) => {
      options.signal?.throwIfAborted();
      return error instanceof TimeLimitExceeded
        ? timeoutFailure(limit, options[limit], phase, 'unknown')
        : connectionFailure(phase);
    });
    const waitMs = Math.round(startedAt - call.idleSince);
    call.idleSince = performance.now();
    const { status, reason } = result.ok ? { status: result.response.status } : result;
    attempts.push({ durationMs: Math.round(call.idleSince - startedAt), waitMs, status, reason });
    return result;
  }

  /** Sends one request and reads the response. `onHead` is called before the body is read. */
  async #send(
    { mayHaveActed }: CallState,
    { headers, body }: BrowserRequest,
    signal: AbortSignal,
    onHead: () => void,
  ): Promise<Success | Failure> {
    const { url, fetch = globalThis.fetch as FetchFunction } = this.#settings;
    const own = { ...headers, ...(mayHaveActed && { [retryHeader]: isRetry }) };
    const response = await fetch(url.href, {
      method: 'POST',
      headers: own,
      body,
      signal,
      redirect: 'manual',
    });
    onHead();
    const text = await response.text();
    const { status } = response;
    return readProxyResponse({ status, text, headers: () => new Headers(response.headers as Headers) });
  }
}

interface BrowserRequest {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Stands for the lost response of a deletion that an earlier attempt has done. */
const deleted: Success = { ok: true, json: {}, response: { status: 200, headers: () => new Headers() } };

/** Parses the data of a response, within the time of one attempt. */
async function parsed<Output>(
  call: CallState,
  parse: HandlerCall<Output>['parse'],
  json: unknown,
): Promise<Output> {
  const { signal, timeout } = call.options;
  let result: ResponseResult<Output>;
  try {
    result = await withTimeout(timeout, signal, async () => parse(json));
  } catch (error) {
    signal?.throwIfAborted();
    const isLate = error instanceof TimeLimitExceeded;
    throw toError(call, isLate ? timeoutFailure('timeout', timeout, 'body', 'done') : schemaFailure(error));
  }
  if (result.ok) return result.value;
  throw toError(call, invalidResponse('done', 200, result.issues));
}

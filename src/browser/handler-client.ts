import type { Attempt, Outcome, TimeoutPhase } from '../errors.ts';
import { ApiPromise, addCallSite, type CallResult } from '../http/call/api-promise.ts';
import { callError, reportError, waitForRetry } from '../http/call/http-client.ts';
import type { ResponseResult } from '../http/call/operation.ts';
import { RetryBudget } from '../http/call/retry-policy.ts';
import type { Telemetry } from '../http/call/telemetry.ts';
import {
  type CallOptions,
  mergeCallOptions,
  type ResolvedCallOptions,
} from '../http/options/call-options.ts';
import { checkOptions } from '../http/options/check-options.ts';
import type { OptionRules } from '../http/options/rules.ts';
import {
  abortedFailure,
  type Failure,
  invalidResponse,
  noResponseFailure,
  schemaFailure,
  timeoutFailure,
} from '../http/response/failure.ts';
import { noSecrets } from '../http/secrets/redactor.ts';
import { TimeLimitExceeded, withTimeout } from '../http/timers.ts';
import type { FetchFunction } from '../http/transport/fetch-transport.ts';
import { callIdHeader, isRetry, makeCallId, retryHeader } from '../protocol.ts';
import { readProxyResponse } from './read-response.ts';

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
  /** JSON text; absent if there is no input. */
  readonly input: string | undefined;
  /** `true` if another call of the same input acts again. Attempts of one call do not, as they carry its id. */
  readonly oncePerCall: boolean;
  /** `true` if a retry that finds nothing is a success. */
  readonly isDeletion?: boolean;
  /** Turns the data of a response into the result. Rejects if a schema throws. */
  readonly parse: (data: unknown) => ResponseResult<Output> | Promise<ResponseResult<Output>>;
}

let callCount = 0;

/** Begins a call: its state, as telemetry and errors show it. */
function beginCall<Output>(
  handlerCall: HandlerCall<Output>,
  { url }: HandlerClientSettings,
  options: ResolvedCallOptions,
) {
  const { name, operation, input, oncePerCall, isDeletion, parse } = handlerCall;
  const now = performance.now();
  return {
    id: ++callCount,
    // The query of the address can hold a token.
    operation: { name, method: 'POST', path: '', oncePerCall },
    endpoint: { url },
    request: { path: '' },
    redactor: noSecrets,
    // The handler performs each call once, and knows which operations are idempotent.
    idempotent: true,
    options,
    signal: options.signal,
    parse,
    isDeletion,
    headers: { ...options.headers, 'content-type': 'application/json', [callIdHeader]: makeCallId() },
    body: `{"operation":"${operation}"${input === undefined ? '' : `,"input":${input}`}}`,
    startedAt: now,
    deadline: now + options.totalTimeout,
    attempts: [] as Attempt[],
    /** Phase of the last attempt, and the outcome if it fails now. */
    phase: 'head' as TimeoutPhase,
    outcome: 'unknown' as Outcome,
    idleSince: now,
    mayHaveActed: false,
  };
}

type Call<Output = unknown> = ReturnType<typeof beginCall<Output>>;

type Result<Output> = ({ readonly ok: true } & CallResult<Output>) | Failure;

/** Makes the calls of a web page: each is one POST per attempt to the handler, retried under the id of the call. */
export class HandlerClient {
  readonly #settings: HandlerClientSettings;
  readonly #retryBudget = new RetryBudget();

  constructor(settings: HandlerClientSettings) {
    this.#settings = settings;
  }

  /** Makes a call. Never throws: what `ask` throws for an invalid input is a rejection too. */
  call<Output>(ask: () => HandlerCall<Output>, options?: CallOptions): ApiPromise<Output> {
    return new ApiPromise(this.#run(ask, options, new Error()));
  }

  async #run<Output>(
    ask: () => HandlerCall<Output>,
    callOptions: CallOptions = {},
    callSite: Error,
  ): Promise<CallResult<Output>> {
    const { telemetry, defaults, optionRules } = this.#settings;
    const handlerCall = ask();
    checkOptions(handlerCall.name, callOptions, optionRules);
    const call = beginCall(handlerCall, this.#settings, mergeCallOptions(defaults, callOptions));
    try {
      for (;;) {
        call.signal?.throwIfAborted();
        const result = await this.#attempt(call);
        if (result.ok) {
          this.#retryBudget.earn();
          telemetry.report('onResponse', call, { outcome: 'done' });
          return result;
        }
        await waitForRetry(call, result, this.#retryBudget, telemetry);
      }
    } catch (thrown) {
      const error = callError(call, thrown);
      addCallSite(error, callSite);
      reportError(telemetry, call, error);
      throw error;
    }
  }

  /** Makes one attempt within its time, and adds it to those of the call. */
  async #attempt<Output>(call: Call<Output>): Promise<Result<Output>> {
    const { attempts, options, signal, deadline } = call;
    this.#settings.telemetry.report('onRequest', call, { attempt: attempts.length + 1 });
    call.phase = 'head';
    const startedAt = performance.now();
    const limit = deadline - startedAt < options.timeout ? 'totalTimeout' : 'timeout';
    const limitMs = Math.min(options.timeout, deadline - startedAt);
    const send = (linked: AbortSignal) => this.#send(call, linked);
    const result = await withTimeout(limitMs, signal, send).catch((error: unknown) => {
      const { phase, outcome } = call;
      if (signal?.aborted) return abortedFailure(outcome, signal.reason);
      if (error instanceof TimeLimitExceeded) return timeoutFailure(limit, options[limit], phase, outcome);
      return outcome === 'done' ? schemaFailure(error) : noResponseFailure(this.#settings.url.host, phase);
    });
    const waitMs = Math.round(startedAt - call.idleSince);
    call.idleSince = performance.now();
    const { status, reason } = result as Partial<Failure>;
    attempts.push({ durationMs: Math.round(call.idleSince - startedAt), waitMs, status, reason });
    return result;
  }

  /** Sends one request, and reads and parses the response. */
  async #send<Output>(call: Call<Output>, signal: AbortSignal): Promise<Result<Output>> {
    const { url, fetch = globalThis.fetch as FetchFunction } = this.#settings;
    const { body, mayHaveActed } = call;
    const headers = { ...call.headers, ...(mayHaveActed && { [retryHeader]: isRetry }) };
    const init = { method: 'POST', headers, body, signal, redirect: 'manual' } as const;
    const response = await fetch(url.href, init);
    call.phase = 'body';
    const text = await response.text();
    const getHeaders = () => new Headers(response.headers as Headers);
    const result = readProxyResponse({ status: response.status, text, headers: getHeaders });
    const isDeleted = !result.ok && result.notFound && mayHaveActed && call.isDeletion;
    if (!result.ok && !isDeleted) return result;
    call.outcome = 'done';
    const parsed = await call.parse(result.ok ? result.json : {});
    if (!parsed.ok) return invalidResponse('done', 200, parsed.issues);
    return { ok: true, data: parsed.value, status: 200, headers: getHeaders };
  }
}

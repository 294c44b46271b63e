import ky, { NetworkError as KyNetworkError, TimeoutError as KyTimeoutError } from 'ky';
import type { ApiPromise, CallResult } from '../call/api-promise.ts';
import {
  type AttemptResult,
  type Circumstances,
  ended,
  type HttpResponse,
  limited,
} from '../call/attempt.ts';
import { type CallRequest, type CallSettings, makeCall } from '../call/call.ts';
import type { CallOptions } from '../call/call-options.ts';
import {
  type Described,
  type Failure,
  functionFailed,
  type NetworkFailure,
  unusableResponse,
} from '../call/failure.ts';
import { type Drift, reportDrift } from '../call/hooks.ts';
import { isIdempotent } from '../call/retries.ts';
import { invalidRequest } from '../core/issues.ts';
import type { Redactor } from '../core/redactor.ts';
import { maxTimerMs, TimeLimitExceeded, withSignals } from '../core/timers.ts';
import type { Outcome, TimeoutPhase } from '../errors.ts';
import type { Validation } from '../schemas/derived-schemas.ts';
import type { Send } from '../transport/fetch.ts';
import type { EncodedRequest, HttpMethod, Operation } from './operation.ts';
import { classify } from './read-response.ts';

/** What a client gives to its calls to the service. */
export type ServiceSettings = CallSettings & {
  readonly rest: ServiceInterface;
  readonly legacy: ServiceInterface;
  /** Name of the query parameter that searches contacts. */
  readonly contactSearch: string;
  /** What sends requests on a runtime, and what an error of it means. */
  readonly transport: { readonly send: Send; readonly networkFailure: NetworkFailure };
  readonly redactor: Redactor;
  readonly validation: Validation;
  readonly onDrift: (drift: Drift) => void;
  /** Operations and paths whose drift was reported. */
  readonly reportedDrift: Set<string>;
};

/** One interface of the service: where it is, and how it knows the team. */
export interface ServiceInterface {
  /** Base URL without a trailing slash. */
  readonly url: URL;
  /** Query of every request, encoded and without `?`; empty for none. */
  readonly query: string;
  /** Headers of every request, apart from the key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Header that holds the key. */
  readonly keyHeader: string;
  readonly key: string | ((request: { readonly refused: boolean }) => Promise<string>);
}

/** ky as it is used: retries depend on the outcome and on whether a call is idempotent, and any status is a response. */
const http = /* @__PURE__ */ ky.create({ redirect: 'manual', retry: 0, throwHttpErrors: false });

/** Makes calls to the service. */
export class Service {
  readonly #settings: ServiceSettings;

  constructor(settings: ServiceSettings) {
    this.#settings = settings;
  }

  /** Makes a call, from its input to its data. */
  call<Input, Output>(
    operation: Operation<Input, Output>,
    input: Input,
    options?: CallOptions,
  ): ApiPromise<Output> {
    const settings = this.#settings;
    const api = settings[operation.api];
    return makeCall(options, {
      target: operation,
      url: api.url,
      settings,
      encode: () => encode(operation, input, settings),
      attempt: (request, given) => attempt(operation.method, api, request, settings, given),
      classify: (made, given) =>
        classify(operation, made, given, settings.redactor, settings.transport.networkFailure),
      parse: (received, { input }, given) => parse(operation, input, received, given, settings),
    });
  }
}

/** A call as HTTP carries it, and its input as it was checked. */
interface Encoded extends EncodedRequest, CallRequest {
  readonly input: unknown;
}

/** Checks an input, and puts it into the path, the query or the body. Throws the error of one that is not valid. */
function encode<Input>(operation: Operation<Input>, input: Input, settings: ServiceSettings): Encoded {
  const checked = operation.input?.validateInput(input);
  if (checked?.ok === false) throw invalidRequest(operation.name, checked.issues, settings.redact);
  const valid = checked?.value;
  return {
    ...(operation.request ?? encodeInput(operation, valid, settings.contactSearch)),
    input: valid,
    idempotent: isIdempotent(operation, valid),
    renewsKey: typeof settings[operation.api].key === 'function',
  };
}

/** Puts an input into the path, the query or the body, as its operation says. */
function encodeInput(
  { name: operation, path, inputIn, query = [] }: Omit<Operation, 'input' | 'output'>,
  input: unknown,
  contactSearch: string,
): EncodedRequest {
  if (inputIn === 'id')
    return {
      path: path.replace('{identifier}', encodeURIComponent(String(input))),
      query: '',
      body: undefined,
    };
  const fields = Object.entries(input ?? {});
  const isInQuery = ([field]: [string, unknown]) => inputIn === 'query' || query.includes(field);
  const search = new URLSearchParams();
  for (const [field, value] of fields.filter(isInQuery)) {
    const parameter = operation === 'contacts.list' && field === 'search' ? contactSearch : field;
    if (value !== undefined) search.append(parameter, String(value));
  }
  // An input can also be a list.
  const body = query.length > 0 ? Object.fromEntries(fields.filter(field => !isInQuery(field))) : input;
  return { path, query: search.toString(), body: inputIn === 'body' ? JSON.stringify(body) : undefined };
}

/** Makes one attempt with ky, which builds the request, has it authenticated, and limits its time. Never throws. */
async function attempt(
  method: HttpMethod,
  api: ServiceInterface,
  { path, query, body }: EncodedRequest,
  { redactor, transport, maxResponseBytes }: ServiceSettings,
  given: Circumstances,
): Promise<AttemptResult> {
  const { signal, timeout, headers } = given.options;
  let phase: TimeoutPhase = 'queue';
  let sentAt = performance.now();
  try {
    const callHeaders = typeof headers === 'function' ? await limited(given, headers) : headers;
    redactor.remember(redactor.secretsIn(callHeaders));
    const leftMs = given.endsAt - performance.now();
    if (leftMs <= 0) throw new TimeLimitExceeded();
    const response = await http(urlOf(api, path, query), {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...api.headers,
        ...callHeaders,
      },
      timeout: kyTimeout(Math.min(timeout, leftMs)),
      // Only a function for the key takes time before `timeout` begins.
      ...(typeof api.key === 'function' && { totalTimeout: kyTimeout(leftMs) }),
      hooks: {
        beforeRequest: [
          async ({ request }) => {
            let { key } = api;
            if (typeof key === 'function') {
              const load = key;
              key = await limited(given, () => load({ refused: given.isKeyRefused }));
              redactor.remember([key]);
            }
            request.headers.set(api.keyHeader, key);
            if (signal?.aborted) throw signal.reason;
            phase = 'head';
            sentAt = performance.now();
            given.onSend();
          },
        ],
      },
      fetch: async request => {
        const onHead = () => {
          phase = 'body';
        };
        const read = async (signal: AbortSignal) =>
          asResponse(
            await transport.send(request as Request, body, { signal, maxBytes: maxResponseBytes, onHead }),
          );
        // ky would keep memory on the caller's signal.
        const ofTimeout = (request as Request).signal;
        return signal ? withSignals([signal, ofTimeout], read) : read(ofTimeout);
      },
    });
    return { phase, sentAt, endedAt: performance.now(), end: 'response', response: takeRead(response) };
  } catch (error) {
    const cause = error instanceof KyNetworkError ? error.cause : error;
    const thrown = cause instanceof KyTimeoutError ? new TimeLimitExceeded() : cause;
    return ended({ phase, sentAt }, thrown, given);
  }
}

function urlOf({ url, query: common }: ServiceInterface, path: string, query: string): string {
  const search = [query, common].filter(Boolean).join('&');
  return `${url.href}${path}${search && '?'}${search}`;
}

/** Returns a time limit as ky takes it; `false` for none. */
const kyTimeout = (ms: number): number | false => ms <= maxTimerMs && ms;

/** Responses that were read, by what ky was given in their place. */
interface ReadResponse extends Response {
  read?: HttpResponse | undefined;
}

/** Makes a response for ky, which returns it as it is. Its body was read before, within ky's time limit. */
function asResponse(read: HttpResponse): Response {
  // A `Response` allows no other statuses than these.
  const status = read.status >= 200 && read.status <= 599 ? read.status : 200;
  return Object.assign(new Response(null, { status }), { read });
}

/** Takes what was read out of the response that ky returned: Node keeps that for long, and the body with it. */
function takeRead(response: ReadResponse): HttpResponse {
  const { read } = response;
  response.read = undefined;
  return read as HttpResponse;
}

/** Parses the JSON of a response, and reports how it differs from what is documented. */
async function parse<Output>(
  { name, output, request }: Pick<Operation<never, Output>, 'name' | 'output' | 'request'>,
  input: unknown,
  received: CallResult<unknown>,
  call: Described,
  { validation, onDrift, reportedDrift, redact }: ServiceSettings,
): Promise<CallResult<Output> | Failure> {
  const { data: json } = received;
  // A login page, a captive portal or a wrong address sends nothing, a text or a number: that is not the service.
  const outcome: Outcome = typeof json === 'object' && json !== null ? 'done' : 'unknown';
  try {
    const parsed = await output.parseResponse(json, validation, input);
    const advice =
      request && outcome === 'done' ? 'Check the schema, and what the service sends.' : undefined;
    if (!parsed.ok) return unusableResponse(call, outcome, parsed.issues, advice);
    if (parsed.drift.length > 0) reportDrift(onDrift, reportedDrift, name, parsed.drift, redact);
    return { ...received, data: parsed.value };
  } catch (error) {
    return functionFailed(call, outcome, 'the schema failed (see cause)', error);
  }
}

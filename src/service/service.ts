import ky, { type KyInstance, NetworkError as KyNetworkError, TimeoutError as KyTimeoutError } from 'ky';
import { invalidRequest } from '../core/issues.ts';
import type { Redactor } from '../core/redactor.ts';
import { maxTimerMs, TimeLimitExceeded, throwIfAborted } from '../core/timers.ts';
import type { Outcome } from '../errors.ts';
import type { ApiPromise } from '../http/api-promise.ts';
import { Call, type CallSettings } from '../http/call.ts';
import type { CallOptions } from '../http/call-options.ts';
import { type Drift, reportDrift } from '../http/events.ts';
import { endingError, functionFailed, isOf, unusableResponse } from '../http/failure.ts';
import type { HttpResponse, Transport } from '../http/fetch.ts';
import { isIdempotent } from '../http/retries.ts';
import type { Validation } from '../schemas/derived-schemas.ts';
import type { EncodedRequest, Operation } from './operation.ts';
import { readResponse } from './response.ts';

/** What a client gives to its calls to the service. */
export interface ServiceSettings extends CallSettings {
  readonly rest: ServiceInterface;
  readonly legacy: ServiceInterface;
  /** Name of the query parameter that searches contacts. */
  readonly contactSearch: string;
  readonly transport: Transport;
  readonly redactor: Redactor;
  readonly validation: Validation;
  readonly onDrift: (drift: Drift) => void;
  /** Operations and paths whose drift was reported. */
  readonly reportedDrift: Set<string>;
}

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

/** Makes calls to the service. */
export class Service {
  readonly #settings: ServiceSettings;
  readonly #ky: KyInstance;

  constructor(settings: ServiceSettings) {
    this.#settings = settings;
    // Retries depend on the outcome and on whether a call is idempotent, which ky does not know; any status is a response.
    this.#ky = ky.create({
      redirect: 'manual',
      retry: 0,
      throwHttpErrors: false,
      hooks: {
        beforeRequest: [({ request, options }) => this.#authenticate(request, options.context as Context)],
      },
    });
  }

  /** Makes a call, from its input to its data. */
  call<Input, Output>(
    operation: Operation<Input, Output>,
    input: Input,
    options?: CallOptions,
  ): ApiPromise<Output> {
    const settings = this.#settings;
    const api = settings[operation.api];
    const call = new Call(operation, api.url, settings);
    return call.perform(async () => {
      const valid = checkInput(call, operation, input);
      call.setOptions(options);
      const request = {
        ...(operation.request ?? encodeInput(operation, valid, settings.contactSearch)),
        idempotent: isIdempotent(operation, valid),
        renewsKey: typeof api.key === 'function',
      };
      const result = await call.retry(request, async () => {
        const response = await this.#send(call, api, request);
        return readResponse(call, operation, response, settings.redactor);
      });
      return { ...result, data: await this.#parse(call, operation, result.data, valid) };
    });
  }

  /** Sends the request of one attempt with ky, which builds it, authenticates it and limits its time. */
  async #send(
    call: Call,
    api: ServiceInterface,
    { path, query, body }: EncodedRequest,
  ): Promise<HttpResponse> {
    const { redactor, transport } = this.#settings;
    let response: HttpResponse | undefined;
    try {
      const { headers } = call.options;
      const callHeaders = typeof headers === 'function' ? await call.limited(headers) : headers;
      redactor.remember(redactor.secretsIn(callHeaders));
      const timeLeftMs = call.timeLeftMs();
      if (timeLeftMs === 0) throw new TimeLimitExceeded();
      const search = [query, api.query].filter(Boolean).join('&');
      await this.#ky(`${api.url.href}${path}${search && '?'}${search}`, {
        method: call.target.method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...api.headers,
          ...callHeaders,
        },
        // The transport listens to the caller's signal: ky would keep memory on it.
        timeout: kyTimeout(Math.min(call.options.timeout, timeLeftMs)),
        // Only a function for the key takes time before `timeout` begins.
        ...(typeof api.key === 'function' && { totalTimeout: kyTimeout(timeLeftMs) }),
        context: { call, api } satisfies Context,
        fetch: async request => {
          response = await transport.send(request as Request, body, call);
          return withoutBody(response.status);
        },
      });
      const read = response as unknown as HttpResponse;
      call.receiveStatus(read.status);
      return read;
    } catch (error) {
      const cause = error instanceof KyNetworkError ? error.cause : error;
      const ending = cause instanceof KyTimeoutError ? new TimeLimitExceeded() : cause;
      throw endingError(call, ending, lost => transport.networkError(call, lost));
    } finally {
      // ky keeps its options until the next major garbage collection: nothing of the body should be kept with them.
      response = undefined;
    }
  }

  /** Adds the key to the request of an attempt, and then begins it. */
  async #authenticate(request: Request, { call, api }: Context): Promise<void> {
    let { key } = api;
    if (typeof key === 'function') {
      const load = key;
      // ky does not cancel a hook: a key that comes after a time limit must not begin the attempt.
      key = await call.limited(() => load({ refused: call.isKeyRefused }));
      this.#settings.redactor.remember([key]);
    }
    request.headers.set(api.keyHeader, key);
    throwIfAborted(call.options.signal);
    call.begin();
  }

  /** Parses the JSON of a response, and reports how it differs from what is documented. */
  async #parse<Output>(
    call: Call,
    { name, output, request }: Pick<Operation<never, Output>, 'name' | 'output' | 'request'>,
    json: unknown,
    input: unknown,
  ): Promise<Output> {
    const { validation, onDrift, reportedDrift, redact } = this.#settings;
    // A login page, a captive portal or a wrong address sends nothing, a text or a number: that is not the service.
    const outcome: Outcome = typeof json === 'object' && json !== null ? 'done' : 'unknown';
    try {
      const parsed = await output.parseResponse(json, validation, input);
      const advice =
        request && outcome === 'done' ? 'Check the schema, and what the service sends.' : undefined;
      if (!parsed.ok) throw unusableResponse(call, outcome, parsed.issues, advice);
      if (parsed.drift.length > 0) reportDrift(onDrift, reportedDrift, name, parsed.drift, redact);
      return parsed.value;
    } catch (error) {
      if (isOf(call, error)) throw error;
      throw functionFailed(call, outcome, 'the schema failed (see cause)', error);
    }
  }
}

/** What the hook that authenticates needs to know of a request. */
interface Context {
  readonly call: Call;
  readonly api: ServiceInterface;
  readonly [name: string]: unknown;
}

/** Returns a time limit as ky takes it; `false` for none. */
const kyTimeout = (ms: number): number | false => ms <= maxTimerMs && ms;

/**
 * Responses for ky, by status. What a response says is not ky's subject, and its text was read before, within ky's time limit:
 * a response with that text, read from what ky returns, costs a quarter of a POST and a sixth of a page more.
 */
const responses: Record<number, Response> = {};

function withoutBody(status: number): Response {
  // A `Response` allows no other statuses than these.
  const isAllowed = status >= 200 && status <= 599;
  responses[status] ??= isAllowed ? new Response(null, { status }) : Response.error();
  return responses[status];
}

/** Returns the input as it is sent. Throws the error of one that is not valid. */
function checkInput<Input>(
  call: Call,
  { name, input: schema }: Pick<Operation<Input>, 'name' | 'input'>,
  input: unknown,
): unknown {
  const { redact } = call.settings;
  const checked = schema?.validateInput(input);
  if (checked?.ok) return checked.value;
  if (checked) throw invalidRequest(name, checked.issues, redact);
  return undefined;
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

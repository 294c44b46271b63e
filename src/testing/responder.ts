import { parseJson } from '../core/json.ts';
import { onAbort, sleep, untilAborted } from '../core/timers.ts';
import type { Failure } from './faults/fault-kinds.ts';
import type { AppliedFault, Faults } from './faults/faults.ts';
import type { OpenRequest, RecordedRequest, RecordedResponse, Recorder } from './request-log.ts';
import { errorKinds, type ServiceResponse } from './service/error-response.ts';
import {
  maxBodyBytes,
  type ReadRequest,
  type Service,
  type Target,
  textOf,
} from './service/sandbox-service.ts';
import { queryOf } from './service/service-request.ts';

/** Response to send. */
export interface Reply extends RecordedResponse {
  /** Half of the body, as a fault sends it. Throws where the connection is cut. */
  readonly chunks?: AsyncIterableIterator<Uint8Array>;
}

type Perform = (signal: AbortSignal, done: () => void) => Promise<Reply>;

/** Creates the error for a connection that a fault or a reset of the sandbox cuts: the one of Node's `fetch`. */
function connectionDropped(): TypeError {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  return new TypeError('fetch failed', { cause });
}

export interface ResponderParts {
  readonly service: Service;
  readonly faults: Faults;
  readonly recorder: Recorder;
  readonly now: () => Date;
  readonly onResponse: ((request: RecordedRequest) => void) | undefined;
}

/** Responds to requests: logs each one, applies faults, and calls the service. */
export class Responder {
  readonly #parts: ResponderParts;
  /** Controllers, each with the caller's request: a `Request` that was freed does not forward an abort. */
  readonly #running = new Map<AbortController, unknown>();

  constructor(parts: ResponderParts) {
    this.#parts = parts;
  }

  /** Responds to a request. Rejects with the signal's reason, or the error for a dropped connection. */
  reply(request: ReadRequest, signal?: AbortSignal): Promise<Reply> {
    return this.#run(signal, request, (own, done) => this.#reply(request, own, done));
  }

  /** Responds like the platform's `fetch`. */
  async fetch(...call: Parameters<typeof fetch>): Promise<Response> {
    const request = new Request(...call);
    const { method, url, headers, signal } = request;
    const reply = await this.#run(signal, [...call, request], async (own, done) => {
      const bytes = await request.arrayBuffer();
      const body = bytes.byteLength > maxBodyBytes ? undefined : textOf(bytes);
      return this.#reply({ method, url: new URL(url), headers, body }, own, done);
    });
    return responseOf(reply);
  }

  /** Cuts the connections of all running requests, so that they have no further effect. */
  end(): void {
    for (const running of this.#running.keys()) running.abort(connectionDropped());
  }

  /**
   * Performs a request with a signal that aborts with the caller's, and when all requests end. It runs until there is a
   * response; if it has chunks, until the function `done` is called.
   */
  async #run(signal: AbortSignal | undefined, kept: unknown, perform: Perform): Promise<Reply> {
    signal?.throwIfAborted();
    const running = new AbortController();
    const done = () => void this.#running.delete(running);
    // Each request has its own signal.
    signal?.addEventListener('abort', () => running.abort(signal.reason));
    this.#running.set(running, kept);
    let reply: Reply | undefined;
    try {
      reply = await perform(running.signal, done);
      return reply;
    } finally {
      if (reply?.chunks === undefined) done();
    }
  }

  async #reply(request: ReadRequest, signal: AbortSignal, done: () => void): Promise<Reply> {
    signal.throwIfAborted();
    const { service, recorder, onResponse } = this.#parts;
    const started = performance.now();
    const target = service.target(request.method, request.url);
    const recorded = this.#record(request, target);
    recorder.open(recorded, JSON.stringify([request.url, ...request.headers, request.body]).length);
    try {
      const ending = await this.#perform(request, target, recorded, signal);
      const { response } = recorded;
      if (response === undefined) throw connectionDropped();
      if (ending === undefined || response.text === '') return response;
      return { ...response, chunks: chunksOf(response.text, ending, signal, done) };
    } finally {
      recorded.durationMs = Math.round((performance.now() - started) * 10) / 10;
      recorder.close(recorded);
      onResponse?.(recorded);
    }
  }

  /** Applies faults, performs a request, and records the response. Resolves to the fault that cuts its body. */
  async #perform(request: ReadRequest, target: Target, recorded: OpenRequest, signal: AbortSignal) {
    const { service, faults } = this.#parts;
    const applied = faults.apply(recorded);
    if (applied.length > 0) recorded.appliedFaults = applied.map(({ fault }) => fault);
    const last = applied.at(-1)?.fault;
    const cut = last?.kind === 'stall' || last?.kind === 'drop' ? last.kind : undefined;
    const unanswered = cut !== undefined && last?.at !== 'body';
    const failure = last?.kind === 'fail' ? last : undefined;
    let response = failure && failureResponse(failure);
    await wait(applied, false, signal);
    if (last?.acted === true || (!unanswered && failure === undefined)) {
      const performed = await service.respond(request, target, signal);
      if (performed.error !== undefined) recorded.error = performed.error;
      response ??= written(performed);
    }
    signal.throwIfAborted();
    await wait(applied, true, signal);
    if (cut === 'stall' && unanswered) await stall(signal);
    if (unanswered || response === undefined) return undefined;
    recorded.response = response;
    recorded.status = response.status;
    return cut;
  }

  #record(request: ReadRequest, target: Target): OpenRequest {
    const { method, url, headers, body } = request;
    const { endpoint, operation } = target.matches[0]?.route ?? {};
    const recorded: OpenRequest = {
      number: this.#parts.recorder.count + 1,
      time: this.#parts.now().toISOString(),
      endpoint,
      operation,
      method,
      path: url.pathname,
      query: queryOf(url.searchParams),
      headers: Object.fromEntries(headers),
    };
    if (!body) return recorded;
    // Parsed on access: parsed JSON takes about ten times the memory of its text.
    const get = () => {
      const json = parseJson(body);
      return json === undefined ? body : json;
    };
    return Object.defineProperty(recorded, 'body', { get, enumerable: true });
  }
}

/** Statuses whose responses have no body. */
const bodiless = new Set([204, 205, 304]);

function written({ status, json, headers, ...response }: ServiceResponse): RecordedResponse {
  const text = bodiless.has(status) ? '' : (response.text ?? JSON.stringify(json));
  const type = text === '' ? undefined : { 'content-type': 'application/json; charset=utf-8' };
  return { status, headers: { ...type, ...headers }, text };
}

/** Messages that the service documents, by HTTP status. */
const messages: Readonly<Record<number, string>> = Object.fromEntries(
  (['unauthorized', 'malformed', 'unknown', 'nameUsed', 'serverFailure'] as const).map(
    kind => errorKinds[kind],
  ),
);

/** Returns the response of a `fail` fault. */
function failureResponse({ status = 503, retryAfter, body, headers }: Failure): RecordedResponse {
  const message = messages[status] ?? `request failed with status ${status}`;
  const json = body === undefined ? { status: status === 401 ? 401 : 'error', message } : body;
  const text = typeof body === 'string' && { text: body };
  return written({
    status,
    json,
    ...text,
    headers: {
      ...(text && { 'content-type': 'text/plain; charset=utf-8' }),
      ...(retryAfter !== undefined && { 'retry-after': `${retryAfter}` }),
      ...headers,
    },
  });
}

/** Waits for the latencies and holds that apply before the service performs the request, or after it. */
async function wait(applied: readonly AppliedFault[], acted: boolean, signal: AbortSignal): Promise<void> {
  for (const { fault, ended } of applied) {
    if ((fault.acted === true) !== acted) continue;
    if (fault.kind === 'latency') await sleep(fault.ms ?? 0, signal);
    if (fault.kind === 'hold')
      await untilAborted(signal, new Promise<void>(resolve => onAbort(ended, resolve)));
  }
}

/** Rejects with the signal's reason on abort. */
const stall = (signal: AbortSignal) => untilAborted(signal, new Promise<never>(() => {}));

/** Yields half of a body, and then stalls or drops the connection. Throws the signal's reason on abort. */
async function* chunksOf(text: string, ending: 'stall' | 'drop', signal: AbortSignal, done: () => void) {
  const bytes = new TextEncoder().encode(text);
  try {
    yield bytes.subarray(0, Math.ceil(bytes.length / 2));
    if (ending === 'stall') await stall(signal);
    throw connectionDropped();
  } finally {
    done();
  }
}

/** Converts a reply to a `Response`; if a fault cuts it, the body fails or never ends. */
function responseOf({ status, headers, text, chunks }: Reply): Response {
  if (chunks === undefined) return new Response(text === '' ? null : text, { status, headers });
  const body = new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });
  return new Response(body, { status, headers });
}

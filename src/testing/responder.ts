import { parseJson } from '../core/json.ts';
import { sleep, untilAborted } from '../core/timers.ts';
import { bodiless, type Faults, failureResponse, type Pause } from './faults/faults.ts';
import type { OpenRequest, RecordedRequest, RecordedResponse, Recorder } from './request-log.ts';
import { ErrorResponse, type ServiceResponse } from './service/error-response.ts';
import type { ReadRequest, Service, Target } from './service/sandbox-service.ts';
import { queryOf } from './service/service-request.ts';

/** Response to send. */
export interface Reply extends RecordedResponse {
  /** Half of the body, as a fault sends it. Throws where the connection is cut. */
  readonly chunks?: AsyncIterableIterator<Uint8Array>;
}

type Perform = (signal: AbortSignal, done: () => void) => Promise<Reply>;

/** Thrown instead of a response when a fault, or a reset, cuts the connection. */
class ConnectionDropped extends Error {
  override readonly name = 'ConnectionDropped';
}

export interface ResponderParts {
  readonly service: Service;
  readonly faults: Faults;
  readonly recorder: Recorder;
  readonly now: () => Date;
  readonly onResponse: ((request: RecordedRequest) => void) | undefined;
}

/** Returns the text of a body. A byte order mark stays, which is not valid JSON, as a server does. */
const decode = (bytes: ArrayBuffer): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** Responds to requests: logs each one, applies faults, and calls the service. */
export class Responder {
  readonly #parts: ResponderParts;
  /** Each keeps the caller's request: a `Request` that was freed no longer passes its abort on. */
  readonly #running = new Map<AbortController, unknown>();

  constructor(parts: ResponderParts) {
    this.#parts = parts;
  }

  /** Responds to a request. Rejects with the signal's reason, or with `ConnectionDropped`. */
  reply(request: ReadRequest, signal?: AbortSignal): Promise<Reply> {
    return this.#run(signal, request, (own, done) => this.#reply(request, own, done));
  }

  /** Responds like the platform's `fetch`; a dropped connection is a network error. */
  async fetch(...call: Parameters<typeof fetch>): Promise<Response> {
    const request = new Request(...call);
    const { method, url, headers, signal } = request;
    try {
      const reply = await this.#run(signal, [...call, request], async (own, done) => {
        const body = decode(await request.arrayBuffer());
        return this.#reply({ method, url: new URL(url), headers, body }, own, done);
      });
      return responseOf(reply);
    } catch (error) {
      throw asOfFetch(error);
    }
  }

  /** Cuts the connections of all requests that are running, so that they change nothing any more. */
  end(): void {
    for (const running of this.#running.keys()) running.abort(new ConnectionDropped());
  }

  /**
   * Performs a request with a signal that aborts with the caller's, and when all requests end. It runs until there is a
   * response; if that has chunks, until the function `done` is called.
   */
  async #run(signal: AbortSignal | undefined, kept: unknown, perform: Perform): Promise<Reply> {
    signal?.throwIfAborted();
    const running = new AbortController();
    const done = () => void this.#running.delete(running);
    // Each request has a signal of its own.
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
    recorder.open(recorded);
    try {
      const ending = await this.#perform(request, target, recorded, signal);
      const { response } = recorded;
      if (response === undefined) throw new ConnectionDropped();
      if (ending === undefined || response.text === '') return response;
      return { ...response, chunks: chunksOf(response.text, ending, signal, done) };
    } finally {
      recorded.durationMs = Math.round((performance.now() - started) * 10) / 10;
      recorder.touch();
      onResponse?.(recorded);
    }
  }

  /** Performs a request as the faults say, and records the response. Resolves to how its body is sent. */
  async #perform(request: ReadRequest, target: Target, recorded: OpenRequest, signal: AbortSignal) {
    const { service, faults } = this.#parts;
    const applied = faults.apply(recorded);
    const fault = applied.faults.at(-1);
    if (fault !== undefined) Object.assign(recorded, { fault: fault.kind, appliedFaults: applied.faults });
    await pause(applied.before, signal);
    const cut = fault?.kind === 'stall' || fault?.kind === 'drop' ? fault.kind : undefined;
    const unanswered = cut !== undefined && fault?.at !== 'body';
    const replaced = unanswered || fault?.kind === 'fail';
    let response: ServiceResponse = { status: 0, json: undefined };
    if (applied.limitedFor !== undefined) response = service.errorResponse(rateLimited(applied.limitedFor));
    else if (!replaced || fault?.acted === true) response = await service.respond(request, target, signal);
    signal.throwIfAborted();
    if (response.error !== undefined) recorded.error = response.error;
    await pause(applied.after, signal);
    if (cut === 'stall' && unanswered) await stall(signal);
    if (unanswered) return cut;
    recorded.response = fault?.kind === 'fail' ? failureResponse(fault) : written(response);
    recorded.status = recorded.response.status;
    return cut;
  }

  #record(request: ReadRequest, target: Target): OpenRequest {
    const { method, url, headers, body } = request;
    const { endpoint, operation } = target.matches[0]?.route ?? {};
    const recorded: OpenRequest = {
      number: this.#parts.recorder.nextNumber,
      time: this.#parts.now().toISOString(),
      endpoint,
      operation,
      method,
      path: url.pathname,
      query: queryOf(url.searchParams),
      headers: Object.fromEntries(headers),
    };
    if (body === '') return recorded;
    // Parsed on access: parsed JSON takes about ten times the memory of its text.
    const get = () => {
      const json = parseJson(body);
      return json === undefined ? body : json;
    };
    return Object.defineProperty(recorded, 'body', { get, enumerable: true });
  }
}

function rateLimited(seconds: number): ErrorResponse {
  return new ErrorResponse('rateLimited', {
    reason: `the rate limit of a fault was exceeded; retry after ${seconds} s`,
    headers: { 'retry-after': `${seconds}` },
  });
}

function written({ status, json, headers, ...response }: ServiceResponse) {
  const text = bodiless.has(status) ? '' : (response.text ?? JSON.stringify(json));
  const type = text === '' ? undefined : { 'content-type': 'application/json; charset=utf-8' };
  return { status, headers: { ...type, ...headers }, text };
}

/** Waits as long as faults say. Rejects with the signal's reason on abort. */
async function pause({ ms, holds }: Pause, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, signal);
  for (const released of holds) await untilAborted(signal, released);
}

/** Rejects with the signal's reason on abort. */
const stall = (signal: AbortSignal) => untilAborted(signal, new Promise<never>(() => {}));

/** Yields half of a body, and then stalls or drops the connection. Throws the signal's reason on abort. */
async function* chunksOf(text: string, ending: 'stall' | 'drop', signal: AbortSignal, done: () => void) {
  const bytes = new TextEncoder().encode(text);
  try {
    yield bytes.subarray(0, Math.ceil(bytes.length / 2));
    if (ending === 'stall') await stall(signal);
    throw new ConnectionDropped();
  } finally {
    done();
  }
}

/** Converts a reply to a `Response`; if a fault cuts it, the body fails or never ends. */
function responseOf({ status, headers, text, chunks }: Reply): Response {
  if (chunks === undefined) return new Response(text === '' ? null : text, { status, headers });
  const body = new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next().catch(error => {
        throw asOfFetch(error);
      });
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });
  return new Response(body, { status, headers });
}

/** Returns the error that `fetch` rejects with: for a cut connection, that of Node for one that is reset. */
function asOfFetch(error: unknown): unknown {
  if (!(error instanceof ConnectionDropped)) return error;
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  return new TypeError('fetch failed', { cause });
}

import { bodiless, type Faults, failureResponse, type Pause } from './faults/faults.ts';
import type { OpenRequest, RecordedRequest, RecordedResponse, Recorder } from './request-log.ts';
import { queryOf } from './service/call.ts';
import { ErrorResponse, type ServiceResponse } from './service/error-response.ts';
import type { ReadRequest, Service, Target } from './service/service.ts';

/** Response to send: complete, cut half-way, or never ending. */
export interface Reply extends RecordedResponse {
  readonly ending: 'whole' | 'drop' | 'stall';
}

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
  readonly #running = new Set<AbortController>();

  constructor(parts: ResponderParts) {
    this.#parts = parts;
  }

  /** Responds to a request. Rejects with the signal's reason, or with `ConnectionDropped`. */
  reply(request: ReadRequest, signal?: AbortSignal): Promise<Reply> {
    return this.#run(signal, own => this.#reply(request, own));
  }

  /** Responds like the platform's `fetch`; a dropped connection is a network error. */
  async fetch(request: Request, maxBodyBytes: number): Promise<Response> {
    const { method, url, headers, signal } = request;
    try {
      const reply = await this.#run(signal, async own => {
        const bytes = await request.arrayBuffer();
        const body = bytes.byteLength > maxBodyBytes ? undefined : decode(bytes);
        return this.#reply({ method, url: new URL(url), headers, body }, own);
      });
      return responseOf(reply, signal);
    } catch (error) {
      throw error instanceof ConnectionDropped ? networkError() : error;
    }
  }

  /** Cuts the connections of all requests that are running, so that they change nothing any more. */
  end(): void {
    for (const running of this.#running) running.abort(new ConnectionDropped());
  }

  /** Performs a request with a signal that aborts with the caller's, and when all requests end. */
  async #run<T>(signal: AbortSignal | undefined, perform: (own: AbortSignal) => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const running = new AbortController();
    const stop = () => running.abort(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    this.#running.add(running);
    try {
      return await perform(running.signal);
    } finally {
      this.#running.delete(running);
      signal?.removeEventListener('abort', stop);
    }
  }

  async #reply(request: ReadRequest, signal: AbortSignal): Promise<Reply> {
    signal.throwIfAborted();
    const { service, recorder, onResponse } = this.#parts;
    const started = performance.now();
    const target = service.target(request.method, request.url);
    const recorded = this.#record(request, target);
    recorder.open(recorded, request);
    try {
      return await this.#perform(request, target, recorded, signal);
    } finally {
      recorded.durationMs = Math.round((performance.now() - started) * 10) / 10;
      recorder.close(recorded);
      onResponse?.(recorded);
    }
  }

  async #perform(
    request: ReadRequest,
    target: Target,
    recorded: OpenRequest,
    signal: AbortSignal,
  ): Promise<Reply> {
    const { service, faults } = this.#parts;
    const { before, after, fault, limitedFor } = faults.apply(recorded);
    if (fault !== undefined) Object.assign(recorded, { fault: fault.kind, appliedFault: fault });
    await pause(before, signal);
    const ending = fault?.kind === 'stall' || fault?.kind === 'drop' ? fault.kind : 'whole';
    const unanswered = ending !== 'whole' && fault?.at !== 'body';
    const replaced = unanswered || fault?.kind === 'fail';
    let response: ServiceResponse = { status: 0, json: undefined };
    if (limitedFor !== undefined) response = service.errorResponse(rateLimited(limitedFor));
    else if (!replaced || fault?.acted === true) response = await service.respond(request, target, signal);
    signal.throwIfAborted();
    if (response.error !== undefined) recorded.error = response.error;
    await pause(after, signal);
    if (ending === 'stall' && unanswered) await wait(signal, () => () => {});
    if (unanswered) throw new ConnectionDropped();
    const sent = fault?.kind === 'fail' ? failureResponse(fault) : written(response);
    recorded.status = sent.status;
    recorded.response = sent;
    return { ...sent, ending };
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
    if (body === undefined || body === '') return recorded;
    // Parsed on access: parsed JSON takes about ten times the memory of its text.
    return Object.defineProperty(recorded, 'body', { get: () => readable(body), enumerable: true });
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

function readable(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** Waits as long as faults say. Rejects with the signal's reason on abort. */
async function pause({ ms, holds }: Pause, signal: AbortSignal): Promise<void> {
  if (ms > 0)
    await wait(signal, done => {
      const timer = setTimeout(done, ms);
      return () => clearTimeout(timer);
    });
  for (const released of holds)
    await wait(signal, done => {
      void released.then(done);
      return () => {};
    });
}

/** Waits until `begin` calls back. Rejects with the signal's reason on abort, and calls what `begin` returned. */
function wait(signal: AbortSignal, begin: (done: () => void) => () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      cancel();
      reject(signal.reason);
    };
    const cancel = begin(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

/** Converts a reply to a `Response`; if a fault cuts it, the body fails or never ends. */
function responseOf({ status, headers, text, ending }: Reply, signal: AbortSignal): Response {
  if (ending === 'whole') return new Response(text === '' ? null : text, { status, headers });
  return new Response(brokenBody(text, ending, signal), { status, headers });
}

function brokenBody(text: string, ending: 'drop' | 'stall', signal: AbortSignal): ReadableStream {
  let sent = false;
  return new ReadableStream({
    start(controller) {
      signal.addEventListener('abort', () => controller.error(signal.reason), { once: true });
    },
    pull(controller) {
      if (!sent) controller.enqueue(new TextEncoder().encode(text.slice(0, Math.ceil(text.length / 2))));
      else if (ending === 'drop') controller.error(networkError());
      sent = true;
    },
  });
}

/** Creates the error that Node's `fetch` rejects with when a connection is reset. */
function networkError(): TypeError {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  return new TypeError('fetch failed', { cause });
}

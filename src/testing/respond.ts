import { type AppliedFaults, bodiless, type Faults, failureResponse } from './faults/faults.ts';
import type { OpenRequest, RecordedRequest, RecordedResponse, Recorder } from './request-log.ts';
import { ErrorResponse, type ServiceResponse } from './service/error-response.ts';
import type { ReadRequest, Service, Target } from './service/service.ts';

/** Response to send: complete, cut half-way, or never ending. */
export interface Reply extends RecordedResponse {
  readonly ending: 'whole' | 'drop' | 'stall';
}

/** Thrown instead of a response when a fault drops the connection. */
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

/** Responds to requests: logs each one, applies faults, and calls the service. */
export class Responder {
  readonly #parts: ResponderParts;

  constructor(parts: ResponderParts) {
    this.#parts = parts;
  }

  /** Responds to a request. Rejects with the signal's reason, or with `ConnectionDropped`. */
  async reply(request: ReadRequest, signal?: AbortSignal): Promise<Reply> {
    signal?.throwIfAborted();
    const { service, faults, recorder, onResponse } = this.#parts;
    const started = performance.now();
    const target = service.target(request.method, request.url);
    const applied = faults.apply(target.route?.endpoint);
    const recorded = this.#record(request, target, applied);
    recorder.open(recorded, request);
    try {
      return await this.#perform(request, target, applied, recorded, signal);
    } finally {
      recorded.durationMs = Math.round((performance.now() - started) * 10) / 10;
      recorder.close(recorded);
      onResponse?.(recorded);
    }
  }

  /** Responds like the platform's `fetch`; a dropped connection is a network error. */
  async fetch(request: Request, maxBodyBytes: number): Promise<Response> {
    const bytes = await request.arrayBuffer();
    const body = bytes.byteLength > maxBodyBytes ? undefined : new TextDecoder().decode(bytes);
    const { method, url, headers, signal } = request;
    try {
      const reply = await this.reply({ method, url: new URL(url), headers, body }, signal);
      return responseOf(reply, signal);
    } catch (error) {
      throw error instanceof ConnectionDropped ? networkError() : error;
    }
  }

  async #perform(
    request: ReadRequest,
    target: Target,
    { waitMs, fault, limitedFor }: AppliedFaults,
    recorded: OpenRequest,
    signal: AbortSignal | undefined,
  ): Promise<Reply> {
    if (waitMs > 0) await sleep(waitMs, signal);
    const { service } = this.#parts;
    const ending = fault?.kind === 'stall' || fault?.kind === 'drop' ? fault.kind : 'whole';
    const unanswered = ending !== 'whole' && fault?.at !== 'body';
    const replaced = unanswered || fault?.kind === 'fail';
    let response: ServiceResponse = { status: 0, json: undefined };
    if (limitedFor !== undefined) response = service.errorResponse(rateLimited(limitedFor));
    else if (!replaced || fault?.acted === true) response = await service.respond(request, target);
    if (response.error !== undefined) recorded.error = response.error;
    if (ending === 'stall' && unanswered) await sleep(undefined, signal);
    if (unanswered) throw new ConnectionDropped();
    const sent = fault?.kind === 'fail' ? failureResponse(fault) : written(response);
    recorded.status = sent.status;
    recorded.response = sent;
    return { ...sent, ending };
  }

  #record(request: ReadRequest, target: Target, { fault }: AppliedFaults): OpenRequest {
    const { method, url, headers, body } = request;
    const { endpoint, operation } = target.route ?? {};
    const recorded: OpenRequest = {
      number: this.#parts.recorder.nextNumber,
      time: this.#parts.now().toISOString(),
      endpoint,
      operation,
      method,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(headers),
      ...(fault === undefined ? {} : { fault: fault.kind, appliedFault: fault }),
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

/** Waits, forever if no time is given. Rejects with the signal's reason on abort. */
function sleep(ms: number | undefined, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = ms === undefined ? undefined : setTimeout(done, ms);
    function done() {
      signal?.removeEventListener('abort', stop);
      resolve();
    }
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
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

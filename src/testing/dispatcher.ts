import { failureResponse } from './faults/failure-response.ts';
import type { AppliedFaults, Faults } from './faults/faults.ts';
import type { FaultOrder } from './faults/kinds.ts';
import type { RecordedRequest } from './journal.ts';
import type { JournalWriter, OpenEntry } from './journal-writer.ts';
import { Refusal, type ServiceResponse } from './service/refusal.ts';
import type { ReadRequest, Service, Target } from './service/service.ts';

/** A response as it is sent: whole, cut half-way, or never ending. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly ending: 'whole' | 'drop' | 'stall';
}

/** Thrown in place of a response when the connection is dropped. */
export class ConnectionDropped extends Error {
  override readonly name = 'ConnectionDropped';
}

/** The parts that a dispatcher works with. */
export interface DispatcherParts {
  readonly service: Service;
  readonly faults: Faults;
  readonly writer: JournalWriter;
  readonly now: () => Date;
  readonly onResponse: ((request: RecordedRequest) => void) | undefined;
}

/** Takes each request through journal, faults and service. */
export class Dispatcher {
  readonly #parts: DispatcherParts;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  /** Responds to a request. Rejects with the signal's reason, or with `ConnectionDropped`. */
  async reply(request: ReadRequest, signal?: AbortSignal): Promise<Reply> {
    signal?.throwIfAborted();
    const { service, faults, writer, onResponse } = this.#parts;
    const started = performance.now();
    const target = service.target(request.method, request.url);
    const applied = faults.apply(target.route?.endpoint);
    const entry = this.#entry(request, target, applied);
    writer.open(entry, request);
    try {
      return await this.#perform(request, target, applied, entry, signal);
    } finally {
      entry.durationMs = Math.round((performance.now() - started) * 10) / 10;
      writer.close(entry);
      onResponse?.(entry);
    }
  }

  async #perform(
    request: ReadRequest,
    target: Target,
    { waitMs, fault, limitedFor }: AppliedFaults,
    entry: OpenEntry,
    signal: AbortSignal | undefined,
  ): Promise<Reply> {
    if (waitMs > 0) await sleep(waitMs, signal);
    const { service } = this.#parts;
    const response =
      limitedFor === undefined
        ? await this.#respond(request, target, fault)
        : service.refuse(rateLimited(limitedFor));
    if (response.refusal !== undefined) entry.refusal = response.refusal;
    const interruption = fault?.kind === 'stall' || fault?.kind === 'drop' ? fault : undefined;
    if (interruption !== undefined && (interruption.at ?? 'head') === 'head') {
      if (interruption.kind === 'stall') await sleep(undefined, signal);
      throw new ConnectionDropped();
    }
    const reply = fault?.kind === 'fail' ? failureResponse(fault) : written(response);
    entry.status = reply.status;
    entry.response = reply;
    return { ...reply, ending: interruption?.kind ?? 'whole' };
  }

  /** Responds as the service does; a fault that acts in its place leaves the service alone. */
  #respond(
    request: ReadRequest,
    target: Target,
    fault: FaultOrder | undefined,
  ): ServiceResponse | Promise<ServiceResponse> {
    const replaced =
      fault?.kind === 'fail' || ((fault?.kind === 'stall' || fault?.kind === 'drop') && fault.at !== 'body');
    if (!replaced || fault?.acted === true) return this.#parts.service.respond(request, target);
    return { status: 0, json: undefined };
  }

  #entry(request: ReadRequest, target: Target, { fault }: AppliedFaults): OpenEntry {
    const { method, url, headers, body } = request;
    const { endpoint, operation } = target.route ?? {};
    const entry: OpenEntry = {
      number: this.#parts.writer.nextNumber,
      time: this.#parts.now().toISOString(),
      endpoint,
      operation,
      method,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(headers),
      ...(fault === undefined ? {} : { fault: fault.kind, appliedFault: fault }),
    };
    if (body === undefined || body === '') return entry;
    // Parsed when it is read: as an object, JSON takes about ten times the memory of its text.
    return Object.defineProperty(entry, 'body', { get: () => readable(body), enumerable: true });
  }
}

function rateLimited(seconds: number): Refusal {
  return new Refusal('rateLimited', {
    reason: `a rate limit of the sandbox is used up for ${seconds} s`,
    headers: { 'retry-after': `${seconds}` },
  });
}

type Sent = Omit<Reply, 'ending'>;

function written({ status, json, text = JSON.stringify(json), headers }: ServiceResponse): Sent {
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

/** Waits, without end when no time is given; rejects with the signal's reason when that aborts first. */
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

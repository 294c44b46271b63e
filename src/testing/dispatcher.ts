import type { Failure, Faults, Strike } from './faults/faults.ts';
import type { Journal, RecordedRequest } from './journal.ts';
import { type Answer, Refusal } from './service/refusal.ts';
import type { ReadRequest, Service, Target } from './service/service.ts';
import type { State } from './service/state.ts';

/** An answer as it goes out: whole, cut half-way, or never ending. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly ending: 'whole' | 'drop' | 'stall';
}

/** Thrown in place of an answer when the connection is dropped. */
export class ConnectionDropped extends Error {
  override readonly name = 'ConnectionDropped';
}

/** What an exchange needs: the service, its state, and what happens around it. */
export interface ExchangeParts {
  readonly service: Service;
  readonly state: State;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly journalLimit: number;
  readonly now: () => Date;
  readonly onAnswer: ((request: RecordedRequest) => void) | undefined;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Takes a request through journal, faults and service. Rejects with the signal's reason, or `ConnectionDropped`. */
export class Exchange {
  readonly #parts: ExchangeParts;
  #count = 0;

  constructor(parts: ExchangeParts) {
    this.#parts = parts;
  }

  /** Starts counting requests anew. */
  reset(): void {
    this.#count = 0;
  }

  async reply(request: ReadRequest, signal?: AbortSignal): Promise<Reply> {
    signal?.throwIfAborted();
    const target = this.#parts.service.target(request.method, request.url);
    const strike = this.#parts.faults.strike(target.route?.name);
    const entry = this.#record(request, target, strike);
    try {
      return await this.#struck(request, target, strike, entry, signal);
    } finally {
      this.#parts.onAnswer?.(entry);
    }
  }

  async #struck(
    request: ReadRequest,
    target: Target,
    strike: Strike,
    entry: Mutable<RecordedRequest>,
    signal: AbortSignal | undefined,
  ): Promise<Reply> {
    if (strike.waitMs > 0) await sleep(strike.waitMs, signal);
    const { fault } = strike;
    const answered = this.#answer(request, target, strike);
    if (fault !== undefined && fault.kind !== 'fail' && (fault.at ?? 'head') === 'head') {
      if (fault.kind === 'stall') await sleep(undefined, signal);
      throw new ConnectionDropped();
    }
    entry.status = answered.status;
    const ending = fault === undefined || fault.kind === 'fail' ? 'whole' : fault.kind;
    return { ...answered, ending };
  }

  #answer(request: ReadRequest, target: Target, { fault, limitedFor }: Strike): Omit<Reply, 'ending'> {
    const { service, state } = this.#parts;
    if (limitedFor !== undefined)
      return written(
        service.refuse(new Refusal('rateLimited', undefined, { 'retry-after': `${limitedFor}` })),
      );
    const acts =
      fault === undefined || fault.acted === true || (fault.kind !== 'fail' && fault.at === 'body');
    const answer = acts
      ? service.answer(request, target, state)
      : service.refuse(new Refusal('serverFailure'));
    return fault?.kind === 'fail' ? failed(fault) : written(answer);
  }

  #record(request: ReadRequest, target: Target, strike: Strike): Mutable<RecordedRequest> {
    const { journal, journalLimit, now } = this.#parts;
    const { method, url, headers, body } = request;
    const fault = strike.limitedFor === undefined ? strike.fault?.kind : 'rateLimit';
    const entry: Mutable<RecordedRequest> = {
      number: ++this.#count,
      time: now().toISOString(),
      operation: target.route?.name,
      method,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(headers),
      ...(body === undefined || body === '' ? {} : { body: readable(body) }),
      fault: fault ?? (strike.waitMs > 0 ? 'latency' : undefined),
    };
    journal.push(entry);
    if (journal.length > journalLimit * 1.1 + 1) journal.splice(0, journal.length - journalLimit);
    return entry;
  }
}

function written({ status, json, text = JSON.stringify(json), headers }: Answer): Omit<Reply, 'ending'> {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8', ...headers }, text };
}

/** Statuses whose answers have no body. */
const bodiless = new Set([204, 205, 304]);

function failed({ status = 503, retryAfter, body, headers }: Failure): Omit<Reply, 'ending'> {
  const json =
    body === undefined ? { status: status === 401 ? 401 : 'error', message: reason(status) } : body;
  const plain = typeof json === 'string';
  return {
    status,
    text: bodiless.has(status) ? '' : plain ? json : JSON.stringify(json),
    headers: {
      'content-type': plain ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
      ...(retryAfter === undefined ? {} : { 'retry-after': `${retryAfter}` }),
      ...headers,
    },
  };
}

function reason(status: number): string {
  return status === 401 ? 'team id or API key not valid' : 'internal server error occurred';
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

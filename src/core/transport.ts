import type { Redactor } from '../http/redact.ts';
import { readAnswer } from './answer.ts';
import { ApiPromise, type CallResult } from './api-promise.ts';
import { Call, type CallPlan, type Engine } from './call.ts';
import { type Encoded, encode } from './encode.ts';
import { invalidAnswer } from './fault.ts';
import type { HttpAnswer, HttpRequest } from './http.ts';
import { invalidRequest } from './invalid-request.ts';
import { parseExact } from './json.ts';
import { type Drift, quietly } from './observe.ts';
import type { Checked, Operation, Validation } from './operation.ts';
import type { ResolvedOptions } from './options.ts';

/** What a request carries to show who sends it. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  /** Added to the query, already encoded; empty for none. */
  readonly query: string;
}

/** One of the service's interfaces: where it is and how to show who calls. */
export interface Service {
  /** URL without a trailing slash, its own path included. */
  readonly baseUrl: string;
  readonly credentials: () => Credentials | Promise<Credentials>;
}

/** What the client says of reading answers. */
export interface Reading {
  readonly validation: Validation;
  readonly onDrift: (drift: Drift) => void;
  readonly redact: Redactor;
}

const jsonType = { 'content-type': 'application/json' };

/** Carries operations to one interface of the service: checks, encodes, calls, decodes. */
export class Transport {
  readonly #service: Service;
  readonly #engine: Engine;
  readonly #reading: Reading;
  readonly #told = new Set<string>();
  readonly #basePath: string;

  constructor(service: Service, engine: Engine, reading: Reading) {
    this.#service = service;
    this.#engine = engine;
    this.#reading = reading;
    this.#basePath = new URL(service.baseUrl).pathname;
  }

  /** Calls an operation. Never throws: a bad input is a rejection too. */
  call(
    name: string,
    operation: Operation,
    input: unknown,
    options: () => ResolvedOptions,
  ): ApiPromise<unknown> {
    return ApiPromise.from(this.#run(name, operation, input, options));
  }

  async #run(name: string, operation: Operation, input: unknown, options: () => ResolvedOptions) {
    const checked: Checked<unknown> = operation.input?.(input) ?? { ok: true, value: undefined };
    if (!checked.ok) throw invalidRequest(name, checked.issues);
    const resolved = options();
    resolved.signal?.throwIfAborted();
    return new Call(this.#plan(name, operation, checked.value, resolved), this.#engine, resolved).run();
  }

  #plan(
    name: string,
    operation: Operation,
    input: unknown,
    options: ResolvedOptions,
  ): CallPlan<CallResult<unknown>> {
    const encoded = encode(operation, input);
    const { repeat, goneIsDone } = operation;
    return {
      operation: name,
      method: operation.method,
      path: this.#basePath + encoded.path,
      repeat: typeof repeat === 'function' ? repeat(input as Readonly<Record<string, unknown>>) : repeat,
      request: () => this.#request(operation, encoded, options),
      read: answer => this.#read(name, operation, answer),
      settled: fault => {
        if (!goneIsDone || !fault.gone) return undefined;
        const answer = { status: 200, headers: new Headers(), text: '{}' };
        return this.#read(name, operation, answer);
      },
    };
  }

  #request(
    operation: Operation,
    encoded: Encoded,
    options: ResolvedOptions,
  ): HttpRequest | Promise<HttpRequest> {
    const { path, query, body } = encoded;
    const { baseUrl, credentials } = this.#service;
    const complete = (own: Credentials): HttpRequest => {
      const search = [query, own.query].filter(part => part !== '').join('&');
      return {
        method: operation.method,
        url: `${baseUrl}${path}${search && `?${search}`}`,
        headers: { ...options.headers, ...(body !== undefined && jsonType), ...own.headers },
        body,
      };
    };
    const own = credentials();
    return own instanceof Promise ? own.then(complete) : complete(own);
  }

  #read(name: string, operation: Operation, answer: HttpAnswer): CallResult<unknown> {
    const { validation, redact } = this.#reading;
    const json = readAnswer(answer, operation.exactIntegers ? parseExact : JSON.parse, redact);
    const decoded = operation.output(json, validation, issue => this.#drift({ operation: name, ...issue }));
    if (!decoded.ok) throw invalidAnswer('done', answer.status, decoded.issues);
    const { status, headers } = answer;
    return { data: decoded.value, answer: { status, headers: () => redact.headers(headers) } };
  }

  /** Tells of each place once, whatever the number of records. */
  #drift(drift: Drift): void {
    const key = `${drift.operation} ${drift.path}`;
    if (this.#told.has(key)) return;
    this.#told.add(key);
    quietly(() => this.#reading.onDrift(drift));
  }
}

import type { Issue } from '../errors.ts';

export type HeaderRecord = Readonly<Record<string, string>>;

/** HTTP methods that a request can have. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';

/** Strictness with which a response is compared with what is documented. */
export type Validation = 'report' | 'strict' | 'off';

/** Result of validating the input of a call: the value to send, or what is wrong. */
export type InputResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Validates what a caller passes and converts it to what is sent. Never throws. */
export interface InputSchema<Input> {
  validateInput(input: unknown): InputResult;
  /** Carries the type of a valid input, for the compiler only. */
  readonly accepts?: (input: Input) => void;
}

/**
 * Result of parsing a response: the record and the mismatches that leave it usable, or the issues that make it
 * unusable.
 */
export type ResponseResult<Output> =
  | { readonly ok: true; readonly value: Output; readonly drift: readonly Issue[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Parses the JSON of a response, `undefined` for an empty body, into a record. Never throws. */
export interface ResponseSchema<Output> {
  /** `input` is what the call sent. */
  parseResponse(
    json: unknown,
    validation: Validation,
    input?: unknown,
  ): ResponseResult<Output> | Promise<ResponseResult<Output>>;
}

/** An operation and its input as HTTP carries them, without base URL, key and the headers of the options. */
export interface EncodedRequest {
  /** Path with its parameters replaced. */
  readonly path: string;
  /** Query without `?`; empty for none. */
  readonly query: string;
  /** JSON text, if the request has a body. */
  readonly body: string | undefined;
  /** Headers that every attempt of the call carries, beside those of the options. */
  readonly headers?: HeaderRecord;
}

/** What a call does to what the service stores, which decides if it may be repeated. */
export interface Effect {
  /** A `read` changes nothing, a `create` makes a record with an id and a name, and a `write` changes anything else. */
  readonly kind: 'read' | 'create' | 'write' | 'delete';
  /**
   * `true`, also by a function of the input, if a second request changes nothing.
   * @defaultValue `true` for a `read` and a `delete`, otherwise `false`
   */
  readonly idempotent?: boolean | ((input: unknown) => boolean);
}

/** One endpoint of the service, as plain data. */
export interface Operation<Input = never, Output = unknown> extends Effect {
  /** Resource and method, such as `tags.create`. */
  readonly name: string;
  /** Interface that the endpoint belongs to. */
  readonly api: string;
  readonly method: HttpMethod;
  /** Path below the interface's own. `{identifier}` is replaced by the input, which then is the identifier itself. */
  readonly path: string;
  /** Request as it is sent, of an operation that is made for one call. It has no input, and `path` only describes it. */
  readonly request?: EncodedRequest;
  /** Where the input goes: into the path as `{identifier}`, the query, or the body. */
  readonly inputIn?: 'nothing' | 'id' | 'query' | 'body' | 'query+body';
  /** Of `query+body`: fields of the input that travel in the query. The others are the body. */
  readonly query?: readonly string[];
  /** Sentence about what to do if the service does not find what the input names. */
  readonly notFoundAdvice?: string;
  /** Absent for operations without an input. */
  readonly input?: InputSchema<Input>;
  readonly output: ResponseSchema<Output>;
}

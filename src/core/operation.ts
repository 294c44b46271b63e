import type { Issue } from '../errors.ts';
import type { ApiPromise } from './api-promise.ts';
import type { CallOptions } from './options.ts';

/** What a check of an input, or of an answer, comes to. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Checks an input and gives what is to be sent of it; never throws. `T` is the input that passes. */
export interface InputCheck<T> {
  (input: unknown): Checked<unknown>;
  readonly type?: T;
}

/** How strictly an answer is held against what is documented. */
export type Validation = 'report' | 'strict' | 'off';

/** Turns a parsed JSON answer into a record; tells `drift` of mismatches that leave the record usable. Never throws. */
export type OutputDecode<T> = (
  json: unknown,
  validation: Validation,
  drift: (issue: Issue) => void,
) => Checked<T>;

/**
 * Whether a call may be made again when the service may already have acted on it: `always` where repeating it changes
 * nothing, `never` where it would act twice, or decided by the input.
 */
export type Repeat = 'always' | 'never' | ((input: Readonly<Record<string, unknown>>) => 'always' | 'never');

/** One endpoint of the service, as plain data. */
export interface Operation<Input = unknown, Output = unknown> {
  /** Which of the two interfaces it belongs to. */
  readonly api: 'rest' | 'legacy';
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path below the interface's own; `{identifier}` is replaced by the input, which then is the identifier itself. */
  readonly path: string;
  /** Members of the input that travel in the query; with POST, the others are the body. */
  readonly query?: readonly string[];
  readonly repeat: Repeat;
  /** A repeat that is answered "not found" has succeeded: the first one did it. */
  readonly goneIsDone?: boolean;
  /** The answer holds integers that a JavaScript number would round. */
  readonly exactIntegers?: boolean;
  /** Absent for operations that take nothing. */
  readonly input?: InputCheck<Input>;
  readonly output: OutputDecode<Output>;
}

/** The input that an operation takes. */
export type InputOf<O> = O extends Operation<infer Input, infer _> ? Input : never;

/** The record that an operation resolves to. */
export type OutputOf<O> = O extends Operation<infer _, infer Output> ? Output : never;

/** Calls one of a resource's operations by its name. */
export type Caller<Operations = Readonly<Record<string, Operation>>> = <
  Name extends keyof Operations & string,
>(
  name: Name,
  input: InputOf<Operations[Name]>,
  options: CallOptions | undefined,
) => ApiPromise<OutputOf<Operations[Name]>>;

import type { Issue } from '../errors.ts';

/** What a check of an input, or of an answer, comes to. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Checks an input; never throws. */
export type InputCheck<T> = (input: unknown) => Checked<T>;

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
export type Repeat<Input> = 'always' | 'never' | ((input: Input) => 'always' | 'never');

/** One endpoint of the service, as plain data. */
export interface Operation<Input = never, Output = unknown> {
  /** Which of the two interfaces it belongs to. */
  readonly api: 'rest' | 'legacy';
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path below the interface's own; `{identifier}` is replaced by the input, which then is the identifier itself. */
  readonly path: string;
  /** Members of the input that travel in the query; with POST, the others are the body. */
  readonly query?: readonly string[];
  readonly repeat: Repeat<Input>;
  /** A repeat that is answered "not found" has succeeded: the first one did it. */
  readonly goneIsDone?: boolean;
  /** The answer holds integers that a JavaScript number would round. */
  readonly exactIntegers?: boolean;
  /** Absent for operations that take nothing. */
  readonly input?: InputCheck<Input>;
  readonly output: OutputDecode<Output>;
}

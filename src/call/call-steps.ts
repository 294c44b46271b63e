import type { CallResult } from './api-promise.ts';
import type { AttemptEnd, AttemptLimits } from './attempt.ts';
import type { CallFailure, FailureContext } from './failure.ts';
import type { CallRequest, CallTarget } from './retries.ts';

/** What differs between the calls of the two clients. `perform` takes the steps in this order. */
export interface CallSteps<Request extends CallRequest, Data> {
  readonly target: CallTarget;
  /** Base URL of what is called. */
  readonly url: URL;
  /** Checks the input, and returns the request that every attempt sends. Throws the error of an input that is not valid. */
  readonly encode: () => Request;
  /** Sends the request once, and reads the response. Never throws. */
  readonly attempt: (request: Request, context: AttemptContext) => Promise<AttemptResult>;
  /** Parses the data of an attempt. */
  readonly parse: (
    received: CallResult<unknown>,
    request: Request,
    context: FailureContext,
  ) => ParsedResult<Data> | Promise<ParsedResult<Data>>;
}

/** The data of a call, or why it cannot be used. */
export type ParsedResult<Data> = CallResult<Data> | CallFailure;

/** What became of an attempt: the JSON of its response, or a failure. */
export type AttemptResult = AttemptEnd & { readonly result: CallResult<unknown> | CallFailure };

/** What an attempt gets from its call. */
export interface AttemptContext extends FailureContext {
  readonly limits: AttemptLimits;
  /** Those of earlier attempts. */
  readonly failures: readonly CallFailure[];
  /** Returns the id of the call. */
  readonly id: () => string;
  /** Reports that the request is sent now. */
  readonly reportStart: () => void;
  /** Has a function called when the call has ended, and its error is made. */
  readonly atEnd: (release: () => void) => void;
}

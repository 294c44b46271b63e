import type { Outcome } from '../errors.ts';
import { withTimeLimit } from './time-limit.ts';

/** Failure of a function that the server's own code gave to the handler. No part of it reaches a page. */
export class FunctionError extends Error {
  readonly thrown: unknown;
  /** Says if the service had acted when the function failed. */
  readonly outcome: Outcome;

  constructor(thrown: unknown, outcome: Outcome) {
    super();
    this.thrown = thrown;
    this.outcome = outcome;
  }
}

/** A call of a function of the server's. */
export interface FunctionCall<T> {
  /** Name of the option, as the error of the time limit reports it. */
  readonly name: string;
  /** Limit in milliseconds. */
  readonly timeout: number;
  /** Outcome to report if the function fails. */
  readonly outcome: Outcome;
  readonly run: () => T | Promise<T>;
}

/** Calls a function of the server's. Whatever it throws, or a call beyond the time limit, is a {@link FunctionError}. */
export async function callFunction<T>({ name, timeout, outcome, run }: FunctionCall<T>): Promise<T> {
  const timeoutError = () => new Error(`${name} took longer than ${timeout} ms (option callbackTimeout).`);
  try {
    return await withTimeLimit(timeout, async () => run(), timeoutError);
  } catch (thrown) {
    throw new FunctionError(thrown, outcome);
  }
}

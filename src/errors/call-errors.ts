import { EmailMarketingError, type ErrorDetails, type Issue } from './base.ts';

/**
 * An option of the client is missing, unknown or unusable. Thrown when the client is made; for `teamId`, by the first
 * legacy call.
 */
export class ConfigurationError extends EmailMarketingError {
  /** Name of the option, such as `baseUrl`; absent when the error concerns no single one. */
  readonly option: string | undefined;

  constructor(message: string, details: ErrorDetails & { readonly option?: string | undefined } = {}) {
    super(message, details);
    this.option = details.option;
  }

  override get name(): 'ConfigurationError' {
    return 'ConfigurationError';
  }
}

/** The input breaks a rule of the service; nothing was sent. `issues` names each field. */
export class InvalidRequestError extends EmailMarketingError {
  /** Every field that is wrong, and what was expected. */
  readonly issues: readonly Issue[];

  constructor(message: string, details: ErrorDetails & { readonly issues: readonly Issue[] }) {
    super(message, details);
    this.issues = details.issues;
  }

  override get name(): 'InvalidRequestError' {
    return 'InvalidRequestError';
  }
}

/** The answer came and cannot be used: not JSON, larger than `maxResponseBytes`, or a record without its `id`. */
export class InvalidResponseError extends EmailMarketingError {
  /** Every place that is wrong, and what was expected. */
  readonly issues: readonly Issue[];

  constructor(message: string, details: ErrorDetails & { readonly issues: readonly Issue[] }) {
    super(message, details);
    this.issues = details.issues;
  }

  override get name(): 'InvalidResponseError' {
    return 'InvalidResponseError';
  }
}

/**
 * No whole response came: the name did not resolve, or the connection was refused, reset or cut. `outcome` says whether
 * the service may have acted.
 */
export class ConnectionError extends EmailMarketingError {
  /** Code of the failure, such as `ECONNREFUSED`; absent where the runtime gives none. */
  readonly code: string | undefined;

  constructor(message: string, details: ErrorDetails & { readonly code?: string | undefined } = {}) {
    super(message, details);
    this.code = details.code;
  }

  override get name(): 'ConnectionError' {
    return 'ConnectionError';
  }
}

/** Where a call was when its time ran out: waiting its turn, awaiting the answer's head, or reading its body. */
export type TimeoutPhase = 'queue' | 'head' | 'body';

/** A time limit ran out. */
export class TimeoutError extends EmailMarketingError {
  /** Which option ended the call. */
  readonly limit: 'timeout' | 'totalTimeout';
  /** What the call was doing. */
  readonly phase: TimeoutPhase;

  constructor(
    message: string,
    details: ErrorDetails & { readonly limit: 'timeout' | 'totalTimeout'; readonly phase: TimeoutPhase },
  ) {
    super(message, details);
    this.limit = details.limit;
    this.phase = details.phase;
  }

  override get name(): 'TimeoutError' {
    return 'TimeoutError';
  }
}

import { EmailMarketingError, type ErrorDetails, type Issue } from './base.ts';

/**
 * Thrown when an option of the client is missing, unknown or unusable: by the constructor, and for `teamId` by the
 * first legacy call.
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

/** Thrown when the input breaks a rule of the service; nothing was sent. `issues` names each field. */
export class InvalidRequestError extends EmailMarketingError {
  /** Fields that are invalid, and what was expected. */
  readonly issues: readonly Issue[];

  constructor(message: string, details: ErrorDetails & { readonly issues: readonly Issue[] }) {
    super(message, details);
    this.issues = details.issues;
  }

  override get name(): 'InvalidRequestError' {
    return 'InvalidRequestError';
  }
}

/** Thrown when a response cannot be used: not JSON, larger than `maxResponseBytes`, or a record without its `id`. */
export class InvalidResponseError extends EmailMarketingError {
  /** Places that differ, and what was expected. */
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
 * Thrown when no whole response came: the name did not resolve, or the connection was refused, reset or cut. `outcome`
 * says if the service may have acted.
 */
export class ConnectionError extends EmailMarketingError {
  /** Code of the failure, such as `ECONNREFUSED`; absent if the runtime gives none. */
  readonly code: string | undefined;

  constructor(message: string, details: ErrorDetails & { readonly code?: string | undefined } = {}) {
    super(message, details);
    this.code = details.code;
  }

  override get name(): 'ConnectionError' {
    return 'ConnectionError';
  }
}

/** Phase in which a call ran out of time: queueing or waiting for the key, waiting for the head of the response, or reading its body. */
export type TimeoutPhase = 'queue' | 'head' | 'body';

/** Thrown when a time limit ran out. */
export class TimeoutError extends EmailMarketingError {
  /** Option that ended the call. */
  readonly limit: 'timeout' | 'totalTimeout';
  /** Phase that the call was in. */
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

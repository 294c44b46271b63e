/** Failure before a complete response arrived. Internal to the library. */
export class NetworkError extends Error {
  /** Code of the runtime, such as `ECONNRESET`, if it has one. */
  declare readonly code: string | undefined;
  /** `false` only if it is certain that nothing was written. */
  readonly wasSent: boolean;
  /** What to check, if nothing was sent. */
  declare readonly advice: string | undefined;
  /** `true` if every connection fails in the same way until something is fixed. */
  declare readonly isLasting: boolean | undefined;
  /** What happened, if the code does not show it. */
  declare readonly reason: string | undefined;

  /**
   * @param details - `cause` is what a user's `fetch` threw. Errors of a runtime are not kept: they can contain request
   * headers.
   */
  constructor(details: NetworkErrorDetails) {
    super(undefined, details);
    Object.assign(this, details);
    this.wasSent = details.wasSent ?? true;
  }
}

type NetworkErrorDetails = {
  [Name in Exclude<keyof NetworkError, keyof Error>]?: NetworkError[Name] | undefined;
} & ErrorOptions;

/** Returns the code of an error, or of its cause. Numeric codes, as in a `DOMException`, are ignored. */
export function codeOf(error: unknown): string | undefined {
  const { code, cause } = Object(error) as { readonly code?: unknown; readonly cause?: unknown };
  return [code, Object(cause).code].find(isCode);
}

export const isCode = (code: unknown): code is string => typeof code === 'string' && /^\w{1,60}$/.test(code);

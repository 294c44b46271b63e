/** No whole response came. Never leaves the library. */
export class NetworkError extends Error {
  /** Code of the runtime, such as `ECONNRESET`; absent if it gives none. */
  declare readonly code: string | undefined;
  /** `false` only if it is known that nothing was written. */
  readonly wasSent: boolean;
  /** Sentence about what to check, if nothing was sent. */
  declare readonly advice: string | undefined;
  /** `true` if every connection fails alike until somebody changes something. */
  declare readonly isLasting: boolean | undefined;
  /** What happened, if the code does not say it. */
  declare readonly reason: string | undefined;

  /** @param details - With the `cause` that a `fetch` of the user threw. Errors of a runtime can hold the headers of the request. */
  constructor(details: NetworkErrorDetails) {
    super(undefined, details);
    Object.assign(this, details);
    this.wasSent = details.wasSent ?? true;
  }
}

type NetworkErrorDetails = {
  [Name in Exclude<keyof NetworkError, keyof Error>]?: NetworkError[Name] | undefined;
} & ErrorOptions;

/** Returns the code of an error, or of its cause. Those of a `DOMException` are numbers. */
export function codeOf(error: unknown): string | undefined {
  const { code, cause } = Object(error) as { readonly code?: unknown; readonly cause?: unknown };
  return [code, Object(cause).code].find(isCode);
}

export const isCode = (code: unknown): code is string => typeof code === 'string' && /^\w{1,60}$/.test(code);

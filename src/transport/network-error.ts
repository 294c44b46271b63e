/** No whole response came. Never leaves the library. */
export class NetworkError extends Error {
  /** Code of the runtime, such as `ECONNRESET`; absent if it gives none. */
  readonly code: string | undefined;
  /** `false` only if it is known that nothing was written. */
  readonly wasSent: boolean;
  /** Sentence about what to check, if nothing was sent. */
  readonly advice: string | undefined;
  /** `true` if every connection fails alike until somebody changes something. */
  readonly isLasting: boolean;
  /** Status by which a proxy rejected the tunnel to the service. */
  readonly proxyStatus: number | undefined;

  /** @param cause - What a `fetch` of the user threw. Errors of a runtime can hold the headers of the request. */
  constructor({ code, wasSent = true, advice, isLasting = false, proxyStatus, cause }: NetworkErrorDetails) {
    super(undefined, { cause });
    this.code = code;
    this.wasSent = wasSent;
    this.advice = advice;
    this.isLasting = isLasting;
    this.proxyStatus = proxyStatus;
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

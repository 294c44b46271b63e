/** No whole response came. Never leaves the library. */
export class NetworkError extends Error {
  /** Code of the runtime, such as `ECONNRESET`; absent if it gives none. */
  readonly code: string | undefined;
  /** `false` only if the runtime says that no connection came about. */
  readonly wasSent: boolean;
  /** Sentence about what to check, if nothing was sent. */
  readonly advice: string | undefined;

  /** @param cause - What a `fetch` of the user threw. Errors of a runtime can hold the headers of the request. */
  constructor({
    code,
    wasSent = true,
    advice,
    cause,
  }: Partial<Omit<NetworkError, keyof Error>> & ErrorOptions) {
    super(undefined, { cause });
    this.code = code;
    this.wasSent = wasSent;
    this.advice = advice;
  }
}

const maxCauses = 5;

/** An error in a chain of causes. */
export interface ErrorLink {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
}

/** Returns an error, its causes and, of an aggregate, the first of its parts. */
export function causesOf(error: unknown): readonly ErrorLink[] {
  const links: ErrorLink[] = [];
  for (let next = error; typeof next === 'object' && next !== null && links.length < maxCauses; ) {
    const link: ErrorLink = next;
    links.push(link);
    next = link.cause ?? link.errors?.[0];
  }
  return links;
}

/** Returns the first code in a chain of causes. The codes of a `DOMException` are numbers. */
export const codeOf = (error: unknown): string | undefined =>
  causesOf(error)
    .map(({ code }) => code)
    .find((code): code is string => typeof code === 'string' && /^\w{1,60}$/.test(code));

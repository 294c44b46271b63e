import {
  ConnectionError,
  EmailMarketingError,
  type ErrorDetails,
  InvalidResponseError,
  type Issue,
  type Outcome,
  TimeoutError,
  type TimeoutPhase,
} from '../errors.ts';

/** Result of an attempt that failed: what the retry decision, the telemetry and the error need. */
export interface Failure {
  readonly ok: false;
  readonly outcome: Outcome;
  /** Returns a sentence about what happened, without a full stop. `host` names the service. */
  readonly message: (host: string) => string;
  /** Sentence about what to do next. */
  readonly advice?: string | undefined;
  /** A few words for the list of attempts; absent when the status says it. */
  readonly reason?: string | undefined;
  readonly status?: number | undefined;
  /** Wait that the service asked for, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** `true` if the same request can succeed later. */
  readonly transient: boolean;
  /** `true` if the service has no such resource. */
  readonly notFound?: boolean | undefined;
  /** Creates the error that the call rejects with. */
  readonly toError: (message: string, details: ErrorDetails) => EmailMarketingError;
}

/** Advice on what to check, by the code of a failure in which nothing was sent. */
const connectionAdvice: readonly (readonly [codes: RegExp, advice: string])[] = [
  [/ENOTFOUND|EAI_|dns/i, 'Check the host name in the base URL, and the network.'],
  [/REFUSED/i, 'Check the host and port in the base URL, and that a server listens there.'],
  [/CERT|SSL|TLS|certificate|UNABLE_TO/i, 'Check the certificate of the server, or of a proxy in between.'],
  [/EMFILE|ENFILE/, 'Too many files or sockets are open: bound the calls with the option throttle.'],
  [/ERR_ACCESS_DENIED|NotCapable/, 'Allow this process to use the network.'],
  [/NO_GLOBAL_FETCH/, 'Pass the option fetch, as there is no global fetch here.'],
  [/MOCK_NOT_MATCHED/, 'Add a response to this request to the mock.'],
  [/(?:)/, 'Check the base URL, the network, and any proxy in between.'],
];

/**
 * No whole response came. `code` is absent where the runtime gives none; `address` is the host and port that the request
 * was for.
 */
export function connectionFailure(outcome: Outcome, code: string | undefined, address: string): Failure {
  const notSent = outcome === 'not-sent';
  const reason = code ?? 'network failure';
  return {
    ok: false,
    outcome,
    reason,
    transient: true,
    message: () =>
      notSent
        ? `no connection to ${address} (${reason})`
        : `the connection to ${address} closed before the whole response came (${reason})`,
    advice: notSent ? connectionAdvice.find(([codes]) => codes.test(reason))?.[1] : undefined,
    toError: (message, details) =>
      new ConnectionError(message, {
        ...details,
        code,
        cause: Object.assign(new Error(reason), code !== undefined && { code }),
      }),
  };
}

/** Sentences about what had not happened when the time ran out. */
const phaseMessages: Readonly<Record<TimeoutPhase, (host: string) => string>> = {
  queue: host => `no request to ${host} could start`,
  head: host => `no response from ${host}`,
  body: host => `the response of ${host} did not end`,
};

/** A time limit ran out. `limitMs` is the value of the option that `limit` names. */
export const timeoutFailure = (
  limit: 'timeout' | 'totalTimeout',
  limitMs: number,
  phase: TimeoutPhase,
  outcome: Outcome,
): Failure => ({
  ok: false,
  outcome,
  reason: `timeout in ${phase}`,
  // A function for the key that hangs is not called again, as one that fails is not.
  transient: limit === 'timeout' && phase !== 'queue',
  message: host => `${phaseMessages[phase](host)} within ${limitMs} ms (${limit})`,
  advice:
    limit === 'timeout' && phase === 'queue'
      ? 'Check the function that returns the key.'
      : `If that is too short, raise the option ${limit}.`,
  toError: (message, details) => new TimeoutError(message, { ...details, limit, phase }),
});

/** Code of the user's failed. `name` is the subject of the sentence. */
const failureInUserCode = (outcome: Outcome, name: string, cause: unknown): Failure => ({
  ok: false,
  outcome,
  transient: false,
  message: () => `${name} failed (see cause)`,
  toError: (message, details) => new EmailMarketingError(message, { ...details, cause }),
});

/** A function among the client's options failed before anything was sent: `throttle.acquire`, or one that returns a key. */
export const callbackFailure = (cause: unknown): Failure =>
  failureInUserCode('not-sent', "a function among the client's options", cause);

/** The schema of a call threw, instead of returning what is wrong with the response. */
export const schemaFailure = (cause: Error): Failure => failureInUserCode('done', 'the schema', cause);

/** The call did not fit into the queue of the rate limiter. */
export const queueFullFailure = (maxQueue: number): Failure => ({
  ok: false,
  outcome: 'not-sent',
  transient: false,
  message: () => `${maxQueue} calls already wait (throttle.maxQueue)`,
  advice: 'Start fewer calls at once, for example with bulk.',
  toError: (message, details) => new EmailMarketingError(message, details),
});

/** A response came and cannot be used. */
export const invalidResponse = (
  outcome: Outcome,
  status: number,
  issues: readonly Issue[],
  advice = 'Check the base URL, and whether the service has changed.',
): Failure => ({
  ok: false,
  outcome,
  status,
  transient: false,
  message: host =>
    `the response of ${host} cannot be used: ${issues
      .map(({ path, expected, received }) => `${path || 'body'}: expected ${expected}, got ${received}`)
      .join('; ')}`,
  advice,
  toError: (message, details) => new InvalidResponseError(message, { ...details, issues }),
});

import {
  ConnectionError,
  EmailMarketingError,
  type ErrorDetails,
  InvalidResponseError,
  type Issue,
  type Outcome,
  TimeoutError,
  type TimeoutPhase,
} from '../../errors.ts';
import { QueueFullError } from '../limits/rate-limiter.ts';
import type { Redaction } from '../secrets/redactor.ts';
import { BodyTooLargeError } from '../transport/transport.ts';

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

const certificateAdvice = 'Check the certificate of the server, or of a proxy in between.';
const networkAdvice = 'Check the base URL, the network, and any proxy in between.';

/**
 * Codes and texts by which runtimes report that nothing was sent, with advice on what to check: the connection refused,
 * the name not resolved, a failed TLS handshake, no socket, a permission that is missing, no route, or a proxy that
 * refuses to connect. Node and Bun set codes on the error or its cause, Deno writes only texts, and workerd reports
 * neither.
 */
const notSentReasons: readonly (readonly [reason: RegExp, advice: string])[] = [
  [
    /ECONNREFUSED|ConnectionRefused|connection refused/i,
    'Check the host and port in the base URL, and that a server listens there.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|EAI_FAIL|EAI_NONAME|dns error/i,
    'Check the host name in the base URL, and the network.',
  ],
  [/CERT_|_CERT|certificate|UNABLE_TO_|UNKNOWN_CA|UNRECOGNIZED_NAME/i, certificateAdvice],
  [/WRONG_VERSION_NUMBER|PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS_AVAILABLE/i, certificateAdvice],
  [/HANDSHAKE_FAILURE|ERR_TLS_HANDSHAKE|TLS handshake|ERR_SSL_HTTP_REQUEST/i, certificateAdvice],
  [/EMFILE|ENFILE/i, 'Too many files or sockets are open: bound the calls with the option throttle.'],
  [/ERR_ACCESS_DENIED|NotCapable/i, 'Allow this process to use the network.'],
  [/NO_GLOBAL_FETCH/i, 'Pass the option fetch, as there is no global fetch here.'],
  [/UND_MOCK_ERR_MOCK_NOT_MATCHED/i, 'Add a response to this request to the mock.'],
  [/EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|connect ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT/i, networkAdvice],
  [
    /FailedToOpenSocket|client error \(Connect\)|bad port|blocked port|are blocked|HTTP Tunneling/i,
    networkAdvice,
  ],
];

/** What browsers say of a request that did not reach the server, and of one whose response CORS forbids to read. */
const browserMessage = /^(?:failed to fetch|load failed|networkerror when)/i;

/** Longest message of an error that is searched, in characters. */
const searchedLength = 1_000;

/** Most causes of an error that are followed. */
const maxCauses = 5;

interface Link {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly name?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
}

/**
 * Turns what a transport threw into a failure that holds none of it but a code. Messages can repeat the URL, whose
 * text says nothing about the failure.
 */
export function networkFailure(
  error: unknown,
  phase: TimeoutPhase,
  { address, baseUrl }: { readonly address: string; readonly baseUrl: string },
  redactor: Redaction,
): Failure {
  const links = causes(error);
  const code = links.map(link => link.code).find(value => /^\w{1,60}$/.test(String(value ?? '')));
  const text = links.map(link => textOf(link, baseUrl)).join('\n');
  // An open connection can end with the very codes of one that was never made.
  const wasOpen = phase === 'body' || links.some(({ syscall }) => syscall === 'read' || syscall === 'write');
  const [reason, advice] = (!wasOpen && notSentReasons.find(([each]) => each.test(text))) || [];
  const known = code ?? reason?.exec(text)?.[0];
  const shownCode = known === undefined ? undefined : redactor.text(String(known));
  const shownReason = shownCode ?? noReason;
  if (advice)
    return connectionFailure('not-sent', shownCode, `no connection to ${address} (${shownReason})`, advice);
  if (known === undefined && phase === 'head' && browserMessage.test(String(links[0]?.message)))
    return connectionFailure(
      'unknown',
      undefined,
      `${address} could not be reached, as far as the page can know (${noReason})`,
      'Check the network, and that the server allows requests from this page (CORS).',
    );
  return connectionFailure(
    'unknown',
    shownCode,
    `the connection to ${address} closed before the whole response came (${shownReason})`,
  );
}

/** Returns the text of an error, without the URLs in its message. */
function textOf({ code, name, message }: Link, baseUrl: string): string {
  const parts = String(message).slice(0, searchedLength).split(baseUrl);
  const texts = parts.map((part, index) => (index === 0 ? part : part.replace(/\S*/, '')));
  return [code, name, ...texts].join();
}

/** Returns the error, its causes and, of an aggregate, the first of its parts. */
function causes(error: unknown): Link[] {
  const links: Link[] = [];
  for (let next = error; typeof next === 'object' && next !== null && links.length < maxCauses; ) {
    const link: Link = next;
    links.push(link);
    next = link.cause ?? link.errors?.[0];
  }
  return links;
}

/** Stands for the code that a runtime does not give. */
const noReason = 'network failure';

/** No whole response came. */
const connectionFailure = (
  outcome: Outcome,
  code: string | undefined,
  message: string,
  advice?: string,
): Failure => ({
  ok: false,
  outcome,
  reason: code ?? noReason,
  transient: true,
  message: () => message,
  advice,
  toError: (fullMessage, details) =>
    new ConnectionError(fullMessage, {
      ...details,
      code,
      cause: Object.assign(new Error(code ?? noReason), code !== undefined && { code }),
    }),
});

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

/**
 * Turns what ended an attempt without a response, other than a time limit, into a failure. In the phase `queue` nothing
 * was sent.
 */
export function sendingFailure(
  error: unknown,
  phase: TimeoutPhase,
  endpoint: { readonly address: string; readonly baseUrl: string },
  redactor: Redaction,
): Failure {
  if (error instanceof QueueFullError) return queueFullFailure(error.maxQueue);
  if (error instanceof BodyTooLargeError) return tooLarge(error);
  if (phase !== 'queue') return networkFailure(error, phase, endpoint, redactor);
  if (EmailMarketingError.isInstance(error)) throw error;
  return failureInUserCode('not-sent', "a function among the client's options", error);
}

const tooLarge = ({ status, maxBytes }: BodyTooLargeError): Failure =>
  invalidResponse(
    status < 300 ? 'done' : 'unknown',
    status,
    [{ path: '', expected: `at most ${maxBytes} bytes (maxResponseBytes)`, received: 'more' }],
    'Raise the option maxResponseBytes, or ask for less at once.',
  );

/** A function of the user's failed. `name` is the subject of the sentence. */
const failureInUserCode = (outcome: Outcome, name: string, cause: unknown): Failure => ({
  ok: false,
  outcome,
  transient: false,
  message: () => `${name} failed (see cause)`,
  toError: (message, details) => new EmailMarketingError(message, { ...details, cause }),
});

/** The schema of a call threw, instead of returning what is wrong with the response. */
export const schemaFailure = (cause: Error): Failure => failureInUserCode('done', 'the schema', cause);

/** The call did not fit into the queue of the rate limiter. */
const queueFullFailure = (maxQueue: number): Failure => ({
  ok: false,
  outcome: 'not-sent',
  transient: false,
  message: () => `the queue of waiting calls is full (throttle.maxQueue: ${maxQueue})`,
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

import {
  ApiError,
  type ApiErrorDetails,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from '../../errors.ts';

/** One kind of error response. */
interface ErrorRow {
  readonly errorClass: new (message: string, details: ApiErrorDetails) => ApiError;
  readonly statuses: readonly number[];
  /** Sentence about what to do next. */
  readonly advice?: string;
}

/** Kind of an error response. */
export type ErrorKind =
  | 'authentication'
  | 'notFound'
  | 'rateLimit'
  | 'conflict'
  | 'badRequest'
  | 'permission'
  | 'redirect'
  | 'server'
  | 'other';

/** Error class of each kind of error response. */
export const errorTable: Readonly<Record<ErrorKind, ErrorRow>> = {
  authentication: { errorClass: AuthenticationError, statuses: [401], advice: 'Check the API key.' },
  notFound: { errorClass: NotFoundError, statuses: [404], advice: 'Check the id and the path.' },
  rateLimit: {
    errorClass: RateLimitError,
    statuses: [429],
    advice: 'Send fewer requests, for example with the option throttle.',
  },
  conflict: {
    errorClass: ConflictError,
    statuses: [409],
    advice: 'Use another name, or the resource that exists.',
  },
  badRequest: { errorClass: BadRequestError, statuses: [400, 422], advice: 'Check the input.' },
  permission: {
    errorClass: PermissionError,
    statuses: [403],
    advice: 'Check the reason given, and what the API key may do.',
  },
  redirect: {
    errorClass: ApiError,
    statuses: [301, 302, 303, 307, 308],
    advice: 'Check the base URL: it must be where the service itself responds.',
  },
  server: { errorClass: ServerError, statuses: [] },
  other: { errorClass: ApiError, statuses: [], advice: 'Check the reason given, and the request.' },
};

/** Kinds that no message of the service changes. */
const decisiveKinds: readonly ErrorKind[] = ['authentication', 'notFound', 'rateLimit'];

/** Returns the kind of an error response. `said` is the kind that the message of the service says. */
export function errorKind(status: number, said: ErrorKind | undefined): ErrorKind {
  const kinds = Object.keys(errorTable) as ErrorKind[];
  const byStatus = kinds.find(kind => errorTable[kind].statuses.includes(status)) ?? 'other';
  if (said && !decisiveKinds.includes(byStatus)) return said;
  return status >= 500 ? 'server' : byStatus;
}

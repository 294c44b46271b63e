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
} from '../errors.ts';

/** A class of {@link ApiError}, as far as responses are mapped to it. */
type ApiErrorClass = new (message: string, details: ApiErrorDetails) => ApiError;

interface ErrorRow {
  readonly errorClass: ApiErrorClass;
  readonly statuses?: readonly number[];
  /** Phrases of the service's messages (specification, section 7), in lower case. They count whatever the status. */
  readonly phrases?: readonly string[];
  /** Words of which the message must hold one as well. */
  readonly about?: readonly string[];
  /** Sentence about what to do next. */
  readonly advice?: string;
}

/** Class of error of each response that failed: the first row whose messages or statuses match. */
const errorRows: readonly ErrorRow[] = [
  {
    errorClass: ConflictError,
    statuses: [409],
    phrases: ['already exists', 'already used', 'already in use', 'already taken', 'already registered'],
    advice: 'Use another name, or the resource that exists.',
  },
  {
    errorClass: AuthenticationError,
    statuses: [401],
    phrases: ['not valid', 'invalid', 'missing'],
    about: ['team id', 'team_id', 'teamid', 'team-id', 'api key', 'api_key', 'apikey', 'api-key'],
    advice: 'Check the API key, and for client.legacy the team id, in the team settings.',
  },
  {
    errorClass: RateLimitError,
    statuses: [429],
    advice: 'Send fewer requests, for example with the option throttle.',
  },
  {
    errorClass: NotFoundError,
    statuses: [404],
    phrases: ['not found'],
    advice: 'Check the id and the path.',
  },
  {
    errorClass: BadRequestError,
    statuses: [400, 422],
    phrases: ['not in proper format', 'not in the proper format', 'invalid', 'malformed'],
    advice: 'Check the input.',
  },
  {
    errorClass: PermissionError,
    statuses: [403],
    advice: 'Check the reason given, and what the API key may do.',
  },
  {
    errorClass: ApiError,
    statuses: [301, 302, 303, 307, 308],
    advice: 'Check the base URL: it must be where the service itself responds.',
  },
  { errorClass: ServerError, phrases: ['internal server error'] },
];

const otherRow: ErrorRow = { errorClass: ApiError, advice: 'Check the reason given, and the request.' };
const serverRow: ErrorRow = { errorClass: ServerError };

/** Returns the row of a failed response. A 5xx may have acted whatever it says, unless it says that the name is taken. */
export function errorRow(status: number, message: string): ErrorRow {
  const text = message.toLowerCase();
  const holds = (phrases: readonly string[] = ['']) => phrases.some(phrase => text.includes(phrase));
  const row = errorRows.find(
    ({ statuses, phrases, about }) =>
      statuses?.includes(status) || (phrases !== undefined && holds(phrases) && holds(about)),
  );
  if (status >= 500 && row?.errorClass !== ConflictError) return serverRow;
  return row ?? otherRow;
}

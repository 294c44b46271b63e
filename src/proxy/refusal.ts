import { type ApiError, BadRequestError, PermissionError, ServerError } from '../errors.ts';

const classes = { 403: PermissionError, 500: ServerError } as const;

/** The error of a request that the proxy itself turns down: nothing reaches the service. */
export function refusal(status: number, message: string): ApiError {
  const details = { status, body: undefined, headers: new Headers(), outcome: 'not-sent' } as const;
  const make = status === 403 || status === 500 ? classes[status] : BadRequestError;
  return new make(message, details);
}

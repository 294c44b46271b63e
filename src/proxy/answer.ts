import {
  ApiError,
  type EmailMarketingError,
  InvalidRequestError,
  InvalidResponseError,
  RateLimitError,
  TimeoutError,
} from '../errors.ts';
import type { WireError, WireResponse } from '../protocol.ts';

/** The HTTP answer to a page. */
export function answer(status: number, body: WireResponse, headers: Record<string, string>): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  });
}

/** The HTTP response that reports an error to a page. */
export const errorResponse = (error: EmailMarketingError, headers: Record<string, string> = {}): Response =>
  answer(statusOf(error), { error: wireError(error) }, headers);

/** What may cross to a page of an error: members chosen one by one. */
export function wireError(error: EmailMarketingError): WireError {
  const { name, message, operation, outcome } = error;
  const withIssues = InvalidRequestError.isInstance(error) || InvalidResponseError.isInstance(error);
  const timedOut = TimeoutError.isInstance(error) ? error : undefined;
  return {
    ...{ name, message, operation, outcome },
    status: ApiError.isInstance(error) ? error.status : undefined,
    issues: withIssues ? error.issues : undefined,
    retryAfter: RateLimitError.isInstance(error) ? error.retryAfter : undefined,
    limit: timedOut?.limit,
    phase: timedOut?.phase,
  };
}

/** The HTTP status that an error is answered with: the service's own, save for what is the server's fault alone. */
export function statusOf(error: EmailMarketingError): number {
  if (InvalidRequestError.isInstance(error)) return 400;
  if (TimeoutError.isInstance(error)) return 504;
  if (error.name === 'ConfigurationError') return 500;
  const status = ApiError.isInstance(error) ? error.status : 0;
  return status >= 400 && status < 600 && status !== 401 ? status : 502;
}

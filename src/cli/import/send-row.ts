import {
  AuthenticationError,
  ConfigurationError,
  type EmailMarketingClient,
  EmailMarketingError,
  type IdentifyParams,
  type IdentifyResult,
  InvalidRequestError,
  NotFoundError,
  RateLimitError,
} from '../../index.ts';
import type { RowStatus } from './row-status.ts';

/** Result of sending a row: a status with its reason, or what stops the whole import, with the row left as it was. */
export type Sent =
  | { readonly status: RowStatus; readonly reason?: string; readonly byService?: true }
  | { readonly stop: EmailMarketingError };

/** Returns `true` if sending a row twice changes the contact as sending it once does. */
export const isIdempotent = ({ newEmail, customFields }: IdentifyParams): boolean =>
  newEmail === undefined &&
  !Object.values(customFields ?? {}).some(value => /^(\+\+|--)/.test(String(value)));

/**
 * Sends one row.
 * @param lookUp Look the address up first, so that it is certain whether the contact was created or updated.
 */
export async function sendRow(
  client: EmailMarketingClient,
  params: IdentifyParams,
  lookUp: boolean,
  signal: AbortSignal,
): Promise<Sent> {
  try {
    const existed = lookUp ? await contactExists(client, params.email, signal) : undefined;
    const result = await client.legacy.identify(params, { signal });
    if (existed !== undefined) return { status: existed ? 'updated' : 'created' };
    return { status: statusOf(result) };
  } catch (error) {
    return failed(error, isIdempotent(params));
  }
}

/** Reads from the message of the service whether a contact was created. The specification does not give its words. */
function statusOf({ message }: IdentifyResult): RowStatus {
  const [created, updated] = [/\bcreated\b/i.test(message), /\bupdated\b/i.test(message)];
  if (created === updated) return 'sent';
  return created ? 'created' : 'updated';
}

async function contactExists(
  client: EmailMarketingClient,
  email: string,
  signal: AbortSignal,
): Promise<boolean> {
  const wanted = email.toLowerCase();
  for await (const contact of client.contacts.all({ search: email }, { signal }))
    if (contact.email.toLowerCase() === wanted) return true;
  return false;
}

function failed(error: unknown, idempotent: boolean): Sent {
  if (!EmailMarketingError.isInstance(error)) throw error;
  if (InvalidRequestError.isInstance(error)) return { status: 'rejected', reason: explain(error) };
  if (error.outcome === 'done') return { status: 'sent' };
  if (error.outcome === 'unknown') {
    const status = idempotent ? 'unknown-idempotent' : 'unknown';
    return { status, reason: error.message, byService: true };
  }
  if (error.outcome === 'not-sent' || stopsAll.some(type => type.isInstance(error))) return { stop: error };
  return { status: 'rejected', reason: error.message, byService: true };
}

/** Refusals that do not depend on the row: a wrong key, a wrong address, too many requests. */
const stopsAll = [AuthenticationError, ConfigurationError, NotFoundError, RateLimitError];

const explain = ({ issues }: InvalidRequestError): string =>
  issues.map(({ path, expected }) => `${path} must be ${expected}`).join('; ');

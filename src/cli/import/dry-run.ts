import { EmailMarketingClient } from '../../index.ts';
import type { Journal } from './journal.ts';
import { RowStatuses } from './row-status.ts';

/** Returns a client that checks its inputs as ever, and sends nothing: each call succeeds. It needs no key. */
export const dryRunClient = (): EmailMarketingClient =>
  new EmailMarketingClient({
    ...{ baseUrl: 'https://nowhere.invalid', legacyBaseUrl: 'https://nowhere.invalid' },
    ...{ apiKey: 'none', legacyApiKey: 'none', teamId: 'none' },
    fetch: async () => Response.json({ status: '200', message: '' }),
  });

/** Returns a journal that is kept in memory alone. */
export function dryRunJournal(rows: number): Journal {
  const statuses = new RowStatuses(rows);
  return {
    statuses,
    record: (index, status, reason) => statuses.set(index, status, reason),
    recordSending: async () => {},
    close: async () => {},
  };
}

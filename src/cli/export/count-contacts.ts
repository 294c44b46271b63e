import type { ContactsFilter, EmailMarketingClient } from '../../index.ts';

/**
 * Counts contacts by requesting single ones, at offsets that double until none comes and then halve the gap: about 40
 * requests for a million. The service has no operation that counts.
 */
export async function countContacts(
  client: EmailMarketingClient,
  filter: ContactsFilter,
  signal: AbortSignal,
): Promise<number> {
  const exists = async (offset: number): Promise<boolean> =>
    (await client.contacts.list({ ...filter, offset, limit: 1 }, { signal })).length > 0;
  let last = -1;
  let beyond = 0;
  while (await exists(beyond)) {
    last = beyond;
    beyond = beyond * 2 + 1;
  }
  while (beyond - last > 1) {
    const middle = Math.floor((last + beyond) / 2);
    if (await exists(middle)) last = middle;
    else beyond = middle;
  }
  return beyond;
}

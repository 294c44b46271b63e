import { type EmailMarketingClient, InvalidResponseError } from '../index.ts';

/** One place where responses differ from the specification. Holds type names and no data. */
export interface Difference {
  readonly operation: string;
  readonly path: string;
  readonly expected: string;
  readonly received: string;
}

/** Results of the read operations. */
export interface ReadResults {
  readonly differences: readonly Difference[];
  /** Operations that were called, with the number of records that came. */
  readonly read: readonly { readonly operation: string; readonly records: number }[];
  /** Operations that could not be checked, and why. */
  readonly unchecked: readonly {
    readonly operation: string;
    readonly reason: string;
    readonly failed: boolean;
  }[];
}

interface Reader {
  readonly operation: string;
  read(client: EmailMarketingClient, signal: AbortSignal): PromiseLike<unknown>;
}

/** Records requested of each listing: the specification's smaller bound for contacts. */
const sampleSize = 30;

const readers: readonly Reader[] = [
  {
    operation: 'contacts.list',
    read: (client, signal) => client.contacts.list({ limit: sampleSize }, { signal }),
  },
  { operation: 'lists.list', read: (client, signal) => client.lists.list({ limit: sampleSize }, { signal }) },
  { operation: 'senders.list', read: (client, signal) => client.senders.list({ signal }) },
  { operation: 'postTags.list', read: (client, signal) => client.postTags.list({ signal }) },
];

/** The clients that a check reads with. */
export interface Clients {
  /** A client with `validation: 'strict'`, which names every difference, absent and `null` fields included. */
  readonly strict: EmailMarketingClient;
  /** A client with `validation: 'off'`, to count records and to find one to get. */
  readonly lenient: EmailMarketingClient;
}

/** Calls each read operation and collects where its response differs from the specification. */
export async function readEverything(clients: Clients, signal: AbortSignal): Promise<ReadResults> {
  const results: MutableResults = { differences: [], read: [], unchecked: [] };
  for (const reader of readers) await collect(reader, clients, results, signal);
  const tags = await clients.lenient.postTags.list({ signal }).catch(() => undefined);
  const operation = 'postTags.get';
  const id = tags?.[0]?.id;
  if (id === undefined)
    results.unchecked.push({ operation, reason: 'there is no post tag to get', failed: false });
  else
    await collect(
      { operation, read: client => client.postTags.get(id, { signal }) },
      clients,
      results,
      signal,
    );
  return results;
}

interface MutableResults extends ReadResults {
  readonly differences: Difference[];
  readonly read: ReadResults['read'][number][];
  readonly unchecked: ReadResults['unchecked'][number][];
}

async function collect(
  { operation, read }: Reader,
  { strict, lenient }: Clients,
  { differences, read: done, unchecked }: MutableResults,
  signal: AbortSignal,
): Promise<void> {
  try {
    const response = await read(lenient, signal);
    done.push({ operation, records: Array.isArray(response) ? response.length : 1 });
    await read(strict, signal);
  } catch (error) {
    if (InvalidResponseError.isInstance(error))
      for (const issue of error.issues)
        addOnce(differences, { ...issue, operation, path: withoutData(issue.path) });
    else unchecked.push({ operation, reason: (error as Error).message, failed: true });
  }
}

function addOnce(differences: Difference[], { operation, path, expected, received }: Difference): void {
  const known = differences.some(
    other => other.operation === operation && other.path === path && other.received === received,
  );
  if (!known) differences.push({ operation, path, expected, received });
}

/** Replaces places in lists, and keys of maps, which are the team's data. */
const withoutData = (path: string): string =>
  path.replace(/\[\d+\]/g, '[]').replace(/\b(customFields|data)\..*/s, '$1.*');

import { Command } from 'commander';
import type { EndpointOf, OperationName } from '../endpoints.ts';
import { EmailMarketingClient, EmailMarketingError, InvalidResponseError } from '../index.ts';
import { requireVariables } from './account.ts';
import {
  addNotes,
  couldNotRunExitCode,
  doneExitCode,
  environmentHelp,
  type Run,
  refuseSecrets,
  someFailedExitCode,
} from './command-line.ts';
import { type Line, print, printJson, type Styled, styled } from './terminal.ts';

interface CheckFlags {
  readonly identify?: string;
  readonly json?: boolean;
}

const notes = `
Examples:
  npx email-marketing-client check
  npx email-marketing-client check --identify me@example.com

Without --identify, the command calls only operations that read. These cannot check the team id, or the address and key
of the legacy interface, where every operation writes. --identify EMAIL checks them: it identifies this contact without
any field. This creates the contact if it does not exist, and otherwise changes at most the time of its last update.

The table of differences contains names and types of fields, and no personal data: you can paste it into an issue.

Exit codes: 0 everything is right, 1 responses differ from the documentation, 2 a check failed.`;

/** Returns the command that checks the configuration, and compares the service with its documentation. */
export function checkCommand(execute: Run): Command {
  const command = new Command('check')
    .description('Check URL and key, and compare responses with the documentation.')
    .option('--identify <email>', 'check the legacy interface and the team id by identifying this contact')
    .option('--json', 'print the report as JSON')
    .action((flags: CheckFlags) => execute(signal => run(flags, signal)));
  return addNotes(refuseSecrets(command), notes + environmentHelp);
}

async function run({ identify, json = false }: CheckFlags, signal: AbortSignal): Promise<number> {
  requireVariables(identify === undefined ? [] : ['EMAIL_MARKETING_TEAM_ID']);
  const report = await checkService(identify, signal);
  if (json) printJson(report);
  else print(process.stdout, formatCheck(report));
  return exitCodeOf(report);
}

function exitCodeOf({ checks, differences, unchecked }: CheckReport): number {
  const wrong = checks.some(({ ok }) => ok === false);
  if (wrong) return couldNotRunExitCode;
  return differences.length > 0 || unchecked.some(({ failed }) => failed) ? someFailedExitCode : doneExitCode;
}

/** Result of one check. */
interface CheckResult {
  readonly name: string;
  /** Absent if it was not checked. */
  readonly ok?: boolean | undefined;
  readonly detail: string;
}

/** Results of the command `check`. */
interface CheckReport extends ReadResults {
  readonly checks: readonly CheckResult[];
}

/** Checks address and key by reading, and the legacy interface if there is an email to identify. */
async function checkService(identify: string | undefined, signal: AbortSignal): Promise<CheckReport> {
  const lenient = new EmailMarketingClient({ validation: 'off' });
  const strict = new EmailMarketingClient({ validation: 'strict' });
  const access = await checkAccess(lenient, signal);
  const legacy = await checkLegacy(lenient, identify, signal);
  const usable = access.every(({ ok }) => ok !== false);
  const results = usable ? await readEverything({ strict, lenient }, signal) : nothingRead;
  return { checks: [...access, legacy], ...results };
}

const nothingRead: ReadResults = { differences: [], read: [], unchecked: [] };

async function checkAccess(client: EmailMarketingClient, signal: AbortSignal): Promise<CheckResult[]> {
  try {
    await client.senders.list({ signal });
    return [
      { name: 'URL', ok: true, detail: 'the REST interface responds' },
      { name: 'key', ok: true, detail: 'the REST interface accepts it' },
    ];
  } catch (error) {
    if (!EmailMarketingError.isInstance(error)) throw error;
    return accessFailure(error);
  }
}

function accessFailure(error: EmailMarketingError): CheckResult[] {
  if (error.name !== 'AuthenticationError') return [{ name: 'URL', ok: false, detail: error.message }];
  return [
    { name: 'URL', ok: true, detail: 'the REST interface responds' },
    { name: 'key', ok: false, detail: error.message },
  ];
}

const legacyName = 'legacy URL, key and team id';

/**
 * Checks the legacy interface. Each of its operations writes: identifying an existing contact without any field changes
 * at most the time of its last update.
 */
async function checkLegacy(
  client: EmailMarketingClient,
  email: string | undefined,
  signal: AbortSignal,
): Promise<CheckResult> {
  const name = legacyName;
  if (email === undefined)
    return {
      name,
      detail: 'not checked: every legacy operation writes; --identify EMAIL checks them with one',
    };
  try {
    await client.legacy.identify({ email }, { signal });
    return { name, ok: true, detail: 'the legacy interface accepts them' };
  } catch (error) {
    if (!EmailMarketingError.isInstance(error)) throw error;
    return { name, ok: false, detail: error.message };
  }
}

/** Returns a report for people; its table is Markdown, ready to paste, and holds no data of the team. */
function formatCheck({ checks, differences, read, unchecked }: CheckReport): Line[] {
  const records = read.map(({ operation, records: count }) => `${operation} (${count})`).join(', ');
  return [
    ...checks.map(({ name, ok, detail }): Line => [mark(ok), ` ${name}: ${detail}`]),
    ...(read.length > 0 ? ['', `Responses compared with the documentation: ${records}.`] : []),
    ...unchecked.map(({ operation, reason }) => `Not compared: ${operation}: ${reason}.`),
    ...(read.length > 0 ? ['', ...formatDifferences(differences)] : []),
  ];
}

function mark(ok: boolean | undefined): Styled {
  if (ok === undefined) return styled('yellow', '?');
  return ok ? styled('green', '✓') : styled('red', '✗');
}

function formatDifferences(differences: readonly Difference[]): string[] {
  if (differences.length === 0) return ['No difference was found.'];
  const rows = differences.map(({ operation, path, expected, received }) => [
    operation,
    path,
    expected,
    received,
  ]);
  const table = [['operation', 'path', 'expected', 'received'], ['---', '---', '---', '---'], ...rows];
  return table.map(cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`);
}

/** One place where responses differ from the documentation. Holds type names and no data. */
interface Difference {
  readonly operation: string;
  readonly path: string;
  readonly expected: string;
  readonly received: string;
}

/** Results of the read operations. */
interface ReadResults {
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

type Read = (client: EmailMarketingClient, signal: AbortSignal) => PromiseLike<unknown>;

/** Operations that read, by the table of endpoints. */
type ReadName = {
  [Name in OperationName]: EndpointOf<Name>['kind'] extends 'read' ? Name : never;
}[OperationName];

/** Records requested of each listing: the smaller documented bound for contacts (rule 4.3). */
const sampleSize = 30;

/** How to call each operation that reads. The compiler names the one that is missing. `postTags.get` needs an id. */
const readers: Readonly<Record<Exclude<ReadName, 'postTags.get'>, Read>> = {
  'contacts.list': (client, signal) => client.contacts.list({ limit: sampleSize }, { signal }),
  'lists.list': (client, signal) => client.lists.list({ limit: sampleSize }, { signal }),
  'senders.list': (client, signal) => client.senders.list({ signal }),
  'postTags.list': (client, signal) => client.postTags.list({ signal }),
};

/** The clients that a check reads with. */
interface Clients {
  /** A client with `validation: 'strict'`, which names every difference, absent and `null` fields included. */
  readonly strict: EmailMarketingClient;
  /** A client with `validation: 'off'`, to count records and to find one to get. */
  readonly lenient: EmailMarketingClient;
}

/** Calls each read operation and collects where its response differs from the documentation. */
async function readEverything(clients: Clients, signal: AbortSignal): Promise<ReadResults> {
  const results: MutableResults = { differences: [], read: [], unchecked: [] };
  for (const [name, read] of Object.entries(readers)) await collect(name, read, clients, results, signal);
  const tags = await clients.lenient.postTags.list({ signal }).catch(() => undefined);
  const operation = 'postTags.get';
  const id = tags?.[0]?.id;
  if (id === undefined)
    results.unchecked.push({ operation, reason: 'there is no post tag to get', failed: false });
  else await collect(operation, client => client.postTags.get(id, { signal }), clients, results, signal);
  return results;
}

interface MutableResults extends ReadResults {
  readonly differences: Difference[];
  readonly read: ReadResults['read'][number][];
  readonly unchecked: ReadResults['unchecked'][number][];
}

async function collect(
  operation: string,
  read: Read,
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

import { Command } from 'commander';
import type { EndpointOf, OperationName } from '../endpoints.ts';
import { EmailMarketingClient, InvalidResponseError } from '../index.ts';
import { requireVariables } from './account.ts';
import {
  addNotes,
  couldNotRunExitCode,
  doneExitCode,
  environmentHelp,
  type Run,
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
  return addNotes(command, notes + environmentHelp);
}

async function run({ identify, json = false }: CheckFlags, signal: AbortSignal): Promise<number> {
  requireVariables(identify === undefined ? [] : ['EMAIL_MARKETING_TEAM_ID']);
  const lenient = new EmailMarketingClient({ validation: 'off' });
  const strict = new EmailMarketingClient({ validation: 'strict' });
  const access = await checkAccess(lenient, signal);
  const checks = [...access, await checkLegacy(lenient, identify, signal)];
  const report: CheckReport = { checks, differences: [], read: [], unchecked: [] };
  if (access.every(({ ok }) => ok)) await readEverything({ strict, lenient }, report, signal);
  if (json) printJson(report);
  else print(process.stdout, formatCheck(report));
  if (checks.some(({ ok }) => ok === false)) return couldNotRunExitCode;
  const differs = report.differences.length > 0 || report.unchecked.some(({ failed }) => failed);
  return differs ? someFailedExitCode : doneExitCode;
}

/** Result of one check; `ok` is absent if it was not checked. */
interface CheckResult {
  readonly name: string;
  readonly ok?: boolean;
  readonly detail: string;
}

/** Results of the command `check`. */
interface CheckReport {
  readonly checks: readonly CheckResult[];
  readonly differences: Difference[];
  /** Operations that were called, with the number of records that came. */
  readonly read: { readonly operation: string; readonly records: number }[];
  /** Operations that could not be checked, and why. */
  readonly unchecked: { readonly operation: string; readonly reason: string; readonly failed: boolean }[];
}

/** One place where responses differ from the documentation. Holds type names and no data. */
interface Difference {
  readonly operation: string;
  readonly path: string;
  readonly expected: string;
  readonly received: string;
}

const url = { name: 'URL', ok: true, detail: 'the REST interface responds' };

/** Checks address and key by reading. */
async function checkAccess(client: EmailMarketingClient, signal: AbortSignal): Promise<CheckResult[]> {
  const result = await client.senders.list({ signal }).safe();
  if (result.ok) return [url, { name: 'key', ok: true, detail: 'the REST interface accepts it' }];
  const { name, message: detail } = result.error;
  return name === 'AuthenticationError'
    ? [url, { name: 'key', ok: false, detail }]
    : [{ ...url, ok: false, detail }];
}

/**
 * Checks the legacy interface. Each of its operations writes: identifying an existing contact without any field changes
 * at most the time of its last update.
 */
async function checkLegacy(
  client: EmailMarketingClient,
  email: string | undefined,
  signal: AbortSignal,
): Promise<CheckResult> {
  const name = 'legacy URL, key and team id';
  if (email === undefined)
    return {
      name,
      detail: 'not checked: every legacy operation writes; --identify EMAIL checks them with one',
    };
  const result = await client.legacy.identify({ email }, { signal }).safe();
  return {
    name,
    ok: result.ok,
    detail: result.ok ? 'the legacy interface accepts them' : result.error.message,
  };
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
async function readEverything(clients: Clients, report: CheckReport, signal: AbortSignal): Promise<void> {
  for (const [name, read] of Object.entries(readers)) await collect(name, read, clients, report, signal);
  const tags = await clients.lenient.postTags.list({ signal }).catch(() => undefined);
  const operation = 'postTags.get';
  const id = tags?.[0]?.id;
  if (id === undefined)
    report.unchecked.push({ operation, reason: 'there is no post tag to get', failed: false });
  else await collect(operation, client => client.postTags.get(id, { signal }), clients, report, signal);
}

async function collect(
  operation: string,
  read: Read,
  { strict, lenient }: Clients,
  { differences, read: done, unchecked }: CheckReport,
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

import { Command } from 'commander';
import { EmailMarketingClient, InvalidResponseError } from '../index.ts';
import { endpoints, type OperationName, operationNames } from '../resources/endpoints.ts';
import { clientOptions, requireVariables } from './account.ts';
import { otherThanAcknowledgment } from './acknowledgment.ts';
import {
  addNotes,
  couldNotRunExitCode,
  doneExitCode,
  environmentHelp,
  type Run,
  someFailedExitCode,
} from './command-line.ts';
import type { Context } from './surroundings.ts';
import { type Line, printJson, printResult, type Styled, styled, waitLogger } from './terminal.ts';

interface CheckFlags {
  readonly identify?: string;
  readonly json?: boolean;
}

const notes = `
Examples:
  npx email-marketing-client check
  npx email-marketing-client check --identify me@example.com

The command calls only operations that read. They cannot check the team id, or the address and key of the legacy
interface, where every operation writes. --identify EMAIL checks these, too, by identifying this contact without any
field. This creates the contact if it does not exist, and otherwise changes at most the time of its last update.

The table of differences contains names and types of fields, and no personal data: you can paste it into an issue.

Exit codes: 0 everything is right, 1 responses differ from the documentation, 2 a check failed.`;

export function checkCommand(execute: Run): Command {
  const command = new Command('check')
    .description('Check URL and key, and compare responses with the documentation.')
    .option('--identify <email>', 'check the legacy interface and the team id by identifying this contact')
    .option('--json', 'print the report as JSON')
    .action((flags: CheckFlags) => execute(context => run(flags, context)));
  return addNotes(command, notes + environmentHelp);
}

async function run({ identify, json = false }: CheckFlags, context: Context): Promise<number> {
  const { env, signal } = context;
  requireVariables(env, identify === undefined ? [] : ['EMAIL_MARKETING_TEAM_ID']);
  const options = { ...clientOptions(env), logger: waitLogger(context) };
  const client = new EmailMarketingClient({ ...options, validation: 'off' });
  const access = await checkAccess(client, signal);
  const checks = [...access, await checkLegacy(client, identify, signal)];
  const report: CheckReport = { checks, differences: [], read: [], unchecked: [] };
  const strict = new EmailMarketingClient({ ...options, validation: 'strict' });
  if (access.every(({ ok }) => ok)) await compareResponses(client, strict, report, signal);
  if (json) printJson(context, report);
  else printResult(context, formatCheck(report));
  if (checks.some(({ ok }) => ok === false)) return couldNotRunExitCode;
  const differs = report.differences.length > 0 || report.unchecked.some(({ failed }) => failed);
  return differs ? someFailedExitCode : doneExitCode;
}

/** Result of one check; `ok` is absent if nothing was checked. */
interface CheckResult {
  readonly name: string;
  readonly ok?: boolean;
  readonly detail: string;
}

interface CheckReport {
  readonly checks: readonly CheckResult[];
  readonly differences: Difference[];
  /** Operations that were called, with the number of records in the response. */
  readonly read: { readonly operation: string; readonly records: number }[];
  readonly unchecked: { readonly operation: string; readonly reason: string; readonly failed: boolean }[];
}

/** Place where responses differ from the documentation. Contains names of types, and no data. */
interface Difference {
  readonly operation: string;
  readonly path: string;
  readonly expected: string;
  readonly received: string;
}

const url = { name: 'URL', ok: true, detail: 'the REST interface responds' };

async function checkAccess(client: EmailMarketingClient, signal: AbortSignal): Promise<CheckResult[]> {
  const result = await client.senders.list({ signal }).safe();
  if (result.ok) return [url, { name: 'key', ok: true, detail: 'the REST interface accepts it' }];
  const { name, message: detail } = result.error;
  return name === 'AuthenticationError'
    ? [url, { name: 'key', ok: false, detail }]
    : [{ ...url, ok: false, detail }];
}

/** Checks the legacy interface by identifying a contact without any field, which changes at most its last update. */
async function checkLegacy(
  client: EmailMarketingClient,
  email: string | undefined,
  signal: AbortSignal,
): Promise<CheckResult> {
  const name = 'legacy URL, key and team id';
  if (email === undefined)
    return {
      name,
      detail: 'not checked, because every legacy operation writes; to check, use --identify EMAIL',
    };
  const result = await client.legacy.identify({ email }, { signal }).safe();
  if (!result.ok) return { name, ok: false, detail: result.error.message };
  const other = otherThanAcknowledgment(result.data);
  return other === undefined
    ? { name, ok: true, detail: 'the legacy interface accepts them' }
    : { name, ok: false, detail: `in place of the service's response came ${other}` };
}

/** Returns the report for people, with the differences as a Markdown table. */
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
  if (differences.length === 0) return ['No differences were found.'];
  const columns = ['operation', 'path', 'expected', 'received'] as const;
  const rows = differences.map(difference => columns.map(column => difference[column]));
  const table = [columns, columns.map(() => '---'), ...rows];
  return table.map(cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`);
}

/** Operations that read, by the table of endpoints: of a resource, the listing first. */
const readNames = operationNames.filter(name => endpoints[name].kind === 'read');

/** Records to request from each listing: the smaller of the documented maximums for contacts (rule 4.3). */
const sampleSize = 30;

type Methods = Readonly<Record<string, Readonly<Record<string, (...input: unknown[]) => Promise<unknown>>>>>;

/**
 * Calls each operation that reads, and adds to the report where its response differs from the documentation.
 * @param lenient Client that accepts any response, to count records.
 */
async function compareResponses(
  lenient: EmailMarketingClient,
  strict: EmailMarketingClient,
  { differences, read, unchecked }: CheckReport,
  signal: AbortSignal,
): Promise<void> {
  const firstRecords = new Map<string, Readonly<Record<string, unknown>>>();
  const compare = async (operation: OperationName, ...input: unknown[]): Promise<void> => {
    const [resource = '', method = ''] = operation.split('.');
    const call = (client: EmailMarketingClient) =>
      (client as unknown as Methods)[resource]?.[method]?.(...input, { signal });
    try {
      const response = await call(lenient);
      if (Array.isArray(response)) firstRecords.set(resource, response[0]);
      read.push({ operation, records: Array.isArray(response) ? response.length : 1 });
      await call(strict);
    } catch (error) {
      if (InvalidResponseError.isInstance(error)) addDifferences(differences, operation, error.issues);
      else unchecked.push({ operation, reason: (error as Error).message, failed: true });
    }
  };
  const compareListing = async (operation: OperationName): Promise<void> => {
    await compare(operation, { limit: sampleSize });
    // The name of the contacts' search parameter is not documented: a search shows whether the service knows it.
    const search = firstRecords.get(operation.split('.')[0] ?? '')?.email;
    if (search !== undefined && search !== '') await compare(operation, { search });
  };
  for (const operation of readNames) {
    const { inputIn } = endpoints[operation];
    const id = firstRecords.get(operation.split('.')[0] ?? '')?.id;
    if (inputIn === 'id' && id === undefined)
      unchecked.push({ operation, reason: 'there is no record to read', failed: false });
    else if (inputIn === 'query') await compareListing(operation);
    else await compare(operation, ...(inputIn === 'id' ? [id] : []));
  }
}

/** Adds each difference once, without indexes and keys of maps, which are the team's data. */
function addDifferences(
  differences: Difference[],
  operation: string,
  issues: readonly Omit<Difference, 'operation'>[],
): void {
  for (const { path: place, expected, received } of issues) {
    const path = place.replace(/\[\d+\]/g, '[]').replace(/\b(customFields|data)\..*/s, '$1.*');
    const isSame = (other: Difference) =>
      other.operation === operation && other.path === path && other.received === received;
    if (!differences.some(isSame)) differences.push({ operation, path, expected, received });
  }
}

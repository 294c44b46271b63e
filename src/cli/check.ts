import { Command } from 'commander';
import { EmailMarketingClient, InvalidResponseError } from '../index.ts';
import { endpoints, type OperationName, operationNames } from '../resources/endpoints.ts';
import { identify } from '../resources/legacy.ts';
import { clientOptions, requireVariables } from './account.ts';
import { otherThanAcknowledgment } from './acknowledgment.ts';
import {
  addNotes,
  couldNotRunExitCode,
  doneExitCode,
  environmentHelp,
  messageOf,
  type Run,
  signalsHelp,
  someFailedExitCode,
  UsageError,
} from './command-line.ts';
import type { Context } from './surroundings.ts';
import { type Line, printJson, printResult, styled, waitLogger } from './terminal.ts';

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

Exit codes: 0 everything is right, 1 responses differ from the documentation or an operation failed, 2 a check failed or could
not run, ${signalsHelp}`;

export function checkCommand(execute: Run): Command {
  const command = new Command('check')
    .description('Check URL and key, and compare responses with the documentation.')
    .option('--identify <email>', 'check the legacy interface and the team id by identifying this contact')
    .option('--json', 'print the report as JSON')
    .action((flags: CheckFlags) => execute(context => run(flags, context)));
  return addNotes(command, notes + environmentHelp);
}

async function run({ identify: email, json = false }: CheckFlags, context: Context): Promise<number> {
  const { env, signal } = context;
  requireVariables(env, email === undefined ? [] : ['EMAIL_MARKETING_TEAM_ID']);
  if (email !== undefined) requireAddress(email);
  const options = { ...clientOptions(env), logger: waitLogger(context) };
  const client = new EmailMarketingClient({ ...options, validation: 'off' });
  const strict = new EmailMarketingClient({ ...options, validation: 'strict' });
  const access = await checkAccess(client, signal);
  const checks = [...access, await checkLegacy(client, email, signal)];
  const report: CheckReport = { checks, operations: [], differences: [] };
  if (access.every(({ status }) => status === 'ok')) await compareResponses(client, strict, report, signal);
  if (json) printJson(context, report);
  else printResult(context, formatCheck(report));
  if (checks.some(hasFailed)) return couldNotRunExitCode;
  return report.operations.some(hasFailed) ? someFailedExitCode : doneExitCode;
}

/** Refuses what cannot be an email before it is sent, so that the service is not blamed for it. */
function requireAddress(email: string): void {
  if (identify.input?.validateInput({ email }).ok === false)
    throw new UsageError(`--identify takes an email address (got ${JSON.stringify(email)})`);
}

type Status = 'ok' | 'failed' | 'unchecked';

const hasFailed = ({ status }: { readonly status: Status }): boolean => status === 'failed';

interface CheckResult {
  readonly id: 'url' | 'key' | 'legacy';
  readonly status: Status;
  readonly detail: string;
}

/** Result of comparing the response of an operation with the documentation. */
interface OperationResult {
  /** Name of the operation, with `?search` for a second call that searches. */
  readonly id: string;
  readonly status: Status;
  /** Number of records in the response; absent if it could not be read. */
  readonly records?: number | undefined;
  /** Why there was no response to compare. */
  readonly detail?: string | undefined;
}

interface CheckReport {
  readonly checks: readonly CheckResult[];
  readonly operations: OperationResult[];
  readonly differences: Difference[];
}

/** Place where responses differ from the documentation. Contains names of types, and no data. */
interface Difference {
  readonly operation: string;
  readonly path: string;
  readonly expected: string;
  readonly received: string;
}

/** What each check is about, for people. */
const titles = { url: 'URL', key: 'key', legacy: 'legacy URL, key and team id' } as const;

async function checkAccess(client: EmailMarketingClient, signal: AbortSignal): Promise<CheckResult[]> {
  const url = { id: 'url', status: 'ok', detail: 'the REST interface responds' } as const;
  const result = await client.senders.list({ signal }).safe();
  // A key without permission for this operation is known: comparing the responses shows what it may do.
  if (result.ok || result.error.name === 'PermissionError')
    return [url, { id: 'key', status: 'ok', detail: 'the REST interface accepts it' }];
  const { name, message: detail } = result.error;
  if (name === 'AuthenticationError') return [url, { id: 'key', status: 'failed', detail }];
  const unchecked = 'not checked, because the REST interface does not respond as documented';
  return [
    { ...url, status: 'failed', detail },
    { id: 'key', status: 'unchecked', detail: unchecked },
  ];
}

/** Checks the legacy interface by identifying a contact without any field, which changes at most its last update. */
async function checkLegacy(
  client: EmailMarketingClient,
  email: string | undefined,
  signal: AbortSignal,
): Promise<CheckResult> {
  const id = 'legacy';
  const unchecked = 'not checked, because every legacy operation writes; to check, use --identify EMAIL';
  if (email === undefined) return { id, status: 'unchecked', detail: unchecked };
  const result = await client.legacy.identify({ email }, { signal }).safe();
  if (!result.ok) return { id, status: 'failed', detail: result.error.message };
  const other = otherThanAcknowledgment(result.data);
  if (other !== undefined)
    return { id, status: 'failed', detail: `in place of the service's response came ${other}` };
  return { id, status: 'ok', detail: 'the legacy interface accepts them' };
}

const marks = {
  ok: styled('green', '✓'),
  failed: styled('red', '✗'),
  unchecked: styled('yellow', '?'),
} as const;

/** Returns the report for people, with the differences as a Markdown table. */
function formatCheck({ checks, operations, differences }: CheckReport): Line[] {
  const isCompared = ({ detail }: OperationResult) => detail === undefined;
  const compared = operations
    .filter(isCompared)
    .map(({ id, records = 'unreadable' }) => `${id} (${records})`);
  const others = operations.filter(result => !isCompared(result));
  return [
    ...checks.map(({ id, status, detail }): Line => [marks[status], ` ${titles[id]}: ${detail}`]),
    ...(compared.length > 0
      ? ['', `Responses compared with the documentation: ${compared.join(', ')}.`]
      : []),
    ...others.map(({ id, detail }) => `Not compared: ${id}: ${detail}.`),
    ...(compared.length > 0 ? ['', ...formatDifferences(differences)] : []),
  ];
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
  { operations, differences }: CheckReport,
  signal: AbortSignal,
): Promise<void> {
  const firstRecords = new Map<string, Readonly<Record<string, unknown>>>();
  const compare = async (id: string, operation: OperationName, ...input: unknown[]): Promise<void> => {
    const [resource = '', method = ''] = operation.split('.');
    const call = (client: EmailMarketingClient) =>
      (client as unknown as Methods)[resource]?.[method]?.(...input, { signal });
    let records: number | undefined;
    try {
      const response = await call(lenient);
      if (Array.isArray(response)) firstRecords.set(resource, response[0]);
      records = Array.isArray(response) ? response.length : 1;
      await call(strict);
      operations.push({ id, status: 'ok', records });
    } catch (error) {
      const differs = InvalidResponseError.isInstance(error);
      if (differs) addDifferences(differences, operation, error.issues);
      const detail = differs ? undefined : messageOf(error).replace(`${operation}: `, '');
      operations.push({ id, status: 'failed', records, detail });
    }
  };
  const compareListing = async (operation: OperationName): Promise<void> => {
    await compare(operation, operation, { limit: sampleSize });
    // The name of the contacts' search parameter is not documented: a search shows whether the service knows it.
    const search = firstRecords.get(operation.split('.')[0] ?? '')?.email;
    if (search !== undefined && search !== '') await compare(`${operation}?search`, operation, { search });
  };
  for (const operation of readNames) {
    const { inputIn } = endpoints[operation];
    const id = firstRecords.get(operation.split('.')[0] ?? '')?.id;
    if (inputIn === 'id' && id === undefined)
      operations.push({ id: operation, status: 'unchecked', detail: 'there is no record to read' });
    else if (inputIn === 'query') await compareListing(operation);
    else await compare(operation, operation, ...(inputIn === 'id' ? [id] : []));
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

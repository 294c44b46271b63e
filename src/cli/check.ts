import { Command } from 'commander';
import {
  ApiError,
  AuthenticationError,
  EmailMarketingClient,
  InvalidResponseError,
  type Issue,
  NotFoundError,
  PermissionError,
} from '../index.ts';
import { endpoints, type OperationName, operationNames } from '../resources/endpoints.ts';
import { identify } from '../resources/legacy.ts';
import { clientOptions, requireVariables, restAddress } from './account.ts';
import { isOwnFailure, otherThanAcknowledgment } from './acknowledgment.ts';
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
import { type Line, print, printJson, printResult, styled, waitLogger } from './terminal.ts';

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

type Flags = { readonly identify?: string; readonly json?: boolean };

export function checkCommand(execute: Run): Command {
  const command = new Command('check')
    .description('Check URL and key, and compare responses with the documentation.')
    .option('--identify <email>', 'check the legacy interface and the team id by identifying this contact')
    .option('--json', 'print the report as JSON')
    .action((flags: Flags) => execute(context => run(flags, context)));
  return addNotes(command, notes + environmentHelp);
}

async function run({ identify: email, json = false }: Flags, context: Context): Promise<number> {
  const { env, signal } = context;
  requireVariables(env, email === undefined ? [] : ['EMAIL_MARKETING_TEAM_ID']);
  // Otherwise, the service would be blamed for what cannot be an email.
  if (email !== undefined && identify.input?.validateInput({ email }).ok === false)
    throw new UsageError(`--identify takes an email address (got ${JSON.stringify(email)})`);
  const options = { ...clientOptions(env), logger: waitLogger(context) };
  const lenient = new EmailMarketingClient({ ...options, validation: 'off' });
  const strict = new EmailMarketingClient({ ...options, validation: 'strict' });
  // A service that hangs takes minutes.
  print(context, [`Checking ${restAddress(env)}.`]);
  const read = reader(signal);
  const access = await checkAccess(strict, read);
  const checks = [...access, await checkLegacy(lenient, email, signal)];
  const report: Report = { checks, operations: [], differences: [] };
  if (!access.some(hasFailed)) await compareResponses(lenient, strict, report, read);
  signal.throwIfAborted();
  if (json) printJson(context, report);
  else printResult(context, formatReport(report));
  if (checks.some(hasFailed)) return couldNotRunExitCode;
  return report.operations.some(hasFailed) ? someFailedExitCode : doneExitCode;
}

interface Result {
  /** `url`, `key`, `legacy`, or the name of an operation, with `?search` for a second call that searches. */
  readonly id: string;
  readonly status: 'ok' | 'failed' | 'unchecked';
  /** What was found; of an operation, why there was no response to compare. */
  readonly detail?: string | undefined;
  /** Number of records in the response of an operation; absent if it could not be read. */
  readonly records?: number | undefined;
}

const hasFailed = ({ status }: Result): boolean => status === 'failed';

const columns = ['operation', 'path', 'expected', 'received'] as const;

/** Place where responses differ from the documentation. Contains names of types, and no data. */
type Difference = Readonly<Record<(typeof columns)[number], string>>;

interface Report {
  readonly checks: readonly Result[];
  readonly operations: Result[];
  readonly differences: Difference[];
}

/** Operations that read, by the table of endpoints: of a resource, the listing first. */
const readNames = operationNames.filter(name => endpoints[name].kind === 'read');
const listings = readNames.filter(name => endpoints[name].inputIn !== 'id');

/** Calls an operation that reads, with the input that it takes. */
type Read = (client: EmailMarketingClient, name: OperationName, input?: unknown) => Promise<unknown>;

const reader =
  (signal: AbortSignal): Read =>
  (client, name, input = {}) => {
    const [resource = '', method = ''] = name.split('.');
    const inputs = endpoints[name].inputIn === 'nothing' ? [] : [input];
    return Object(client)[resource][method](...inputs, { signal });
  };

/** Checks URL and key by the first listing that gets a list. */
async function checkAccess(client: EmailMarketingClient, read: Read): Promise<Result[]> {
  const url: Result = { id: 'url', status: 'ok', detail: 'the REST interface responds' };
  const key: Result = { id: 'key', status: 'ok', detail: 'the REST interface accepts it' };
  const problems: string[] = [];
  for (const name of listings)
    try {
      await read(client, name);
      return [url, key];
    } catch (error) {
      const detail = messageOf(error);
      if (AuthenticationError.isInstance(error)) return [url, { ...key, status: 'failed', detail }];
      // The service knows a key without permission for this operation.
      if (PermissionError.isInstance(error) && isOwnFailure(error.body)) return [url, key];
      const isInvalid = InvalidResponseError.isInstance(error);
      if (isInvalid && error.issues.every(isInList)) return [url, key];
      problems.push(detail);
      // A response may concern this operation alone, or be that of a listing without records.
      if (!isInvalid && !ApiError.isInstance(error)) break;
    }
  const unchecked = 'not checked, because the REST interface does not respond as documented';
  return [
    { ...url, status: 'failed', detail: problems[0] },
    { ...key, status: 'unchecked', detail: unchecked },
  ];
}

/** Returns whether an issue is about a record of a list, or about `null` in place of an empty one. */
const isInList = ({ path, received }: Issue): boolean => path !== '' || received === 'null';

/** Checks the legacy interface by identifying a contact without any field, which changes at most its last update. */
async function checkLegacy(
  client: EmailMarketingClient,
  email: string | undefined,
  signal: AbortSignal,
): Promise<Result> {
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

/** What each check is about, for people. */
const titles: Readonly<Record<string, string>> = {
  url: 'URL',
  key: 'key',
  legacy: 'legacy URL, key and team id',
};

/** Returns the report for people, with the differences as a Markdown table. */
function formatReport({ checks, operations, differences }: Report): Line[] {
  const compared = operations.filter(({ detail }) => detail === undefined);
  const names = compared.map(({ id, records = 'unreadable' }) => `${id} (${records})`);
  return [
    ...checks.map(({ id, status, detail }): Line => [marks[status], ` ${titles[id]}: ${detail}`]),
    ...(names.length > 0 ? ['', `Responses compared with the documentation: ${names.join(', ')}.`] : []),
    ...operations.flatMap(({ id, detail }) =>
      detail === undefined ? [] : [`Not compared: ${id}: ${detail.replace(/\.?$/, '.')}`],
    ),
    ...(names.length > 0 ? ['', ...formatDifferences(differences)] : []),
  ];
}

function formatDifferences(differences: readonly Difference[]): string[] {
  if (differences.length === 0) return ['No differences were found.'];
  const rows = differences.map(difference => columns.map(column => difference[column]));
  const table = [columns, columns.map(() => '---'), ...rows];
  return table.map(cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`);
}

/** Records to request from each listing: the smaller of the documented maximums for contacts (rule 4.3). */
const sampleSize = 30;

/**
 * Calls each operation that reads, and adds to the report where its response differs from the documentation.
 * @param lenient Client that accepts any response, to count records.
 */
async function compareResponses(
  lenient: EmailMarketingClient,
  strict: EmailMarketingClient,
  { operations, differences }: Report,
  read: Read,
): Promise<void> {
  const firstRecords = new Map<string | undefined, Readonly<Record<string, unknown>>>();
  const compare = async (id: string, name: OperationName, input: unknown): Promise<void> => {
    let records: number | undefined;
    try {
      const response = await read(lenient, name, input);
      if (Array.isArray(response)) firstRecords.set(name.split('.')[0], response[0]);
      records = Array.isArray(response) ? response.length : 1;
      await read(strict, name, input);
      operations.push({ id, status: 'ok', records });
    } catch (error) {
      const differs = InvalidResponseError.isInstance(error);
      if (differs) addDifferences(differences, name, error.issues);
      const detail = differs ? undefined : messageOf(error).replace(`${name}: `, '');
      operations.push(emptyListing(id, error) ?? { id, status: 'failed', records, detail });
    }
  };
  for (const name of readNames) {
    const { inputIn } = endpoints[name];
    const first = () => firstRecords.get(name.split('.')[0]);
    if (inputIn === 'id' && first()?.id === undefined)
      operations.push({ id: name, status: 'unchecked', detail: 'there is no record to read' });
    else await compare(name, name, inputIn === 'id' ? first()?.id : { limit: sampleSize });
    // The name of the contacts' search parameter is not documented: a search shows whether the service knows it.
    const search = first()?.email;
    if (inputIn === 'query' && search) await compare(`${name}?search`, name, { search });
  }
}

/** A service may respond to an empty listing with its own "not found". */
const emptyListing = (id: string, error: unknown): Result | undefined =>
  listings.some(name => name === id) && NotFoundError.isInstance(error) && isOwnFailure(error.body)
    ? { id, status: 'unchecked', detail: 'the service says "not found", perhaps because there is none' }
    : undefined;

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

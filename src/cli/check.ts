import { Command } from 'commander';
import { callOperation } from '../client/call-operation.ts';
import {
  ApiError,
  AuthenticationError,
  EmailMarketingClient,
  InvalidResponseError,
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
import { print, printJson, printResult, waitLogger } from './terminal.ts';

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
  const lenient = new EmailMarketingClient({ ...options, onDrift: () => {} });
  const strict = new EmailMarketingClient({ ...options, validation: 'strict' });
  // A service that hangs takes minutes.
  print(context, [`Checking ${restAddress(env)}.`]);
  const responses = await readResponses(lenient, strict, signal);
  const access = checkAccess(responses);
  const checks = [...access, await checkLegacy(lenient, email, signal)];
  signal.throwIfAborted();
  const compared = access.some(hasFailed) ? [] : responses;
  const operations = compared.map(toResult);
  const differences = differencesIn(compared);
  if (json) printJson(context, { checks, operations, differences });
  else printResult(context, formatReport(checks, operations, differences));
  if (checks.some(hasFailed)) return couldNotRunExitCode;
  return operations.some(hasFailed) ? someFailedExitCode : doneExitCode;
}

/** Operations that read, by the table of endpoints: of a resource, the listing first. */
const readNames = operationNames.filter(name => endpoints[name].kind === 'read');

/** Records to request from each listing: the smaller of the documented maximums for contacts (rule 4.3). */
const sampleSize = 30;

/** Response of an operation that reads. Without records and an error, there was nothing to read. */
interface Response {
  readonly name: OperationName;
  /** The name, with `?search` for a second call that searches. */
  readonly id: string;
  readonly records?: readonly unknown[] | undefined;
  /** Why the call failed, or how its response differs from the documentation. */
  readonly error?: unknown;
}

/**
 * Calls each operation that reads, until nothing responds or the key is wrong.
 * @param lenient Client that accepts what differs from the documentation, to count records.
 */
async function readResponses(
  lenient: EmailMarketingClient,
  strict: EmailMarketingClient,
  signal: AbortSignal,
): Promise<Response[]> {
  const responses: Response[] = [];
  const read = async (id: string, name: OperationName, input: unknown): Promise<void> => {
    let records: unknown[] | undefined;
    try {
      records = [await callOperation(lenient, name, input, { signal })].flat();
      await callOperation(strict, name, input, { signal });
      responses.push({ name, id, records });
    } catch (error) {
      responses.push({ name, id, records, error });
    }
  };
  for (const name of readNames) {
    const { inputIn } = endpoints[name];
    const listing = responses.find(other => other.name.split('.')[0] === name.split('.')[0]);
    const { id } = Object(listing?.records?.[0]);
    if (inputIn !== 'id') await read(name, name, { limit: sampleSize });
    else if (id === undefined) responses.push({ name, id: name });
    else await read(name, name, id);
    // The name of the contacts' search parameter is not documented: a search shows whether the service knows it.
    const { email } = Object(responses.at(-1)?.records?.[0]);
    if (inputIn === 'query' && email) await read(`${name}?search`, name, { search: email });
    const error = responses.at(-1)?.error;
    const isResponse = ApiError.isInstance(error) || InvalidResponseError.isInstance(error);
    if (AuthenticationError.isInstance(error) || (error !== undefined && !isResponse)) break;
  }
  return responses;
}

interface Result {
  /** `url`, `key`, `legacy`, or the {@link Response.id} of an operation. */
  readonly id: string;
  readonly status: 'ok' | 'failed' | 'unchecked';
  /** What was found; of an operation, why there was no response to compare. */
  readonly detail?: string | undefined;
  /** Number of records in the response of an operation; absent if it could not be read. */
  readonly records?: number | undefined;
}

const hasFailed = ({ status }: Result): boolean => status === 'failed';

/** Checks URL and key by the first response that shows whether they are right. */
function checkAccess(responses: readonly Response[]): Result[] {
  const url: Result = { id: 'url', status: 'ok', detail: 'the REST interface responds' };
  const key: Result = { id: 'key', status: 'ok', detail: 'the REST interface accepts it' };
  const clear = responses.find(
    response => isAccepted(response) || AuthenticationError.isInstance(response.error),
  );
  const error = messageOf((clear ?? responses[0])?.error);
  if (clear !== undefined)
    return [url, isAccepted(clear) ? key : { ...key, status: 'failed', detail: error }];
  const unchecked = 'not checked, because the REST interface does not respond as documented';
  return [
    { ...url, status: 'failed', detail: error },
    { ...key, status: 'unchecked', detail: unchecked },
  ];
}

/** Returns whether the response shows that the service knows the key, perhaps without permission for this operation. */
function isAccepted({ records, error }: Response): boolean {
  if (InvalidResponseError.isInstance(error))
    // About a record of a list, or about `null` in place of an empty one.
    return error.issues.every(({ path, received }) => path !== '' || received === 'null');
  if (PermissionError.isInstance(error)) return isOwnFailure(error.body);
  return records !== undefined && error === undefined;
}

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
  return { id, status: 'ok', detail: 'the legacy interface accepts URL, key and team id' };
}

/** Returns what is reported of an operation. */
function toResult({ name, id, records: found, error }: Response): Result {
  const records = found?.length;
  if (error === undefined && records === undefined)
    return { id, status: 'unchecked', detail: 'there is no record to read' };
  if (error === undefined) return { id, status: 'ok', records };
  if (InvalidResponseError.isInstance(error)) return { id, status: 'failed', records };
  // A service may say so of an empty listing, which the client reads as such.
  if (endpoints[name].inputIn !== 'id' && NotFoundError.isInstance(error) && isOwnFailure(error.body))
    return { id, status: 'unchecked', detail: 'the service says "not found", perhaps because there is none' };
  return { id, status: 'failed', records, detail: messageOf(error).replace(`${name}: `, '') };
}

const columns = ['operation', 'path', 'expected', 'received'] as const;

/** Place where responses differ from the documentation. Contains names of types, and no data. */
type Difference = Readonly<Record<(typeof columns)[number], string>>;

/** Returns each difference once, without indexes and keys of maps, which are the team's data. */
function differencesIn(responses: readonly Response[]): Difference[] {
  const differences = new Map<string, Difference>();
  for (const { name: operation, error } of responses)
    for (const { path: place, expected, received } of InvalidResponseError.isInstance(error)
      ? error.issues
      : []) {
      const path = place.replace(/\[\d+\]/g, '[]').replace(/\b(customFields|data)\..*/s, '$1.*');
      const key = [operation, path, received].join('\n');
      if (!differences.has(key)) differences.set(key, { operation, path, expected, received });
    }
  return [...differences.values()];
}

/** Returns the report for people, with the differences as a Markdown table. */
function formatReport(
  checks: readonly Result[],
  operations: readonly Result[],
  differences: readonly Difference[],
): string[] {
  const compared = operations.filter(({ detail }) => detail === undefined);
  const names = compared.map(({ id, records = 'unreadable' }) => `${id} (${records})`);
  return [
    ...checks.map(({ id, status, detail }) => `${status} ${id}: ${detail}`),
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

import { Command } from 'commander';
import { isEmail } from '../core/email.ts';
import {
  ApiError,
  type ApiPromise,
  AuthenticationError,
  EmailMarketingClient,
  InvalidResponseError,
  NotFoundError,
  PermissionError,
} from '../index.ts';
import { clientOptions, requireVariables, restAddress } from './account.ts';
import { isOwnFailure, otherThanAcknowledgment } from './acknowledgment.ts';
import {
  addNotes,
  couldNotRunExitCode,
  counted,
  doneExitCode,
  environmentHelp,
  invalidValue,
  type Run,
  signalsHelp,
  someFailedExitCode,
} from './command-line.ts';
import type { Context } from './surroundings.ts';
import { print, printJson, printResult, waitLogger } from './terminal.ts';

const notes = `
Examples:
  npx email-marketing-client check
  npx email-marketing-client check --identify me@example.com

The command only reads, which needs no team id. --identify EMAIL checks that, too, by identifying this contact without any
field: this creates the contact if it does not exist, and otherwise changes at most the time of its last update.

The table of differences contains names and types of fields, and no personal data: you can paste it into an issue.

Exit codes: 0 everything is right, 1 responses differ from the documentation or an operation failed, 2 a check failed or could
not run, ${signalsHelp}`;

type Flags = { readonly identify?: string; readonly json?: boolean };

export function checkCommand(execute: Run): Command {
  const command = new Command('check')
    .description('Check address and key, and compare responses with the documentation.')
    .option('--identify <email>', 'check the team id by identifying this contact')
    .option('--json', 'print the report as JSON')
    .action((flags: Flags) => execute(context => run(flags, context)));
  return addNotes(command, notes + environmentHelp);
}

/** What was found about `address`, `key`, `team`, or an operation. `error` is not printed. */
interface Result {
  readonly id: string;
  readonly status: 'ok' | 'differs' | 'failed' | 'unchecked';
  readonly records?: number;
  readonly detail?: string | undefined;
  readonly error?: unknown;
}

const columns = ['operation', 'path', 'expected', 'received'] as const;

/** Place where responses differ from the documentation. Contains names of types, and no data. */
type Difference = Readonly<Record<(typeof columns)[number], string>>;

async function run({ identify: email, json = false }: Flags, context: Context): Promise<number> {
  const { env, signal } = context;
  requireVariables(env, email === undefined ? [] : ['EMAIL_MARKETING_TEAM_ID']);
  if (email !== undefined && !isEmail(email)) throw invalidValue('--identify', 'an email address', email);
  const options = { ...clientOptions(env), onDrift: () => {}, logger: waitLogger(context) };
  const client = new EmailMarketingClient(options);
  const strict = new EmailMarketingClient({ ...options, validation: 'strict' });
  // A service that hangs takes minutes.
  print(context, [`Checking ${restAddress(env)}.`]);
  const results = await readEverything(strict, client, signal);
  const access = accessOf(results);
  const checks = [...access, await checkTeam(client, email, signal)].map(printed);
  signal.throwIfAborted();
  const reached = access.every(({ status }) => status === 'ok') ? results : [];
  const operations = reached.map(printed);
  const differences = differencesIn(reached);
  if (json) printJson(context, { checks, operations, differences });
  else printReport(context, [...checks, ...operations], differences, reached.length > 0);
  if (checks.some(({ status }) => status === 'failed')) return couldNotRunExitCode;
  const isRight = operations.every(({ status }) => status === 'ok' || status === 'unchecked');
  return isRight ? doneExitCode : someFailedExitCode;
}

/** Returns what is printed: the message of an error begins with the name of the operation, too. */
const printed = ({ error: _, detail, ...result }: Result): Result => ({
  ...result,
  detail: detail?.replace(`${result.id}: `, ''),
});

/** Calls each operation that reads, until nothing responds or the key is wrong. */
async function readEverything(
  strict: EmailMarketingClient,
  usual: EmailMarketingClient,
  signal: AbortSignal,
): Promise<Result[]> {
  const results: Result[] = [];
  let isOver = false;
  const read = async <Data>(id: string, call: (client: EmailMarketingClient) => ApiPromise<Data>) => {
    if (isOver) return undefined;
    const compared = await call(strict).safe();
    const isInvalid = !compared.ok && InvalidResponseError.isInstance(compared.error);
    // What differs is usually usable.
    const result = isInvalid ? await call(usual).safe() : compared;
    if (result.ok) {
      const records = [result.data].flat().length;
      results.push({ id, status: isInvalid ? 'differs' : 'ok', records, error: compared.error });
      return result.data;
    }
    const { error } = result;
    const isResponse = ApiError.isInstance(error) || InvalidResponseError.isInstance(error);
    isOver = AuthenticationError.isInstance(error) || !isResponse;
    // A service may say so of an empty listing.
    const isEmpty = NotFoundError.isInstance(error) && isOwnFailure(error.body) && id.endsWith('.list');
    results.push({ id, status: isEmpty ? 'unchecked' : 'failed', detail: error.message, error });
    return undefined;
  };
  const options = { signal };
  // The smaller of the two documented maximums for contacts (rule 4.3).
  const page = { limit: 30 };
  await read('lists.list', ({ lists }) => lists.list(page, options));
  const people = await read('contacts.list', ({ contacts }) => contacts.list(page, options));
  // The name of the search parameter is not documented: a search shows whether the service knows it.
  const search = people?.[0]?.email;
  if (search) await read('contacts.list?search', ({ contacts }) => contacts.list({ search }, options));
  const tags = await read('postTags.list', ({ postTags }) => postTags.list(options));
  const id = tags?.[0]?.id;
  if (id) await read('postTags.get', ({ postTags }) => postTags.get(id, options));
  else if (tags)
    results.push({ id: 'postTags.get', status: 'unchecked', detail: 'there is no record to read' });
  await read('senders.list', ({ senders }) => senders.list(options));
  return results;
}

/** Checks address and key by the responses of all operations. */
function accessOf(results: readonly Result[]): Result[] {
  const refusal = results.find(({ error }) => AuthenticationError.isInstance(error));
  const address: Result = { id: 'address', status: 'ok', detail: 'the service responds' };
  if (refusal !== undefined) return [address, { ...refusal, id: 'key' }];
  if (results.some(isAccepted))
    return [address, { id: 'key', status: 'ok', detail: 'the service accepts it' }];
  const unchecked = 'not checked, because the service does not respond as documented';
  return [
    { ...address, ...results[0], id: 'address', status: 'failed' },
    { id: 'key', status: 'unchecked', detail: unchecked },
  ];
}

/** Returns whether the service knows the key, perhaps without permission for this operation. */
function isAccepted({ status, error }: Result): boolean {
  if (status === 'ok' || status === 'differs') return true;
  // With an empty path, all that came is something else, such as the object of another program.
  if (InvalidResponseError.isInstance(error)) return error.issues.every(({ path }) => path !== '');
  return PermissionError.isInstance(error) && isOwnFailure(error.body);
}

/** Checks the team id, by the one operation that sends it and can leave a contact as it is. */
async function checkTeam(
  client: EmailMarketingClient,
  email: string | undefined,
  signal: AbortSignal,
): Promise<Result> {
  const id = 'team';
  const unchecked = 'not checked, because only operations that write need it; to check, use --identify EMAIL';
  if (email === undefined) return { id, status: 'unchecked', detail: unchecked };
  const result = await client.legacy.identify({ email }, { signal }).safe();
  if (!result.ok) return { id, status: 'failed', detail: result.error.message };
  const other = otherThanAcknowledgment(result.data);
  if (other !== undefined)
    return { id, status: 'failed', detail: `in place of the service's response came ${other}` };
  return { id, status: 'ok', detail: 'the service accepts it, at the legacy address with the legacy key' };
}

/** Returns each difference once, without indexes and keys of maps, which are the team's data. */
function differencesIn(results: readonly Result[]): Difference[] {
  const differences = new Map<string, Difference>();
  for (const { id, error } of results)
    for (const issue of InvalidResponseError.isInstance(error) ? error.issues : []) {
      const { expected, received } = issue;
      const operation = id.replace('?search', '');
      const path = issue.path.replace(/\[\d+\]/g, '[]').replace(/\b(customFields|data)\..*/s, '$1.*');
      differences.set(`${operation} ${path} ${received}`, { operation, path, expected, received });
    }
  return [...differences.values()];
}

/** Prints the report for people, with the differences as a Markdown table. */
function printReport(
  context: Context,
  results: readonly Result[],
  differences: readonly Difference[],
  isCompared: boolean,
): void {
  for (const { id, status, records = 0, detail = counted(records, 'record') } of results)
    printResult(context, [`${status} ${id}: ${detail}`]);
  const rows = differences.map(difference => columns.map(name => difference[name].replaceAll('|', '\\|')));
  const table = [columns, columns.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`);
  if (isCompared) printResult(context, ['', ...(rows.length > 0 ? table : ['No differences were found.'])]);
}

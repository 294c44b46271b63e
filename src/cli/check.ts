import { Command } from 'commander';
import {
  ApiError,
  type ApiPromise,
  AuthenticationError,
  type Drift,
  EmailMarketingClient,
  InvalidResponseError,
  type Issue,
} from '../index.ts';
import { clientOptions, requireVariables, restAddress } from './account.ts';
import { otherThanAcknowledgment } from './acknowledgment.ts';
import {
  couldNotRunExitCode,
  counted,
  doneExitCode,
  environmentHelp,
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

The command only reads, unless you pass --identify. Differences show names and
types of fields, and no personal data: you can paste them into an issue.

Exit codes: 0 everything is right, 1 responses differ from the documentation or
an operation failed, 2 a check failed or could not run,
${signalsHelp}`;

type Flags = { readonly identify?: string; readonly json?: boolean };

export function checkCommand(execute: Run): Command {
  return new Command('check')
    .description('Check address and key, and compare responses with the documentation.')
    .option(
      '--identify <email>',
      'check the team id by identifying this contact, which creates it if it does not exist',
    )
    .option('--json', 'print the report as JSON')
    .addHelpText('after', notes + environmentHelp)
    .action((flags: Flags) => execute(context => run(flags, context)));
}

/** What was found about `address`, `key`, `team`, or an operation. */
interface Result {
  readonly id: string;
  readonly status: 'ok' | 'differs' | 'failed' | 'unchecked';
  /** Number of records that an operation returned. */
  readonly records?: number;
  readonly detail?: string;
}

/** What the operations that read have shown, or the error of the first if all failed. */
interface Findings {
  readonly operations: readonly Result[];
  readonly differences: readonly Drift[];
  readonly error?: Error | undefined;
}

async function run({ identify: email, json = false }: Flags, context: Context): Promise<number> {
  const { env, signal } = context;
  requireVariables(env, email === undefined ? [] : ['EMAIL_MARKETING_TEAM_ID']);
  const options = { ...clientOptions(env), onDrift: () => {}, logger: waitLogger(context) };
  const client = new EmailMarketingClient(options);
  // A service that hangs takes minutes.
  print(context, [`Checking ${restAddress(env)}.`]);
  const { operations, differences, error } = await readEverything(client, signal);
  const checks = [...checkAccess(error), await checkTeam(client, email, signal)];
  signal.throwIfAborted();
  if (json) printJson(context, { checks, operations, differences });
  else
    printResult(context, [
      ...[...checks, ...operations].map(
        ({ id, status, records = 0, detail = counted(records, 'record') }) => `${status} ${id}: ${detail}`,
      ),
      ...differences.map(
        ({ operation, path, expected, received }) =>
          `difference in ${operation}${path && ` at ${path}`}: expected ${expected}, got ${received}`,
      ),
    ]);
  if (checks.some(({ status }) => status === 'failed')) return couldNotRunExitCode;
  return operations.every(({ status }) => status === 'ok') ? doneExitCode : someFailedExitCode;
}

/** Calls each operation that reads, or only the first if nothing responds. */
async function readEverything(client: EmailMarketingClient, signal: AbortSignal): Promise<Findings> {
  const strict = client.withOptions({ validation: 'strict' });
  const operations: Result[] = [];
  const differences = new Map<string, Drift>();
  const read = async <Data>(id: string, call: (client: EmailMarketingClient) => ApiPromise<Data>) => {
    const compared = await call(strict).safe();
    const issues = InvalidResponseError.isInstance(compared.error) ? compared.error.issues : [];
    for (const issue of issues) {
      const difference = differenceOf(id, issue);
      differences.set(JSON.stringify(difference), difference);
    }
    // What differs is usually usable.
    const { data, error } = issues.length > 0 ? await call(client).safe() : compared;
    const status = issues.length > 0 ? 'differs' : 'ok';
    // The message of an error begins with the name of the operation, too.
    if (error) operations.push({ id, status: 'failed', detail: error.message.replace(`${id}: `, '') });
    else operations.push({ id, status, records: [data].flat().length });
    return { data, error };
  };
  const options = { signal };
  // The smaller of the two documented maximums for contacts (rule 4.3).
  const page = { limit: 30 };
  const { error } = await read('lists.list', ({ lists }) => lists.list(page, options));
  if (!error || ApiError.isInstance(error) || InvalidResponseError.isInstance(error)) {
    const { data: people } = await read('contacts.list', ({ contacts }) => contacts.list(page, options));
    // The name of the search parameter is not documented: a search shows whether the service knows it.
    const search = people?.[0]?.email;
    if (search) await read('contacts.list?search', ({ contacts }) => contacts.list({ search }, options));
    const { data: tags } = await read('postTags.list', ({ postTags }) => postTags.list(options));
    const tagId = tags?.[0]?.id;
    if (tagId) await read('postTags.get', ({ postTags }) => postTags.get(tagId, options));
    await read('senders.list', ({ senders }) => senders.list(options));
  }
  if (operations.every(({ status }) => status === 'failed'))
    return { operations: [], differences: [], error };
  return { operations, differences: [...differences.values()] };
}

/** Returns a difference without indexes and keys of maps, which are the team's data. */
const differenceOf = (id: string, { path, expected, received }: Issue): Drift => ({
  operation: id.replace('?search', ''),
  path: path.replace(/\[\d+\]/g, '[]').replace(/\b(customFields|data)\..*/s, '$1.*'),
  expected,
  received,
});

/** Checks address and key by the error of the first operation, if all failed. */
function checkAccess(error: Error | undefined): Result[] {
  const address: Result = { id: 'address', status: 'ok', detail: 'the service responds' };
  if (error === undefined) return [address, { id: 'key', status: 'ok', detail: 'the service accepts it' }];
  const failed = { status: 'failed', detail: error.message } as const;
  if (AuthenticationError.isInstance(error)) return [address, { id: 'key', ...failed }];
  const unchecked = 'not checked, because the service does not respond as documented';
  return [
    { id: 'address', ...failed },
    { id: 'key', status: 'unchecked', detail: unchecked },
  ];
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
  const { data, error } = await client.legacy.identify({ email }, { signal }).safe();
  const other = otherThanAcknowledgment(data);
  const problem = error?.message ?? (other && `in place of the service's response came ${other}`);
  if (problem !== undefined) return { id, status: 'failed', detail: problem };
  return { id, status: 'ok', detail: 'the service accepts it, at the legacy address with the legacy key' };
}

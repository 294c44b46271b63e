import { Command } from 'commander';
import { isEmail } from '../core/email.ts';
import {
  ApiError,
  type ApiPromise,
  AuthenticationError,
  type CallOptions,
  type Drift,
  type EmailMarketingClient,
  InvalidResponseError,
  type Issue,
} from '../index.ts';
import { createClient, legacyAccount, restAddress } from './account.ts';
import { acknowledgmentProblem } from './acknowledgment.ts';
import {
  couldNotRunExitCode,
  counted,
  doneExitCode,
  environmentHelp,
  type Run,
  signalsHelp,
  someFailedExitCode,
  UsageError,
} from './command-line.ts';
import type { Context } from './surroundings.ts';
import { print, printJson, printResult, requireConfirmed } from './terminal.ts';

const checkNotes = `
Examples:
  npx email-marketing-client check
  npx email-marketing-client check --write me@example.com

The command only reads, unless you pass --write with your own address. It then
also checks the team id, and that identify and track can be repeated, because
retries rely on this. It announces each call, and lists what remains in the
account.

Responses that differ from the documentation are listed, without personal data.
If the client can use them, the check passes.

Exit codes: 0 the client works with this service, 1 an operation failed,
2 the address, key or team id is wrong, or the check could not run,
${signalsHelp}`;

type Flags = { readonly write?: string; readonly yes?: boolean; readonly json?: boolean };

export function checkCommand(execute: Run): Command {
  return new Command('check')
    .description('Check the address and key, and compare responses with the documentation.')
    .option('--write <email>', 'also create or update this contact, and add and remove a tag')
    .option('--yes', 'with --write, write without asking')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', checkNotes + environmentHelp)
    .action((flags: Flags) => execute(context => runCheck(flags, context)));
}

/** What was found about `address`, `key`, `team`, or an operation. */
interface Result {
  readonly id: string;
  readonly status: 'ok' | 'differs' | 'failed' | 'unchecked';
  /** Number of records that an operation returned. */
  readonly records?: number;
  readonly detail?: string;
}

async function runCheck({ write: email, yes, json = false }: Flags, context: Context): Promise<number> {
  const { env, signal } = context;
  // The value may be a key by mistake.
  if (email !== undefined && !isEmail(email))
    throw new UsageError('--write takes one email address. Use your own.');
  const client = createClient(context, email === undefined ? [] : ['EMAIL_MARKETING_TEAM_ID']);
  if (email !== undefined) {
    print(context, writePlan(email, legacyAccount(env)));
    await requireConfirmed(context, 'Nothing was written', yes);
  }
  // If the service hangs, this takes minutes.
  print(context, [`Checking ${restAddress(env)}.`]);
  const { read, differences, error } = await readEverything(client, { signal });
  const written = await checkWrites(client, error ? undefined : email, context);
  signal.throwIfAborted();
  const { team, leftBehind } = written;
  const checks = [...checkAccess(error), team];
  const operations = [...read, ...written.operations];
  if (json) printJson(context, { checks, operations, differences, leftBehind });
  else
    printResult(context, [
      ...[...checks, ...operations].map(
        ({ id, status, records = 0, detail = counted(records, 'record') }) => `${status} ${id}: ${detail}`,
      ),
      ...differences.map(
        ({ operation, path, expected, received }) =>
          `difference in ${operation}${path && ` at ${path}`}: expected ${expected}, got ${received}`,
      ),
      ...leftBehind.map(what => `left behind: ${what}`),
    ]);
  if (checks.some(({ status }) => status === 'failed')) return couldNotRunExitCode;
  return operations.some(({ status }) => status === 'failed') ? someFailedExitCode : doneExitCode;
}

const searchIgnored =
  'the search parameter has another name. Set EMAIL_MARKETING_CONTACT_SEARCH_PARAMETER to that name.';

/** Removes the operation at the start of an error message. */
const detailOf = (message: string): string => message.replace(/^[\w.]+: /, '');

/**
 * Calls each operation that reads. Stops after the first if the others would fail, too. If all failed, returns the error of
 * the first.
 */
async function readEverything(client: EmailMarketingClient, options: CallOptions) {
  const strict = client.withOptions({ validation: 'strict' });
  const read: Result[] = [];
  const found = new Map<string, Drift>();
  const call = async <Data>(id: string, operation: (client: EmailMarketingClient) => ApiPromise<Data>) => {
    const compared = await operation(strict).safe();
    const issues = InvalidResponseError.isInstance(compared.error) ? compared.error.issues : [];
    const differences = issues.map(issue => differenceOf(id, issue));
    for (const difference of differences) found.set(JSON.stringify(difference), difference);
    // The client can usually use what differs.
    const { data, error } = issues.length > 0 ? await operation(client).safe() : compared;
    const isIgnored = issues.some(({ received }) => received === 'others');
    const detail = isIgnored ? searchIgnored : error && detailOf(error.message);
    const status = issues.length > 0 ? 'differs' : 'ok';
    if (detail === undefined) read.push({ id, status, records: [data].flat().length });
    else read.push({ id, status: 'failed', detail });
    return { data, error };
  };
  // The smaller of the two documented maximums for contacts (rule 4.3).
  const page = { limit: 30 };
  const { error } = await call('lists.list', ({ lists }) => lists.list(page, options));
  const responds = !error || ApiError.isInstance(error) || InvalidResponseError.isInstance(error);
  if (responds && !AuthenticationError.isInstance(error)) {
    const { data: people } = await call('contacts.list', ({ contacts }) => contacts.list(page, options));
    // The documentation does not name the search parameter: a search shows whether the service knows it.
    const search = people?.[0]?.email;
    if (search) await call('contacts.list?search', ({ contacts }) => contacts.list({ search }, options));
    const { data: tags } = await call('postTags.list', ({ postTags }) => postTags.list(options));
    const tagId = tags?.[0]?.id;
    if (tagId) await call('postTags.get', ({ postTags }) => postTags.get(tagId, options));
    await call('senders.list', ({ senders }) => senders.list(options));
  }
  if (read.every(({ status }) => status === 'failed')) return { read: [], differences: [], error };
  return { read, differences: [...found.values()] };
}

/** Returns a difference without indexes and keys of maps, which are the team's data. */
const differenceOf = (id: string, { path, expected, received }: Issue): Drift => ({
  operation: id.replace('?search', ''),
  path: path.replace(/\[\d+\]/g, '[]').replace(/\b(customFields|data)\..*/s, '$1.*'),
  expected,
  received,
});

/** Derives the state of address and key from the first operation's error, if all failed. */
function checkAccess(error: Error | undefined): Result[] {
  const address: Result = { id: 'address', status: 'ok', detail: 'the service responds' };
  if (error === undefined) return [address, { id: 'key', status: 'ok', detail: 'the service accepts it' }];
  const failed = { status: 'failed', detail: error.message } as const;
  if (AuthenticationError.isInstance(error)) return [address, { id: 'key', ...failed }];
  const unchecked = { status: 'unchecked', detail: 'will be checked once the address works' } as const;
  return [
    { id: 'address', ...failed },
    { id: 'key', ...unchecked },
  ];
}

/** Tag that `--write` adds and removes. */
const tag = 'email-marketing-client-check';

const writePlan = (email: string, account: string): readonly string[] => [
  `This writes to ${account}. Each call is made twice:`,
  `  1. identify creates ${email}, or leaves it unchanged`,
  `  2. track adds the tag ${tag}`,
  '  3. track removes the tag',
  'The calls send no email; automations in your account may.',
];

/** Checks the team id, and that repeating a call changes nothing: retries rely on this. */
async function checkWrites(client: EmailMarketingClient, email: string | undefined, context: Context) {
  const operations: Result[] = [];
  const leftBehind: string[] = [];
  const withTeam = (status: Result['status'], detail: string) => {
    const team: Result = { id: 'team', status, detail };
    return { team, operations, leftBehind };
  };
  if (email === undefined)
    return withTeam('unchecked', 'only --write EMAIL checks it, once the address and key work');
  const options = { signal: context.signal };
  /** Returns the contacts with the address as text to compare, or why they cannot be read. */
  const readContacts = async (): Promise<string> => {
    const { data, error } = await client.contacts.list({ search: email, limit: 30 }, options).safe();
    const own = data?.filter(contact => contact.email.toLowerCase() === email.toLowerCase());
    const compared = own?.map(({ id, tags, customFields }) => [id, tags.toSorted(), customFields]);
    return error?.message ?? JSON.stringify(compared);
  };
  const { identify, track } = client.legacy;
  const calls: [id: string, left: string, call: () => ApiPromise<object>][] = [
    ['legacy.identify', `the contact ${email}, unless it existed`, () => identify({ email }, options)],
    ['legacy.track addTags', `the tag ${tag}`, () => track({ email, addTags: [tag] }, options)],
    ['legacy.track removeTags', '', () => track({ email, removeTags: [tag] }, options)],
  ];
  for (const [id, left, call] of calls) {
    const seen: string[] = [];
    for (const time of ['first', 'second']) {
      print(context, [`Calling ${id} for ${email} (${time} time).`]);
      const { data, error } = await call().safe();
      const mayHaveActed = error?.outcome !== 'refused' && error?.outcome !== 'not-sent';
      if (time === 'first' && left && mayHaveActed) leftBehind.push(left);
      const problem = error?.message ?? acknowledgmentProblem(Object(data));
      if (problem !== undefined && operations.length + seen.length === 0) return withTeam('failed', problem);
      seen.push(problem === undefined ? await readContacts() : detailOf(problem));
    }
    operations.push({ id, ...comparison(seen) });
  }
  return withTeam('ok', 'the service accepts it, at the legacy address with the legacy key');
}

function comparison([first = '', second = '']: readonly string[]): Omit<Result, 'id'> {
  const problem = [first, second].find(text => !text.startsWith('['));
  if (problem !== undefined) return { status: 'failed', detail: problem };
  if (first === '[]')
    return { status: 'failed', detail: 'not compared, because the search does not find the contact' };
  if (first === second) return { status: 'ok', detail: 'the second call changed nothing' };
  return { status: 'failed', detail: 'the second call changed the contact, or created another one' };
}

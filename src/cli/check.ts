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
import { otherThanAcknowledgment } from './acknowledgment.ts';
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

The command only reads, unless you pass --write with an address of your own. It
then checks the team id, and that identify and track can be repeated: retries
rely on this. It names each call, and what remains in the account.

Differences show names and types of fields, and no personal data: you can paste
them into an issue.

Exit codes: 0 everything is right, 1 responses differ from the documentation or
an operation failed, 2 a check failed or could not run,
${signalsHelp}`;

type Flags = { readonly write?: string; readonly yes?: boolean; readonly json?: boolean };

export function checkCommand(execute: Run): Command {
  return new Command('check')
    .description('Check address and key, and compare responses with the documentation.')
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

/** What the operations that read have shown, or the error of the first if all failed. */
interface Findings {
  readonly operations: readonly Result[];
  readonly differences: readonly Drift[];
  readonly error?: Error | undefined;
}

async function runCheck({ write: email, yes, json = false }: Flags, context: Context): Promise<number> {
  const { env, signal } = context;
  // The text can be a key by mistake.
  if (email !== undefined && !isEmail(email))
    throw new UsageError('--write takes an email address of your own');
  const client = createClient(context, email === undefined ? [] : ['EMAIL_MARKETING_TEAM_ID']);
  if (email !== undefined) {
    print(context, writePlan(email, legacyAccount(env)));
    await requireConfirmed(context, 'Nothing was written', yes);
  }
  // A service that hangs takes minutes.
  print(context, [`Checking ${restAddress(env)}.`]);
  const { operations, differences, error } = await readEverything(client, signal);
  const written = await checkWrites(client, error ? undefined : email, context);
  const checks = [...checkAccess(error), written.team];
  const results = [...operations, ...written.operations];
  signal.throwIfAborted();
  if (json) printJson(context, { checks, operations: results, differences, leftBehind: written.leftBehind });
  else
    printResult(context, [
      ...[...checks, ...results].map(
        ({ id, status, records = 0, detail = counted(records, 'record') }) => `${status} ${id}: ${detail}`,
      ),
      ...differences.map(
        ({ operation, path, expected, received }) =>
          `difference in ${operation}${path && ` at ${path}`}: expected ${expected}, got ${received}`,
      ),
      ...written.leftBehind.map(what => `left behind: ${what}`),
    ]);
  if (checks.some(({ status }) => status === 'failed')) return couldNotRunExitCode;
  return results.every(({ status }) => status === 'ok') ? doneExitCode : someFailedExitCode;
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
  const isKeyRefused = AuthenticationError.isInstance(error);
  if (!error || (ApiError.isInstance(error) && !isKeyRefused) || InvalidResponseError.isInstance(error)) {
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

/** Tag that `--write` adds and removes. */
const tag = 'email-marketing-client-check';

const writePlan = (email: string, account: string): readonly string[] => [
  `This writes to ${account}. Each call is made twice:`,
  `  1. identify creates ${email}, or leaves it unchanged`,
  `  2. track adds the tag ${tag}`,
  '  3. track removes the tag',
  'The calls send no email; automations in your account may.',
];

interface Written {
  readonly team: Result;
  readonly operations: readonly Result[];
  readonly leftBehind: readonly string[];
}

/** Checks the team id, and that a call which is repeated changes nothing: retries rely on this. */
async function checkWrites(
  client: EmailMarketingClient,
  email: string | undefined,
  context: Context,
): Promise<Written> {
  const unchecked = 'not checked. Only operations that write need it: add --write EMAIL';
  if (email === undefined)
    return { team: { id: 'team', status: 'unchecked', detail: unchecked }, operations: [], leftBehind: [] };
  const options = { signal: context.signal };
  const { identify, track } = client.legacy;
  const calls: [id: string, left: string, call: () => ApiPromise<object>][] = [
    ['legacy.identify', `the contact ${email}, unless it existed`, () => identify({ email }, options)],
    ['legacy.track addTags', `the tag ${tag}`, () => track({ email, addTags: [tag] }, options)],
    ['legacy.track removeTags', '', () => track({ email, removeTags: [tag] }, options)],
  ];
  const operations: Result[] = [];
  const leftBehind: string[] = [];
  for (const [id, left, call] of calls) {
    const seen: string[] = [];
    for (const time of ['first', 'second']) {
      print(context, [`Calling ${id} for ${email}, the ${time} time.`]);
      const { data, error } = await call().safe();
      if (time === 'first' && left && error?.outcome !== 'refused' && error?.outcome !== 'not-sent')
        leftBehind.push(left);
      const other = error ? undefined : otherThanAcknowledgment(data);
      const detail = error?.message ?? (other && `in place of the service's response came ${other}`);
      if (detail !== undefined && operations.length + seen.length === 0)
        return { team: { id: 'team', status: 'failed', detail }, operations, leftBehind };
      seen.push(detail ?? (await contactsOf(client, email, options)));
    }
    operations.push({ id, ...comparison(seen) });
  }
  const detail = 'the service accepts it, at the legacy address with the legacy key';
  return { team: { id: 'team', status: 'ok', detail }, operations, leftBehind };
}

/** Returns what the service has of an address, to be compared, or why it cannot be read. */
async function contactsOf(
  client: EmailMarketingClient,
  email: string,
  options: CallOptions,
): Promise<string> {
  const { data, error } = await client.contacts.list({ search: email, limit: 30 }, options).safe();
  const own = data?.filter(contact => contact.email.toLowerCase() === email.toLowerCase());
  return (
    error?.message ??
    JSON.stringify(own?.map(({ id, tags, customFields }) => [id, tags.toSorted(), customFields]))
  );
}

function comparison([first = '', second = '']: readonly string[]): Omit<Result, 'id'> {
  const failed = [first, second].find(text => !text.startsWith('['));
  if (failed !== undefined) return { status: 'failed', detail: failed };
  if (first === '[]') return { status: 'unchecked', detail: 'the search does not find the contact' };
  if (first === second) return { status: 'ok', detail: 'the second call changed nothing' };
  return { status: 'differs', detail: 'the second call changed the contact, or created another one' };
}

import { existsSync } from 'node:fs';
import { Command } from 'commander';
import {
  type Ambiguities,
  createSandbox,
  type FaultTarget,
  type RecordedRequest,
  type Sandbox,
  type SandboxServer,
  type Seed,
} from '../testing/index.ts';
import { ambiguityFromText, ambiguityUsage } from '../testing/options.ts';
import { addNotes, counted, messageOf, type Run, repeated, UsageError, wholeNumber } from './command-line.ts';
import { requireReplaceable } from './files.ts';
import { withLock } from './lock.ts';
import type { Context } from './surroundings.ts';
import { print, printJson, printResult } from './terminal.ts';

interface SandboxFlags {
  readonly port: number;
  readonly host: string;
  readonly allowedHost?: readonly string[];
  readonly contacts: number;
  readonly set?: Partial<Ambiguities>;
  readonly fail?: readonly string[];
  readonly state?: string;
  readonly json?: boolean;
}

/** They take about a gigabyte of memory. */
const maxContacts = 1_000_000;
/** Time between two saves of the state, in milliseconds. */
const saveMs = 1000;

const notes = `
Examples:
  npx email-marketing-client sandbox --contacts 1000
  npx email-marketing-client sandbox --port 0 --json --fail tags.create=503x2

--fail takes an operation, or "*" for all, and a status: tags.create=503, or tags.create=503x2 for two requests.

Values of --set, the default first:
  ${ambiguityUsage().join('\n  ')}

Exit codes: 0 stopped by a signal, 2 could not run.`;

export function sandboxCommand(_run: Run, context: Context): Command {
  const command = new Command('sandbox')
    .description('Run the whole service in memory, with a web page to inspect and change it.')
    .option('--port <number>', 'port; 0 lets the system choose', wholeNumber('--port', 0, 65_535), 4010)
    .option('--host <address>', 'address to bind to; only loopback ones are private', '127.0.0.1')
    .option('--allowed-host <name>', 'additional host name to accept; can be repeated', repeated)
    .option(
      '--contacts <number>',
      'contacts at the start of a new --state',
      wholeNumber('--contacts', 0, maxContacts),
      100,
    )
    .option('--set <name=value>', 'what to do where the documentation is silent; can be repeated', setting)
    .option('--fail <operation=status>', 'respond with an error; can be repeated', repeated)
    .option('--state <file>', 'JSON file that stores the records')
    .option('--json', 'print address, keys and ids as one line of JSON, and no log')
    .action((flags: SandboxFlags) => serve(flags, context));
  return addNotes(command, notes);
}

function setting(text: string, earlier: Partial<Ambiguities> = {}): Partial<Ambiguities> {
  const [, name = text, value = ''] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  return { ...earlier, ...ambiguityFromText(name, value) };
}

async function serve(flags: SandboxFlags, context: Context): Promise<void> {
  const { state } = flags;
  if (state === undefined) return run(flags, context);
  await requireReplaceable('--state', state, 'use another name');
  // Two sandboxes would write over each other.
  await withLock(`${state}.lock`, () => run(flags, context));
}

async function run(flags: SandboxFlags, context: Context): Promise<void> {
  const { state, json } = flags;
  const loads = state !== undefined && existsSync(state);
  const sandbox = createSandbox({
    ambiguities: flags.set,
    seed: { ...richSeed, contacts: flags.contacts },
    onResponse: json ? undefined : request => logRequest(context, request),
  });
  for (const text of flags.fail ?? []) addFault(sandbox, text);
  if (loads)
    await sandbox.load(state).catch(error => {
      throw new UsageError(`--state ${state}: ${messageOf(error)}`, 'file');
    });
  const server = await listen(sandbox, flags);
  if (json) printJson(context, connection(sandbox, server));
  else printResult(context, greeting(sandbox, server));
  const stopSaving = state === undefined ? undefined : keepSaved(sandbox, state, context);
  await new Promise(resolve => {
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) context.signals.once(signal, resolve);
  });
  await server.close();
  await stopSaving?.();
}

function addFault(sandbox: Sandbox, text: string): void {
  const [, operation = text, status, times] = /^([^=]+)=(\d{1,9})(?:x(\d{1,9}))?$/.exec(text) ?? [];
  if (status === undefined)
    throw new UsageError(`--fail takes an operation and a status such as tags.create=503x2 (got "${text}")`);
  const fault = { status: Number(status), times: times === undefined ? undefined : Number(times) };
  sandbox.fail(operation as FaultTarget, fault);
}

async function listen(sandbox: Sandbox, { port, host, allowedHost }: SandboxFlags): Promise<SandboxServer> {
  const problems: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} is in use; pass another with --port, or --port 0 to let the system choose`,
    EACCES: `port ${port} is not allowed; pass one from 1024 with --port`,
  };
  return sandbox.listen(port, { host, allowedHosts: allowedHost }).catch(error => {
    const problem = problems[error.code];
    throw problem === undefined ? error : new UsageError(problem);
  });
}

/** Saves the state whenever it has changed; returns a function that saves it one last time. */
function keepSaved(sandbox: Sandbox, file: string, context: Context): () => Promise<void> {
  let saved = -1;
  let saving = Promise.resolve();
  const save = () => {
    if (sandbox.revision === saved) return saving;
    saved = sandbox.revision;
    saving = saving
      .then(() => sandbox.save(file))
      .catch(error => print(context, [`--state ${file}: ${messageOf(error)}`]));
    return saving;
  };
  const timer = setInterval(save, saveMs);
  return () => {
    clearInterval(timer);
    return save();
  };
}

/** Prints a line about a request. */
export function logRequest(context: Context, request: RecordedRequest): void {
  const { time, method, path, query, status = '---', appliedFaults = [], error } = request;
  const shown = Object.entries(query).filter(([name]) => name !== 'team_id');
  const line = [
    time.slice(11, 23),
    status,
    method.padEnd(6),
    path,
    ...shown.map(([name, value]) => `${name}=${JSON.stringify(value)}`),
    ...appliedFaults.map(({ kind }) => `(${kind})`),
    ...(error === undefined ? [] : [`- ${error.reason}`]),
  ];
  printResult(context, [line.join(' ')]);
}

/** Maximum number of records of a kind that the start lists. */
const maxListed = 20;

/** Returns how to connect, and the ids that no endpoint lists. */
function connection({ apiKey, teamId, state }: Sandbox, { url }: SandboxServer) {
  const listed = (records: Iterable<{ readonly id: string; readonly name: string }>) =>
    [...records].slice(0, maxListed).map(({ id, name }) => ({ id, name }));
  return { url, apiKey, teamId, templates: listed(state.templates), campaigns: listed(state.campaigns) };
}

/** Returns {@link connection} as lines for people. */
function greeting(sandbox: Sandbox, server: SandboxServer): string[] {
  const { url, apiKey, teamId, templates, campaigns } = connection(sandbox, server);
  const lines = (records: typeof templates) => records.map(({ id, name }) => `  ${id}  ${name}`);
  return [
    `Sandbox with ${counted(sandbox.state.contacts.size, 'contact')} on ${url}`,
    'Open it in a browser to inspect and change it. Stop it with Ctrl+C.',
    '',
    `export EMAIL_MARKETING_BASE_URL=${url}`,
    `export EMAIL_MARKETING_API_KEY=${apiKey}`,
    `export EMAIL_MARKETING_TEAM_ID=${teamId}`,
    '',
    'Templates, which no endpoint lists:',
    ...lines(templates),
    '',
    'Campaigns, which no endpoint lists:',
    ...lines(campaigns),
    '',
  ];
}

const named = (...names: readonly string[]) => names.map(name => ({ name }));

/** A few records of each kind, so that every operation works. */
export const richSeed: Seed = {
  lists: [{ name: 'All contacts', system: true }, ...named('Newsletter', 'Customers', 'Trial')],
  tags: named('vip', 'new', 'beta', 'churned'),
  customFields: [...named('plan'), { name: 'points', type: 'number' }],
  senders: 3,
  postTags: 5,
  postCategories: 2,
  templates: [
    ...named('Welcome', 'Sale'),
    { name: 'Default', system: true },
    { name: 'Shared', shared: true },
  ],
  campaigns: (['draft', 'scheduled', 'sending', 'sent', 'archived'] as const).map(state => ({
    name: `The ${state} campaign`,
    state,
    template: state === 'scheduled' ? 'Sale' : '',
  })),
};

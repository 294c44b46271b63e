import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import {
  type Ambiguities,
  createSandbox,
  type RecordedRequest,
  type Sandbox,
  type SandboxOptions,
  type SandboxServer,
  type Seed,
} from '../testing/index.ts';
import { counted, messageOf, type Run, UsageError, wholeNumber } from './command-line.ts';
import { replaceFile, requireReplaceable } from './files.ts';
import type { Context } from './surroundings.ts';
import { printJson, printResult } from './terminal.ts';

interface SandboxFlags {
  readonly port: number;
  readonly host: string;
  readonly contacts: number;
  readonly set?: Partial<Ambiguities>;
  readonly state?: string;
  readonly json?: boolean;
}

/** A million contacts take about a gigabyte of memory. */
const maxContacts = 1_000_000;

/** Records other than contacts, so that each operation finds some. */
const otherRecords: Seed = {
  domains: 1,
  senders: 3,
  postTags: 5,
  postCategories: 2,
  templates: 4,
  campaigns: 6,
};

const sandboxNotes = `
Examples:
  npx email-marketing-client sandbox --contacts 1000
  npx email-marketing-client sandbox --port 0 --json --set overCap=cap

Settings of --set: see section 13.3 of docs/service-rules.md in the package.

Exit codes: 0 stopped by a signal, 2 could not run.`;

export function sandboxCommand(_run: Run, context: Context): Command {
  return new Command('sandbox')
    .description('Simulate the service in memory, with a web page to inspect and change it.')
    .option('--port <number>', 'port; 0 lets the system choose', wholeNumber('--port', 0, 65_535), 4010)
    .option(
      '--host <address>',
      'address to bind to; other machines can connect unless it is a loopback address',
      '127.0.0.1',
    )
    .option(
      '--contacts <number>',
      'number of contacts to create, unless the --state file exists',
      wholeNumber('--contacts', 0, maxContacts),
      100,
    )
    .option(
      '--set <name=value>',
      'override a choice that the documentation leaves open; can be repeated',
      setting,
    )
    .option('--state <file>', 'JSON file with the records: read at start, written at exit')
    .option('--json', 'print the address and keys as one line of JSON, without the request log')
    .addHelpText('after', sandboxNotes)
    .action((flags: SandboxFlags) => runSandbox(flags, context));
}

function setting(text: string, earlier: Partial<Ambiguities> = {}): Partial<Ambiguities> {
  const [, name = text, value = ''] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  return { ...earlier, [name]: /^(?:\d+|true|false|[[{].*)$/.test(value) ? JSON.parse(value) : value };
}

async function runSandbox(flags: SandboxFlags, context: Context): Promise<void> {
  const { state, json } = flags;
  if (state !== undefined) await requireReplaceable(state);
  const options: SandboxOptions = {
    ambiguities: flags.set,
    onResponse: json ? undefined : request => logRequest(context, request),
  };
  const sandbox =
    state !== undefined && existsSync(state)
      ? await ofFile(state, options)
      : createSandbox({ ...options, seed: { ...otherRecords, contacts: flags.contacts } });
  const server = await listen(sandbox, flags);
  const { url } = server;
  if (json) printJson(context, { url, apiKey: sandbox.apiKey, teamId: sandbox.teamId });
  else printResult(context, greeting(sandbox, url));
  await new Promise(resolve => {
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) context.signals.once(signal, resolve);
  });
  await server.close();
  if (state !== undefined)
    await replaceFile(state, file => file.writeFile(`${JSON.stringify(sandbox.snapshot(), undefined, 1)}\n`));
}

/** Creates a sandbox with the records in a file. They are its seed, so that a reset keeps them. */
async function ofFile(state: string, options: SandboxOptions): Promise<Sandbox> {
  try {
    return createSandbox({ ...options, snapshot: JSON.parse(await readFile(state, 'utf8')) });
  } catch (error) {
    throw new UsageError(`--state ${state}: ${messageOf(error)}`, 'file');
  }
}

const listen = (sandbox: Sandbox, { port, host }: SandboxFlags): Promise<SandboxServer> =>
  sandbox.listen(port, { host }).catch(({ message }: Error) => {
    throw new UsageError(
      `The sandbox cannot start: ${message}. Pass another --host or --port; with --port 0, the system chooses one.`,
    );
  });

/** Prints a line about a request. */
function logRequest(context: Context, request: RecordedRequest): void {
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

/** Returns how to connect, as lines for people. */
const greeting = ({ apiKey, teamId, state }: Sandbox, url: string): string[] => [
  `Sandbox with ${counted(state.contacts.size, 'contact')} on ${url}`,
  'Open it in a browser to inspect and change it. Stop it with Ctrl+C.',
  '',
  `export EMAIL_MARKETING_BASE_URL=${url}`,
  `export EMAIL_MARKETING_API_KEY=${apiKey}`,
  `export EMAIL_MARKETING_TEAM_ID=${teamId}`,
  '',
];

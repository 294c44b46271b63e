import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { createSandbox, type Sandbox, type SandboxOptions, type SandboxServer } from '../testing/index.ts';
import { ambiguityFromText, ambiguityUsage } from '../testing/option-check.ts';
import { repeated, wholeNumber } from './option-values.ts';
import { requestLog } from './request-log.ts';
import { greeting } from './sandbox-greeting.ts';
import { richSeed } from './sandbox-seed.ts';
import { UsageError } from './usage-error.ts';

interface SandboxFlags {
  readonly port: number;
  readonly host: string;
  readonly allowedHost?: readonly string[];
  readonly corsOrigin?: readonly string[];
  readonly contacts: number;
  readonly apiKey?: string;
  readonly teamId?: string;
  readonly set?: Partial<SandboxOptions>;
  readonly state?: string;
  readonly quiet?: boolean;
}

/** Port that the command listens on when none is given. */
const defaultPort = 4010;
/** Contacts that there are at first when no number is given. */
const defaultContacts = 100;
/** Most contacts that fit in a usual machine's memory. */
const maxContacts = 5_000_000;
/** Milliseconds between two looks at whether the state is to be saved. */
const saveMs = 1000;

/** Returns the command that serves the sandbox over HTTP until it is stopped. */
export function sandboxCommand(): Command {
  return new Command('sandbox')
    .description('Run the whole service in memory, with a page to inspect and change it.')
    .option(
      '--port <number>',
      'port; 0 lets the system choose',
      wholeNumber('--port', 0, 65_535),
      defaultPort,
    )
    .option(
      '--host <address>',
      'address to bind to; other machines can reach any but a loopback address',
      '127.0.0.1',
    )
    .option('--allowed-host <name>', 'further host name to accept; can be repeated', repeated)
    .option('--cors-origin <origin>', 'origin of pages that may call the service; can be repeated', repeated)
    .option(
      '--contacts <number>',
      'number of contacts at the start',
      wholeNumber('--contacts', 0, maxContacts),
      defaultContacts,
    )
    .option('--api-key <text>', 'key that calls must carry (default: "sandbox-key")')
    .option('--team-id <text>', 'team id that legacy calls must carry (default: "sandbox-team")')
    .option('--set <name=value>', 'choice where the specification is ambiguous; can be repeated', setting)
    .option('--state <file>', 'JSON file to load the records from, if it exists, and to save them to')
    .option('--quiet', 'do not log requests')
    .addHelpText('after', () => `\nValues of --set, the default first:\n  ${ambiguityUsage().join('\n  ')}`)
    .action(serve);
}

function setting(text: string, earlier: Partial<SandboxOptions> = {}): Partial<SandboxOptions> {
  const [, name = text, value = ''] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  return { ...earlier, ...usage('--set', () => ambiguityFromText(name, value)) };
}

/** Runs a function; what it rejects as out of range becomes an error of the command line. */
function usage<T>(flag: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`${flag}: ${error.message}`);
    throw error;
  }
}

async function serve(flags: SandboxFlags): Promise<void> {
  ignoreClosedOutput();
  const sandbox = usage('sandbox', () => createSandbox(optionsOf(flags)));
  if (flags.state !== undefined && existsSync(flags.state)) await loadState(sandbox, flags.state);
  const server = await listen(sandbox, flags);
  process.stdout.write(greeting(sandbox, server));
  const stopSaving = flags.state === undefined ? async () => {} : keepSaved(sandbox, flags.state);
  await new Promise(resolve => process.once('SIGINT', resolve).once('SIGTERM', resolve));
  await server.close();
  await stopSaving();
}

function optionsOf(flags: SandboxFlags): SandboxOptions {
  return {
    apiKey: flags.apiKey,
    teamId: flags.teamId,
    corsOrigins: flags.corsOrigin,
    ...flags.set,
    seed: { ...richSeed, contacts: flags.contacts },
    onResponse: flags.quiet ? undefined : requestLog(process.stdout),
  };
}

async function listen(sandbox: Sandbox, { port, host, allowedHost }: SandboxFlags): Promise<SandboxServer> {
  try {
    return await sandbox.listen(port, { host, allowedHosts: allowedHost });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new Error(
        `port ${port} is in use; pass another with --port, or --port 0 to let the system choose`,
      );
    if (code === 'EACCES') throw new Error(`port ${port} is not allowed; pass one from 1024 with --port`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new UsageError(`--host ${host} is not an address of this machine`);
    throw error;
  }
}

async function loadState(sandbox: Sandbox, file: string): Promise<void> {
  try {
    await sandbox.load(file);
  } catch (error) {
    throw new Error(`--state ${file}: ${(error as Error).message}`);
  }
}

/** Saves the state whenever it may have changed; returns a function that saves it a last time. */
function keepSaved(sandbox: Sandbox, file: string): () => Promise<void> {
  let saved = -1;
  let saving = Promise.resolve();
  const save = () => {
    if (sandbox.revision === saved) return saving;
    saved = sandbox.revision;
    saving = saving
      .then(() => sandbox.save(file))
      .catch(error => void process.stderr.write(`--state ${file}: ${error.message}\n`));
    return saving;
  };
  const timer = setInterval(save, saveMs);
  return () => {
    clearInterval(timer);
    return save();
  };
}

/** Keeps serving when what reads the log ends, such as `head`. */
function ignoreClosedOutput(): void {
  process.stdout.on('error', error => {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  });
}

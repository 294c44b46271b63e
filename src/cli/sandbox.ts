import { Command } from 'commander';
import {
  createSandbox,
  type RecordedRequest,
  type Sandbox,
  type SandboxOptions,
  type SandboxServer,
  type Seed,
} from '../testing/index.ts';
import { ambiguityFromText } from '../testing/option-check.ts';
import { wholeNumber } from './option-values.ts';
import { UsageError } from './usage-error.ts';

interface SandboxFlags {
  readonly port: number;
  readonly host: string;
  readonly contacts: number;
  readonly apiKey?: string;
  readonly teamId?: string;
  readonly set: Partial<SandboxOptions>;
  readonly quiet: boolean;
}

/** Returns the command that serves the sandbox over HTTP until it is stopped. */
export function sandboxCommand(): Command {
  return new Command('sandbox')
    .description('Serve the whole service from memory, for development and tests.')
    .option(
      '--port <number>',
      'port to listen on; 0 lets the system choose',
      wholeNumber('--port', 0, 65_535),
      4010,
    )
    .option('--host <address>', 'address to bind to; anything but loopback lets others in', '127.0.0.1')
    .option(
      '--contacts <number>',
      'how many contacts there are at first',
      wholeNumber('--contacts', 0, 5_000_000),
      100,
    )
    .option('--api-key <text>', 'key that calls must carry (default: "sandbox-key")')
    .option('--team-id <text>', 'team id that legacy calls must carry (default: "sandbox-team")')
    .option(
      '--set <name=value>',
      'how to act where the specification is ambiguous, such as contactPageCap=30; can be repeated',
      setting,
      {},
    )
    .option('--quiet', 'do not log requests', false)
    .action(serve);
}

async function serve(flags: SandboxFlags): Promise<void> {
  const sandbox = createSandbox({
    ...(flags.apiKey === undefined ? {} : { apiKey: flags.apiKey }),
    ...(flags.teamId === undefined ? {} : { teamId: flags.teamId }),
    ...flags.set,
    seed: { ...richSeed, contacts: flags.contacts },
    onResponse: flags.quiet ? undefined : request => process.stdout.write(`${logLine(request)}\n`),
  });
  const server = await sandbox.listen(flags.port, { host: flags.host });
  process.stdout.write(greeting(sandbox, server, flags.contacts));
  await new Promise(resolve => process.once('SIGINT', resolve).once('SIGTERM', resolve));
  await server.close();
}

function setting(text: string, earlier: Partial<SandboxOptions>): Partial<SandboxOptions> {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  try {
    return { ...earlier, ...ambiguityFromText(name, value) };
  } catch (error) {
    throw new UsageError(`--set: ${(error as Error).message}`);
  }
}
function greeting({ apiKey, teamId }: Sandbox, { url }: SandboxServer, contacts: number): string {
  return `Sandbox with ${contacts} contacts on ${url} - open it in a browser to watch it. Stop it with Ctrl+C.

export EMAIL_MARKETING_BASE_URL=${quote(url)}
export EMAIL_MARKETING_API_KEY=${quote(apiKey)}
export EMAIL_MARKETING_TEAM_ID=${quote(teamId)}

`;
}

/** Quotes for a shell what needs it. */
function quote(text: string): string {
  return /^[\w.:/@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function logLine({ time, method, path, query, status, fault }: RecordedRequest): string {
  const shown = Object.entries(query).filter(([name]) => name !== 'team_id');
  const parameters = shown.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(' ');
  const parts = [
    time.slice(11, 23),
    status ?? '---',
    method.padEnd(6),
    path,
    parameters,
    fault && `(${fault})`,
  ];
  return parts.filter(Boolean).join(' ');
}

/** Some of everything, so that each operation has something to act on. */
const richSeed: Seed = {
  lists: [
    { name: 'All contacts', system: true },
    { name: 'Newsletter' },
    { name: 'Customers' },
    { name: 'Trial' },
  ],
  tags: [{ name: 'vip' }, { name: 'new' }, { name: 'beta' }, { name: 'churned' }],
  customFields: [
    { name: 'plan', type: 'string' },
    { name: 'points', type: 'number' },
  ],
  senders: 3,
  postTags: 5,
  postCategories: 2,
  templates: [
    { name: 'Welcome' },
    { name: 'Default', system: true },
    { name: 'Shared', shared: true },
    { name: 'Sale' },
  ],
  campaigns: (['draft', 'scheduled', 'sending', 'sent', 'archived'] as const).map(state => ({
    name: `A ${state} campaign`,
    state,
    template: state === 'scheduled' ? 'Sale' : '',
  })),
};

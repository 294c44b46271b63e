import { parseArgs } from 'node:util';
import { version } from '../version.ts';
import type { RecordedRequest } from './journal.ts';
import { type SandboxOptions, silenceFromText } from './options.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';
import type { Seed } from './seed.ts';
import type { SandboxServer } from './server.ts';

const usage = `Usage: email-marketing-client sandbox [options]

Serves the whole email marketing service from memory, for development and tests.

  --port <number>       port to listen on; 0 lets the system choose (4010)
  --host <address>      address to bind to; anything but loopback lets others in (127.0.0.1)
  --contacts <number>   how many contacts there are at first (100)
  --api-key <text>      the key that calls must carry (sandbox-key)
  --team-id <text>      the team id that legacy calls must carry (sandbox-team)
  --set <name=value>    how to act where the specification is silent, such as contactPageCap=30; can be repeated
  --quiet               do not log requests
  --version, --help
`;

const flags = {
  port: { type: 'string', default: '4010' },
  host: { type: 'string', default: '127.0.0.1' },
  contacts: { type: 'string', default: '100' },
  'api-key': { type: 'string' },
  'team-id': { type: 'string' },
  set: { type: 'string', multiple: true },
  quiet: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** A command line that can not be followed. */
class UsageError extends Error {}

/** Runs a command line; gives the exit code, which for a sandbox that was served comes when it is told to stop. */
export async function sandboxCommand(args: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parse(args);
    if (values.help || values.version) {
      process.stdout.write(values.help ? usage : `${version}\n`);
      return 0;
    }
    if (positionals.length !== 1 || positionals[0] !== 'sandbox')
      throw new UsageError('the command is: sandbox');
    return await serve(values);
  } catch (error) {
    const wrongUse = error instanceof UsageError || error instanceof RangeError;
    process.stderr.write(
      `${error instanceof Error ? error.message : error}\n${wrongUse ? `\n${usage}` : ''}`,
    );
    return wrongUse ? 2 : 1;
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function serve(values: ReturnType<typeof parse>['values']): Promise<number> {
  const port = wholeNumber('port', values.port, 65_535);
  const contacts = wholeNumber('contacts', values.contacts, 5_000_000);
  const sandbox = createSandbox({
    ...(values['api-key'] === undefined ? {} : { apiKey: values['api-key'] }),
    ...(values['team-id'] === undefined ? {} : { teamId: values['team-id'] }),
    ...Object.assign({}, ...(values.set ?? []).map(silence)),
    seed: { ...richSeed, contacts },
    onAnswer: values.quiet ? undefined : request => process.stdout.write(`${logLine(request)}\n`),
  });
  const server = await sandbox.listen(port, { host: values.host });
  process.stdout.write(greeting(sandbox, server, contacts));
  await new Promise(resolve => process.once('SIGINT', resolve).once('SIGTERM', resolve));
  await server.close();
  return 0;
}

function wholeNumber(name: string, text: string, most: number): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > most) throw new UsageError(`--${name} is a number from 0 to ${most}`);
  return number;
}

function silence(setting: string): Partial<SandboxOptions> {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(setting) ?? [];
  return silenceFromText(name, value);
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

/** Runs one program in a worker: the client, the sandbox and the reader's code, with no network. */
import * as main from 'email-marketing-client';
import * as testing from 'email-marketing-client/testing';
import { transform } from 'sucrase';
import { faults } from './faults.ts';
import type { Program, Report } from './messages.ts';
import { show, showError, showRequest, showTable } from './show.ts';
import { addShownContact, seed, shown } from './shown-service.ts';

const report = (message: Report): void => globalThis.postMessage(message);
const sandboxes: testing.Sandbox[] = [];
const reportIntervalMs = 200;
let fault = '';

function createSandbox(options?: testing.SandboxOptions): testing.Sandbox {
  const sandbox = testing.createSandbox(options);
  faults[fault]?.(sandbox);
  sandboxes.push(sandbox);
  return sandbox;
}

/** The client, allowed in a page: its key works only in the sandbox of this worker. */
class EmailMarketingClient extends main.EmailMarketingClient {
  constructor(options?: main.ClientOptions) {
    super({ ...options, dangerouslyAllowBrowser: true });
  }
}

const modules: Readonly<Record<string, object>> = {
  'email-marketing-client': { ...main, EmailMarketingClient },
  'email-marketing-client/testing': { ...testing, createSandbox },
};

function load(name: string): object {
  const module = modules[name];
  if (!module) throw new Error(`The playground has no module ${name}: ${Object.keys(modules).join(', ')}.`);
  return module;
}

/** Directs clients without their own sandbox to one, so that nothing reaches a network. */
function prepareSandbox(): void {
  const sandbox = createSandbox({ apiKey: shown.apiKey, teamId: shown.teamId, seed });
  addShownContact(sandbox);
  const env = {
    EMAIL_MARKETING_BASE_URL: shown.hosts[0],
    EMAIL_MARKETING_API_KEY: shown.apiKey,
    EMAIL_MARKETING_TEAM_ID: shown.teamId,
  };
  Object.assign(globalThis, { process: { env }, fetch: sandbox.fetch });
}

const reportRequests = (): void =>
  report({ kind: 'requests', requests: sandboxes.flatMap(({ requests }) => [...requests].map(showRequest)) });

/** Compiles a program; a syntax error names its line. */
function compile(code: string): string {
  try {
    return transform(code, { transforms: ['typescript', 'imports'] }).code;
  } catch (error) {
    const { loc, message } = error as Error & { loc?: { line: number; column: number } };
    if (!loc) throw error;
    throw `Line ${loc.line}, column ${loc.column}: ${message.replace(/^Error transforming[^:]*: | \(\d+:\d+\)$/g, '')}`;
  }
}

async function run(code: string): Promise<void> {
  const script = compile(code);
  const AsyncFunction = run.constructor as new (
    ...parts: string[]
  ) => (...values: unknown[]) => Promise<void>;
  await new AsyncFunction('require', 'exports', script)(load, {});
}

globalThis.onmessage = async ({ data }: MessageEvent<Program>) => {
  fault = data.fault;
  prepareSandbox();
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const)
    console[level] = (...values: unknown[]) => report({ kind: 'print', text: values.map(show).join(' ') });
  const timer = setInterval(reportRequests, reportIntervalMs);
  console.table = (value: unknown) => report({ kind: 'print', text: showTable(value) });
  const error = await run(data.code).then(() => undefined, showError);
  clearInterval(timer);
  reportRequests();
  report({ kind: 'end', error });
};

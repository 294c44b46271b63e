/** Runs modules one after the other, each against a sandbox of its own, and tells of each in a line of JSON. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { format, promisify } from 'node:util';
import { createSandbox, type Seed } from 'email-marketing-client/testing';

const limitMs = 15_000;

/** What the documents' examples call the service, the key and the team. */
const shown = {
  hosts: ['https://api.example.com/', 'https://app.example.com/'],
  apiKey: 'your-key',
  teamId: 'your-team',
};

const seed: Seed = {
  customFields: [{ name: 'points', type: 'number' }],
  lists: 5,
  tags: 3,
  senders: 2,
  postTags: 3,
  contacts: 250,
  templates: [{ id: 'template_7hK2mQ9xB4nT6vR1sW8zLp', name: 'Old welcome' }],
  campaigns: [{ id: 'campaign_3fD8kM1vX6bN9qT4wZ7yRs', name: 'Draft of May' }],
};

const say = process.stdout.write.bind(process.stdout);
let printed: string[] = [];
console.log = (...values: unknown[]) => void printed.push(format(...values));
for (const level of ['debug', 'info', 'warn', 'error'] as const) console[level] = () => {};
process.stdout.write = () => true;

const realFetch = globalThis.fetch;
let stray: (error: unknown) => void = () => {};
process.on('unhandledRejection', error => stray(error));
process.on('uncaughtException', error => stray(error));

for (const path of JSON.parse(readFileSync(0, 'utf8')) as string[]) {
  const sandbox = createSandbox({ apiKey: shown.apiKey, teamId: shown.teamId, seed });
  sandbox.state.contacts.add({ email: 'ada@example.com', firstName: 'Ada' });
  const server = await sandbox.listen(0);
  Object.assign(process.env, {
    EMAIL_MARKETING_BASE_URL: server.url,
    EMAIL_MARKETING_API_KEY: sandbox.apiKey,
    EMAIL_MARKETING_TEAM_ID: sandbox.teamId,
  });
  globalThis.fetch = (input, init) =>
    shown.hosts.some(host => String(input).startsWith(host))
      ? sandbox.fetch(input, init)
      : realFetch(input, init);
  printed = [];
  const failure = await run(path);
  say(`${JSON.stringify({ path, printed, failure, requests: sandbox.requests.length })}\n`);
  await server.close();
}
process.exit(0);

async function run(path: string): Promise<string | undefined> {
  const strayed = new Promise<never>((_, reject) => {
    stray = reject;
    setTimeout(() => reject(new Error(`not done after ${limitMs} ms`)), limitMs).unref();
  });
  try {
    await Promise.race([ownProcess(path) ? runAlone(path) : import(path), strayed]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

/** Whether a module goes on after it has loaded: what it does then is only known when its process ends. */
function ownProcess(path: string): boolean {
  return path.endsWith('.cjs') || readFileSync(path, 'utf8').includes("'node:test'");
}

async function runAlone(path: string): Promise<void> {
  const { stdout } = await promisify(execFile)(process.execPath, [path]);
  printed.push(...stdout.split('\n'));
}

/** Runs modules one after the other, each against its own sandbox; prints the result of each as a line of JSON. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { format, promisify } from 'node:util';
import { createSandbox } from 'email-marketing-client/testing';
import { addShownContact, seed, shown } from '../../docs/.vitepress/playground/shown-service.ts';

const limitMs = 15_000;

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
  addShownContact(sandbox);
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
    await Promise.race([ownProcess(path) ? runAlone(path) : import(pathToFileURL(path).href), strayed]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

/** Returns `true` if a module continues after it is loaded: its result is known when its process ends. */
function ownProcess(path: string): boolean {
  return path.endsWith('.cjs') || readFileSync(path, 'utf8').includes("'node:test'");
}

async function runAlone(path: string): Promise<void> {
  const { stdout } = await promisify(execFile)(process.execPath, [path]);
  printed.push(...stdout.split('\n'));
}

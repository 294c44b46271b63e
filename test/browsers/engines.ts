// Starts the browser engines of the machine without a driver: each opens an address in a new profile.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, firefox, miniBrowser, type Program, pathOf, xvfb } from '../support/programs.ts';

/** A browser engine: the programs that it needs, and the processes that open an address with an empty profile. */
export interface Engine {
  readonly programs: readonly Program[];
  start(url: string, profile: string): Promise<readonly ChildProcess[]>;
}

const run = (program: Program, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn(pathOf(program), args, { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, ...env } });

/** Settings without which Firefox opens other pages and calls its maker. */
const firefoxSettings = {
  'app.update.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.safebrowsing.provider.mozilla.updateURL': '',
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.systemAddon.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': '',
  'toolkit.telemetry.enabled': false,
};

/** Every engine, by its name. */
export const engines: Readonly<Record<string, Engine>> = {
  Chromium: {
    programs: [chromium],
    start: async (url, profile) => {
      const quiet = ['--no-first-run', '--disable-background-networking', '--disable-component-update'];
      const headless = ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0'];
      return [run(chromium, [...headless, ...quiet, `--user-data-dir=${profile}`, url])];
    },
  },
  Firefox: {
    programs: [firefox],
    start: async (url, profile) => {
      const lines = Object.entries(firefoxSettings).map(
        ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`,
      );
      writeFileSync(join(profile, 'user.js'), lines.join(''));
      return [run(firefox, ['--headless', '--no-remote', '--profile', profile, url], { HOME: profile })];
    },
  },
  WebKit: {
    programs: [miniBrowser, xvfb],
    start: async (url, profile) => {
      const display = run(xvfb, ['-displayfd', '1', '-nolisten', 'tcp']);
      const [number] = await once(display.stdout as NodeJS.ReadableStream, 'data');
      const browser = run(miniBrowser, ['--private', url], {
        DISPLAY: `:${String(number).trim()}`,
        HOME: profile,
        // Root, and a container, cannot start its sandbox. The page is our own.
        WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      });
      return [browser, display];
    },
  },
};

/** Time limit of one engine, in milliseconds. */
const maxRunMs = 120_000;

/** Opens an address in an engine until the result arrives. Rejects if the browser ends before, or after the time limit. */
export async function opened<T>(engine: Engine, url: string, result: Promise<T>): Promise<T> {
  const profile = mkdtempSync(join(tmpdir(), 'browser-profile-'));
  const processes = await engine.start(url, profile);
  const late = new Promise<never>((_, reject) => {
    setTimeout(
      reject,
      maxRunMs,
      new Error('the page has not reported, or a call of a page that was left has not arrived'),
    ).unref();
  });
  const ended = processes.map(async child => {
    const [code, signal] = await once(child, 'exit');
    throw new Error(`${child.spawnfile} ended with ${code ?? signal}`);
  });
  try {
    return await Promise.race([result, late, ...ended]);
  } finally {
    for (const child of processes) child.kill();
    await Promise.allSettled(ended);
    // Processes that the browser started can write into its profile for a while.
    await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

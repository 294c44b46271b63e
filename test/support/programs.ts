/** Programs that some tests need and npm does not install. */
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program, its package on Debian, and where it can be. */
export interface Program {
  readonly name: string;
  readonly debianPackage: string;
  readonly places: readonly string[];
}

/** Folders of programs on Linux and macOS. Homebrew's is before the one with the LibreSSL of macOS. */
const folders = ['/opt/homebrew/bin', '/usr/local/bin', '/usr/bin', '/usr/sbin'];

const inPath = (process.env.PATH ?? '').split(delimiter);

/** Names a program that is in one of the folders, or in the `places` of other systems. */
const program = (name: string, debianPackage: string, files: readonly string[], places: string[] = []) => ({
  name,
  debianPackage,
  places: [...[...folders, ...inPath].flatMap(folder => files.map(file => join(folder, file))), ...places],
});

export const chromium = program(
  'Chromium',
  'chromium',
  ['chromium', 'chromium-browser', 'google-chrome'],
  [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ],
);
export const firefox = program('Firefox', 'firefox-esr', ['firefox-esr', 'firefox']);
const miniBrowsers = globSync('/usr/{lib/*,libexec}/webkit2gtk-4.*/MiniBrowser');
export const miniBrowser = program("WebKit's MiniBrowser", 'webkit2gtk-driver', [], miniBrowsers);
export const xvfb = program('Xvfb', 'xvfb', ['Xvfb']);
export const redisServer = program('Redis', 'redis-server', ['redis-server']);
const gitsOpenssl = 'C:\\Program Files\\Git\\usr\\bin\\openssl.exe';
export const openssl = program('OpenSSL', 'openssl', ['openssl'], [gitsOpenssl]);
export const nginx = program('nginx', 'nginx-light', ['nginx']);
export const haproxy = program('HAProxy', 'haproxy', ['haproxy']);
export const apache = program('Apache', 'apache2', ['apache2']);
export const python = program('Python', 'python3', ['python3'], ['C:\\Windows\\py.exe']);

const find = ({ places }: Program) => places.find(path => existsSync(path));

const missing = ({ name, debianPackage }: Program) =>
  `${name} is missing: install it (apt-get install ${debianPackage}), or add its folder to PATH.`;

/** Returns the path of a program. Throws if it is missing. */
export function pathOf(program: Program): string {
  const path = find(program);
  if (path === undefined) throw new Error(missing(program));
  return path;
}

/**
 * Returns `true` and prints how to get a program if it is missing: `test.skipIf(skipsWithout(chromium))`. In CI (environment
 * variable `CI`) returns `false`, so that its tests fail.
 */
export function skipsWithout(program: Program): boolean {
  if (find(program) !== undefined || process.env.CI) return false;
  console.warn(`Skipped: ${missing(program)}`);
  return true;
}

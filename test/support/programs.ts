/** Programs that some tests need and npm does not install. */
import { existsSync, globSync } from 'node:fs';

export type Program = ReturnType<typeof program>;

/** Folders of programs on Linux and macOS. Homebrew comes before the folder with the LibreSSL of macOS. */
const folders = ['/opt/homebrew/bin', '/usr/local/bin', '/usr/bin', '/usr/sbin'];

const inFolders = (file: string) => folders.map(folder => `${folder}/${file}`);

/** The `variable` of the environment is for the path of its executable. Of the possible `places`, the first that exists is used. */
const program = (name: string, debianPackage: string, variable: string, places: readonly string[]) => ({
  name,
  debianPackage,
  variable,
  places,
});

export const chromium = program('Chromium', 'chromium', 'CHROMIUM_PATH', [
  ...['chromium', 'chromium-browser', 'google-chrome'].flatMap(inFolders),
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]);

export const firefox = program('Firefox', 'firefox-esr', 'FIREFOX_PATH', [
  ...['firefox-esr', 'firefox'].flatMap(inFolders),
  '/Applications/Firefox.app/Contents/MacOS/firefox',
  'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
]);

export const miniBrowser = program(
  "WebKit's MiniBrowser",
  'webkit2gtk-driver',
  'MINI_BROWSER_PATH',
  globSync('/usr/{lib/*,libexec}/webkit2gtk-4.*/MiniBrowser'),
);

export const xvfb = program('Xvfb', 'xvfb', 'XVFB_PATH', inFolders('Xvfb'));

export const redisServer = program('Redis', 'redis-server', 'REDIS_SERVER_PATH', [
  ...inFolders('redis-server'),
  'C:\\Program Files\\Redis\\redis-server.exe',
]);

export const openssl = program('OpenSSL', 'openssl', 'OPENSSL_PATH', [
  ...inFolders('openssl'),
  'C:\\Program Files\\Git\\usr\\bin\\openssl.exe',
]);

export const nginx = program('nginx', 'nginx-light', 'NGINX_PATH', inFolders('nginx'));

export const haproxy = program('HAProxy', 'haproxy', 'HAPROXY_PATH', inFolders('haproxy'));

export const apache = program('Apache', 'apache2', 'APACHE_PATH', inFolders('apache2'));

export const python = program('Python', 'python3', 'PYTHON_PATH', [
  ...inFolders('python3'),
  'C:\\Windows\\py.exe',
]);

const find = ({ variable, places }: Program) =>
  [process.env[variable] ?? '', ...places].find(path => existsSync(path));

const missing = ({ name, debianPackage, variable }: Program) =>
  `${name} is missing: install it (apt-get install ${debianPackage}), or set ${variable} to its executable.`;

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

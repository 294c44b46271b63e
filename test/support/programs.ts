/** Programs that some tests need and npm does not install. */
import { existsSync, globSync } from 'node:fs';

export interface Program {
  readonly name: string;
  /** Possible places; the first that exists is used. */
  readonly paths: readonly (string | undefined)[];
  /** How to get it, after "Chromium is missing: ". */
  readonly help: string;
}

export const chromium: Program = {
  name: 'Chromium',
  paths: [
    process.env.CHROMIUM_PATH,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ],
  help: 'install it (apt-get install chromium), or set CHROMIUM_PATH to an executable of Chrome or Chromium.',
};

export const firefox: Program = {
  name: 'Firefox',
  paths: [
    process.env.FIREFOX_PATH,
    '/usr/bin/firefox-esr',
    '/usr/bin/firefox',
    '/Applications/Firefox.app/Contents/MacOS/firefox',
    'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
  ],
  help: 'install it (apt-get install firefox-esr), or set FIREFOX_PATH to its executable.',
};

export const miniBrowser: Program = {
  name: "WebKit's MiniBrowser",
  paths: [process.env.MINI_BROWSER_PATH, ...globSync('/usr/{lib/*,libexec}/webkit2gtk-4.*/MiniBrowser')],
  help: 'install it (apt-get install webkit2gtk-driver), or set MINI_BROWSER_PATH to its executable.',
};

export const xvfb: Program = {
  name: 'Xvfb',
  paths: ['/usr/bin/Xvfb'],
  help: 'install it (apt-get install xvfb).',
};

export const redisServer: Program = {
  name: 'Redis',
  paths: [
    process.env.REDIS_SERVER_PATH,
    '/usr/bin/redis-server',
    '/usr/local/bin/redis-server',
    '/opt/homebrew/bin/redis-server',
    'C:\\Program Files\\Redis\\redis-server.exe',
  ],
  help: 'install it (apt-get install redis-server), or set REDIS_SERVER_PATH to its executable.',
};

export const openssl: Program = {
  name: 'OpenSSL',
  paths: [
    process.env.OPENSSL_PATH,
    // Before the LibreSSL of macOS.
    '/opt/homebrew/bin/openssl',
    '/usr/bin/openssl',
    'C:\\Program Files\\Git\\usr\\bin\\openssl.exe',
  ],
  help: 'install it (apt-get install openssl), or set OPENSSL_PATH to its executable.',
};

export const nginx: Program = {
  name: 'nginx',
  paths: [process.env.NGINX_PATH, '/usr/sbin/nginx', '/opt/homebrew/bin/nginx'],
  help: 'install it (apt-get install nginx-light), or set NGINX_PATH to its executable.',
};

export const haproxy: Program = {
  name: 'HAProxy',
  paths: [process.env.HAPROXY_PATH, '/usr/sbin/haproxy', '/opt/homebrew/bin/haproxy'],
  help: 'install it (apt-get install haproxy), or set HAPROXY_PATH to its executable.',
};

export const git: Program = {
  name: 'Git',
  paths: [
    process.env.GIT_PATH,
    '/usr/bin/git',
    '/usr/local/bin/git',
    '/opt/homebrew/bin/git',
    'C:\\Program Files\\Git\\cmd\\git.exe',
  ],
  help: 'install it (apt-get install git), or set GIT_PATH to its executable.',
};

export const python: Program = {
  name: 'Python',
  paths: [
    process.env.PYTHON_PATH,
    '/usr/bin/python3',
    '/usr/local/bin/python3',
    '/opt/homebrew/bin/python3',
    'C:\\Windows\\py.exe',
  ],
  help: 'install it (apt-get install python3), or set PYTHON_PATH to its executable.',
};

const find = ({ paths }: Program) => paths.find(path => path !== undefined && existsSync(path));

/** Returns the path of a program. Throws if it is missing. */
export function pathOf(program: Program): string {
  const path = find(program);
  if (path === undefined) throw new Error(`${program.name} is missing: ${program.help}`);
  return path;
}

/**
 * Returns `true` and prints how to get a program if it is missing: `test.skipIf(skipsWithout(chromium))`. In CI (environment
 * variable `CI`) returns `false`, so that its tests fail.
 */
export function skipsWithout(program: Program): boolean {
  if (find(program) !== undefined || process.env.CI) return false;
  console.warn(`Skipped, as ${program.name} is missing: ${program.help}`);
  return true;
}

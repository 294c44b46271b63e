import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright';

const places = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a real Chromium; on Debian as root, installs it first where it is missing. */
export function openChromium(): Promise<Browser> {
  const executablePath = find() ?? install();
  return chromium.launch({ executablePath, args: quiet });
}

function find(): string | undefined {
  return places.find(place => place !== undefined && existsSync(place));
}

function install(): string {
  if (process.getuid?.() === 0) {
    spawnSync('apt-get', ['update'], { stdio: 'inherit' });
    const options = ['-o', 'DPkg::Lock::Timeout=300', '-y', '--no-install-recommends'];
    spawnSync('apt-get', ['install', ...options, 'chromium'], { stdio: 'inherit' });
  }
  const found = find();
  if (found === undefined)
    throw new Error('these tests need Chromium: install it (apt-get install chromium), or set CHROMIUM_PATH');
  return found;
}

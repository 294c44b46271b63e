// Installs packages that only long tests need (runtimes, bundlers, old versions) once, outside the repository.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm } from '../support/npm.ts';

/** The repository, with a slash at its end. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Folder of the installed packages, which later runs use again. */
const cache = join(tmpdir(), 'email-marketing-client-cache');

/** Packages whose scripts install a binary. */
const allowScripts = { node: true, bun: true, deno: true, workerd: true, esbuild: true };

/** Returns a folder in which these packages are installed. Installs them if they are not, or have changed. */
export function installed(name: string, dependencies: Readonly<Record<string, string>>): string {
  const folder = join(cache, name);
  const manifest = JSON.stringify({ private: true, dependencies, allowScripts });
  const done = join(folder, 'installed.json');
  if (existsSync(done) && readFileSync(done, 'utf8') === manifest) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), manifest);
  npm(folder, ['install']);
  writeFileSync(done, manifest);
  return folder;
}

/** The newest Node with long-term support. */
export const newestNode = '26';

/** Full numbers of the tested versions of Node: the oldest supported one, and the newest of each major version. */
const fullVersions = { '22.12': '22.12.0', '22': '22.23.2', '24': '24.21.0', '26': '26.10.0' };

export type NodeVersion = keyof typeof fullVersions;
export const nodeVersions = Object.keys(fullVersions) as NodeVersion[];

const nodeFile = process.platform === 'win32' ? 'node.exe' : 'node';

/**
 * Returns the path of a version of Node. npm has no 22.12 and 24 for macOS: if `SYSTEM_NODE` is the path of a Node that was
 * installed in another way, returns that, which must be this version.
 */
export function nodeBinary(version: NodeVersion): string {
  const systemNode = process.env.SYSTEM_NODE;
  if (!systemNode) {
    const home = installed(`node-${version}`, { node: fullVersions[version] });
    return join(home, 'node_modules/node/bin', nodeFile);
  }
  const found = execFileSync(systemNode, ['--version'], { encoding: 'utf8' }).trim();
  if (!found.startsWith(`v${version}.`)) throw new Error(`SYSTEM_NODE is Node ${found}, not ${version}.`);
  return systemNode;
}

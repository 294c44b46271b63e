// Measures what each row of the benchmarks costs before its first response: size, memory and start-up.
import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { npm } from '../../test/support/npm.ts';
import { baseline, own, type Row } from './rows.ts';

const root = join(import.meta.dirname, '../../');
const peers = join(import.meta.dirname, 'peers/');
const firstResponse = join(import.meta.dirname, 'first-response.ts');

/** Installs the peers as their lock file has them, unless that is done. */
export function installPeers(): void {
  try {
    npm(peers, ['ls', '--silent']);
  } catch {
    npm(peers, ['ci', '--ignore-scripts', '--prefer-offline']);
  }
}

/** Milliseconds from the start of a process to the first response that the client of a row gives it. */
function timeToResponse(row: Row, url: string): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [firstResponse, row.name, url]);
  const took = performance.now() - start;
  if (status !== 0) throw new Error(`a start-up of ${row.name} failed: ${stderr}`);
  return took;
}

/**
 * Milliseconds by which the first response of a new process comes later than with the baseline: minimum against
 * minimum, as other programs on the machine can only add to a time.
 */
export function firstResponses(rows: readonly Row[], url: string, times: number): Map<string, number> {
  const least = new Map<string, number>();
  for (let time = 0; time < times; time++)
    for (const row of rows) {
      const before = least.get(row.name) ?? Number.POSITIVE_INFINITY;
      least.set(row.name, Math.min(before, timeToResponse(row, url)));
    }
  const bare = least.get(baseline) ?? Number.NaN;
  return new Map([...least].map(([name, took]) => [name, took - bare]));
}

/** Kilobytes of the whole client, bundled for Node, minified and compressed. */
export async function compressedSize(code: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: peers },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length / 1e3;
}

interface Locked {
  readonly dependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly peerDependenciesMeta?: Record<string, { readonly optional?: boolean }>;
}

/** Where Node finds `name` from the package at `from`, as the lock file names places. */
function placeOf(name: string, from: string, lock: Record<string, Locked>): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const place = `${folder ? `${folder}/` : ''}node_modules/${name}`;
    if (lock[place]) return place;
    if (!folder) return undefined;
  }
}

function bytesIn(folder: string): number {
  let bytes = 0;
  for (const name of readdirSync(folder)) {
    if (name === 'node_modules') continue;
    const stat = lstatSync(join(folder, name));
    bytes += stat.isDirectory() ? bytesIn(join(folder, name)) : stat.size;
  }
  return bytes;
}

/** What is installed: the number of packages, and the size of their files in megabytes. */
export interface Installed {
  readonly packages: number;
  readonly megabytes: number;
}

export function installed(packages: readonly string[]): Installed {
  if (packages.includes(own)) {
    const listed: unknown = JSON.parse(npm(root, ['pack', '--dry-run', '--json', '--ignore-scripts']));
    const [first] = Object.values(listed as Record<string, { unpackedSize: number }>);
    return { packages: 1, megabytes: (first?.unpackedSize ?? Number.NaN) / 1e6 };
  }
  const lock: Record<string, Locked> = JSON.parse(
    readFileSync(join(peers, 'package-lock.json'), 'utf8'),
  ).packages;
  const places = new Set<string>();
  const visit = (name: string, from: string): void => {
    const place = placeOf(name, from, lock);
    if (!place || places.has(place)) return;
    places.add(place);
    const { dependencies, peerDependencies, peerDependenciesMeta } = lock[place] ?? {};
    for (const next of Object.keys(dependencies ?? {})) visit(next, place);
    for (const next of Object.keys(peerDependencies ?? {}))
      if (!peerDependenciesMeta?.[next]?.optional) visit(next, place);
  };
  for (const name of packages) visit(name, '');
  const bytes = [...places].reduce((sum, place) => sum + bytesIn(join(peers, place)), 0);
  return { packages: places.size, megabytes: bytes / 1e6 };
}

// Builds the site of the documents and serves it, for tests of its pages.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { listen } from '../support/listen.ts';
import { root } from './collect.ts';

const typesOfFiles: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/** The site, built as `npm run docs` builds it. */
export interface BuiltSite {
  /** Folder of its pages. */
  readonly folder: string;
  /** Standard output and standard error of the build. */
  readonly output: string;
  /** Sum of the exit codes: 0 if both steps succeeded. */
  readonly status: number;
  remove(): void;
}

/** Builds the site in a new folder. */
export function buildSite(): BuiltSite {
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  const steps = [
    ['typedoc/bin/typedoc', '--options', 'docs/typedoc.config.js'],
    ['vitepress/bin/vitepress.js', 'build', 'docs', '--outDir', folder],
  ];
  const runs = steps.map(([program = '', ...args]) =>
    spawnSync(process.execPath, [join(root, 'node_modules', program), ...args], {
      cwd: root,
      encoding: 'utf8',
    }),
  );
  return {
    folder,
    output: runs.map(({ stdout, stderr }) => stdout + stderr).join(''),
    status: runs.reduce((sum, run) => sum + (run.status ?? 1), 0),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Serves a folder of pages on a free port. */
export async function serveFolder(folder: string): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = join(
      folder,
      decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname),
    );
    const file = [path, `${path}.html`].find(candidate => extname(candidate) !== '' && existsSync(candidate));
    if (!file) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': typesOfFiles[extname(file)] ?? 'application/octet-stream' });
    response.end(readFileSync(file));
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, close: () => void server.close() };
}

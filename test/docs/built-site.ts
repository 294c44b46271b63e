// Builds the site of the documents and serves it, for tests of its pages.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contentType } from '../runtimes/page-server.ts';
import { listen } from '../support/listen.ts';
import { root } from './collect.ts';

/** Builds the site in a new folder, as `npm run docs` builds it. */
export function buildSite() {
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  const steps = [
    ['typedoc/bin/typedoc', '--options', 'typedoc.config.js'],
    ['vitepress/bin/vitepress.js', 'build', '--outDir', folder],
  ];
  const runs = steps.map(([program = '', ...args]) =>
    spawnSync(process.execPath, [join(root, 'node_modules', program), ...args], {
      cwd: join(root, 'docs'),
      encoding: 'utf8',
    }),
  );
  return {
    folder,
    /** Standard output and standard error of the build. */
    output: runs.map(({ stdout, stderr }) => stdout + stderr).join(''),
    /** Sum of the exit codes: 0 if both steps succeeded. */
    status: runs.reduce((sum, run) => sum + (run.status ?? 1), 0),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Returns the file that a server finds for a path without its ending, or for the path of a folder. */
function fileAt(path: string): string | undefined {
  const candidates = [path.endsWith('/') ? `${path}index.html` : path, `${path}.html`];
  return candidates.find(file => statSync(file, { throwIfNoEntry: false })?.isFile());
}

/** Serves a folder of pages on a free port. */
export async function serveFolder(folder: string): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = fileAt(join(folder, decodeURIComponent(pathname)));
    if (!file) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': contentType(file) }).end(readFileSync(file));
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, close: () => void server.close() };
}

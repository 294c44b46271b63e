// Runs npm without a shell, on Windows too.
import { execFileSync } from 'node:child_process';

const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Returns the file and first arguments that start npm. In a script of npm, Node runs npm's program: on Windows `npm` needs a
 * shell, which splits paths at spaces.
 */
function command(): [file: string, args: readonly string[]] {
  const program = process.env.npm_execpath;
  return program ? [process.execPath, [program]] : ['npm', []];
}

/** Runs npm in a folder; returns what it prints. */
export function npm(folder: string, args: readonly string[]): string {
  const [file, before] = command();
  return execFileSync(file, [...before, ...quiet, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

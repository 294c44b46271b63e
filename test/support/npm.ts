import { execFileSync } from 'node:child_process';

const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Runs npm in a folder; returns what it prints. Inside a script of npm's, its program is run by Node itself: Windows has no
 * `npm` that starts without a shell, and a shell would take paths apart at spaces.
 */
export function npm(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  const program = process.env.npm_execpath;
  const [command, ...before] = program ? [process.execPath, program] : ['npm'];
  return execFileSync(command ?? 'npm', [...before, ...args, ...quiet], {
    cwd: folder,
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

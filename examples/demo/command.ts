import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';

const command = fileURLToPath(new URL('./cli.js', import.meta.resolve('email-marketing-client')));

/** Runs one of the package's commands in a folder. Prints its output on this terminal. */
export async function runCommand(
  environment: NodeJS.ProcessEnv,
  folder: string,
  args: readonly string[],
): Promise<void> {
  console.log(styleText('cyan', `  npx email-marketing-client ${args.join(' ')}`));
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [command, ...args], { cwd: folder, env, stdio: 'inherit' });
  await once(child, 'exit');
}

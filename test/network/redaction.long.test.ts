// Redaction of what a service sends, seen from outside: a scenario that blocks the process is killed, and fails.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { finished, scenarios } from './redaction-scenarios.ts';

const program = fileURLToPath(new URL('redaction-scenarios.ts', import.meta.url));

/** Far more than any scenario takes on a busy machine, far less than a search that backtracks. */
const killAfterMs = 60_000;

test.each(Object.keys(scenarios))('%s', { timeout: 2 * killAfterMs }, async title => {
  const options = { timeout: killAfterMs, killSignal: 'SIGKILL' as const };
  const child = promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', program, title],
    options,
  );
  expect(await child).toEqual({ stdout: `${finished}\n`, stderr: '' });
});

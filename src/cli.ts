#!/usr/bin/env node
import { main } from './cli/main.ts';

const { env, stdout, stderr } = process;
const surroundings = {
  env,
  stdout,
  stderr,
  signals: process,
  stdin: () => process.stdin,
  now: () => performance.timeOrigin + performance.now(),
};

// Without listeners, a failed write would end the process: the reader of a pipe, such as `head`, may have exited, and a
// terminal may have been closed.
stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') process.exitCode = 2;
});
stderr.on('error', () => {});

// Node ends with another code than 0 if this never settles.
const exitCode = await main(process.argv.slice(2), surroundings);
process.exitCode ||= exitCode;

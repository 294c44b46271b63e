// The built command, for the tests of this folder.
import { join } from 'node:path';
import type { SandboxOptions } from '../../src/testing/index.ts';
import { stageProgram } from '../support/staged-programs.ts';

/** The command's program. */
export const cli = join(import.meta.dirname, '../../dist/cli.js');

/** A sandbox over HTTP, a folder, and the command that runs there. */
export const stage = (options?: SandboxOptions) => stageProgram(cli, options);

#!/usr/bin/env node
import { sandboxCommand } from './testing/command.ts';

void sandboxCommand(process.argv.slice(2)).then(code => {
  process.exitCode = code;
});

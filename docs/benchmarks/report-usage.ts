// Loaded into a measured process: writes the processor time and the memory that it took to a file when it ends.
import { writeFileSync } from 'node:fs';

process.once('exit', () =>
  writeFileSync(process.env.USAGE_FILE ?? '/dev/null', JSON.stringify(process.resourceUsage())),
);

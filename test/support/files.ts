// Finds files for tests that compare their paths, on Windows too.
import { globSync } from 'node:fs';

/** Returns the paths of the files in a folder that match a pattern: relative to the folder, with `/`, sorted. */
export const filesIn = (folder: string, pattern: string): string[] =>
  globSync(pattern, { cwd: folder })
    .map(file => file.replaceAll('\\', '/'))
    .sort();

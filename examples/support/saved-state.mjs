/** Where a script stands, in a JSON file that is whole at every moment. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';

/** @param {string} path */
export function savedState(path) {
  return {
    path,
    /** What was saved, or `undefined` when nothing was. */
    async load() {
      try {
        return JSON.parse(await readFile(path, 'utf8'));
      } catch (error) {
        if (error.code === 'ENOENT') return undefined;
        throw new Error(`${path} cannot be read: ${error.message}; remove it to start anew`);
      }
    },
    async save(state) {
      await writeFile(`${path}.new`, `${JSON.stringify(state)}\n`, { flush: true });
      await rename(`${path}.new`, path);
    },
    remove: () => rm(path, { force: true }),
  };
}

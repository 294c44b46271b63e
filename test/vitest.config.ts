// Settings of every test that vitest runs.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Where to write the results as JSON besides, for CI to count. */
const { TEST_RESULTS: outputFile } = process.env;

const root = fileURLToPath(new URL('..', import.meta.url));
if (root.includes('#'))
  throw new Error(`Vite takes "#" for the end of a path: move the repository out of ${root}`);

/** With `--mode build`, what imports the library's index gets the built package in its place. */
const theBuild = { find: /^(\.\.\/)+src\/index\.ts$/, replacement: `${root}dist/index.js` };

export default defineConfig(({ mode }) => ({
  resolve: { alias: mode === 'build' ? [theBuild] : [] },
  test: {
    root,
    include: ['test/**/*.test.ts'],
    reporters: outputFile ? ['default', ['json', { outputFile }]] : ['default'],
    testTimeout: 20_000,
    // By default one core is left free: on two cores the tests would run one file at a time, though most of them wait.
    maxWorkers: '100%',
  },
}));

import { defineConfig } from 'vitest/config';

/** Where to write the results as JSON besides, for CI to count. */
const { TEST_RESULTS: outputFile } = process.env;

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'test/runtimes/**', 'test/browser/**'],
    typecheck: { enabled: false },
    reporters: outputFile ? ['default', ['json', { outputFile }]] : ['default'],
    testTimeout: 20_000,
  },
});

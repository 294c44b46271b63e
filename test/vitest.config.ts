import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'test/runtimes/**', 'test/browser/**'],
    typecheck: { enabled: false },
    testTimeout: 20_000,
  },
});

// Settings of `npm run test:all -- coverage` and `npm run mutate`: the tests that run `src` in their own process, where coverage is
// counted and mutants are active. The others run the built package, a browser or the commands.
import { configDefaults, defineConfig, mergeConfig } from 'vitest/config';
import settings from './vitest.config.ts';

/** Time limit of a test, in milliseconds: code that counts its lines is slower. */
const testTimeout = 120_000;

export default defineConfig(environment =>
  mergeConfig(
    settings(environment),
    defineConfig({
      test: {
        testTimeout,
        exclude: [
          ...configDefaults.exclude,
          'test/{cli,examples,fuzz,package,testing/browser}/**',
          'test/docs/!(messages).test.ts',
          'test/regular-expressions.long.test.ts',
        ],
        // The command and the sandbox's page are tested as they are built, in processes of their own, where nothing is measured.
        coverage: {
          include: ['src/**/*.ts'],
          exclude: ['src/cli.ts', 'src/cli/**', 'src/testing/ui/**'],
          reporter: ['text', 'json-summary'],
          reportOnFailure: true,
          // A little below what `npm run test:all -- coverage` reaches, in per cent.
          thresholds: { statements: 98, branches: 95, functions: 98, lines: 98 },
        },
      },
    }),
  ),
);

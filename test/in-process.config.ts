// Settings of `npm run mutate`: the tests that run `src` in their own process, where mutants are active. Others run the
// build or a browser.
import { configDefaults, defineConfig, mergeConfig } from 'vitest/config';
import settings from './vitest.config.ts';

/** Time limit of a test, in milliseconds: code with mutants is slower. */
const testTimeout = 120_000;

export default defineConfig(environment =>
  mergeConfig(
    settings(environment),
    defineConfig({
      test: {
        testTimeout,
        exclude: [
          ...configDefaults.exclude,
          // Stryker runs tests in threads, which cannot change their folder as the commands' tests do: test/unit/cli counts.
          'test/{cli,examples,fuzz,package,testing/browser}/**',
          'test/docs/!(messages).test.ts',
          'test/regular-expressions.long.test.ts',
        ],
      },
    }),
  ),
);

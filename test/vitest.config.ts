// Settings of every test that vitest runs. `npm test` runs the quick ones; with `--mode all`, as in `npm run test:all`,
// the files named `*.long.test.ts` as well: those that start browsers, commands or package managers.
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

/** Where to write the results as JSON besides, for CI to count. */
const { TEST_RESULTS: outputFile } = process.env;

const root = fileURLToPath(new URL('..', import.meta.url));
if (root.includes('#'))
  throw new Error(`Vite takes "#" for the end of a path: move the repository out of ${root}`);

/** With `--mode build`, what imports the library's index gets the built package in its place. */
const theBuild = { find: /^(\.\.\/)+src\/index\.ts$/, replacement: `${root}dist/index.js` };

/** Files that start browsers, commands, package managers or worker processes, or that take over ten seconds. */
const long = 'test/**/*.long.test.ts';

/** Of what runs in the tests' own process: the command and the sandbox's page are tested as they are built. */
const coverage = {
  include: ['src/**/*.ts'],
  exclude: ['src/cli.ts', 'src/cli/**', 'src/testing/ui/**'],
  reporter: ['text', 'json-summary'],
  reportOnFailure: true,
  // A little below what `npm run test:all -- tests` reaches, in per cent.
  thresholds: { statements: 98, branches: 95, functions: 98, lines: 98 },
};

/** Files that read the built package: it is built before them if a source is newer. */
const readBuild = ['test/{cli,docs,examples,package}/**/*.test.ts', 'test/unit/cli/*.test.ts'];

const buildIfStale = [fileURLToPath(new URL('support/build-if-stale.ts', import.meta.url))];

/** Files that change what the whole process shares, such as its global `fetch`: each runs in a process of its own. */
const isolated = ['test/testing/msw*.test.ts'];

export default defineConfig(({ mode }) => {
  const excluded = mode === 'all' ? configDefaults.exclude : [...configDefaults.exclude, long];
  const resolve = { alias: mode === 'build' ? [theBuild] : [] };
  const shared = {
    root,
    // `npm run test:all` counts which code runs, and that code is slower.
    testTimeout: mode === 'all' ? 60_000 : 20_000,
    env: { LONG_RUN: mode === 'all' ? 'true' : '' },
    isolate: false,
  };
  const own = [...excluded, long, ...isolated, ...readBuild];
  const alone = { isolate: true, globalSetup: mode === 'all' ? buildIfStale : [] };
  return {
    test: {
      root,
      coverage,
      reporters: outputFile ? ['default', ['json', { outputFile }]] : ['default'],
      // By default one core is left free: on two cores the tests would run one file at a time, though most of them wait.
      maxWorkers: '100%',
      projects: [
        { resolve, test: { ...shared, name: 'shared', include: ['test/**/*.test.ts'], exclude: own } },
        {
          test: {
            ...{ ...shared, name: 'built', include: readBuild, exclude: [...excluded, long] },
            globalSetup: buildIfStale,
          },
        },
        {
          resolve,
          test: {
            ...{ ...shared, ...alone, name: 'isolated' },
            ...{ include: [long, ...isolated], exclude: excluded },
          },
        },
      ],
    },
  };
});

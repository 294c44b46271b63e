// Settings of every test that vitest runs. `npm test` runs the quick ones; `--mode long`, as in `npm run test:all`, the files
// named `*.long.test.ts`, which start browsers, commands or package managers, and those of the quick ones that then run more
// cases; `--mode all` runs both.
import { globSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { configDefaults, defineConfig } from 'vitest/config';

/** File for the results as JSON, from which CI counts the tests. */
const { TEST_RESULTS: outputFile } = process.env;

/** With `/`, as vite writes paths on Windows too. */
const root = fileURLToPath(new URL('..', import.meta.url)).replaceAll(sep, '/');
if (root.includes('#'))
  throw new Error(`Vite cannot read a path with "#": move the repository out of ${root}`);

/** With `--mode build`, tests that import the library's index get the built package. */
const theBuild = { find: /^(\.\.\/)+src\/index\.ts$/, replacement: `${root}dist/index.js` };

/** The source gets the transport's source, and the build its own. */
const sourceTransport: Plugin = {
  name: 'source-transport',
  enforce: 'pre',
  resolveId: (id, importer) =>
    id === '#transport' && importer?.startsWith(`${root}src/`) ? `${root}src/transport/node.ts` : undefined,
};

/** Files that start browsers, commands, package managers or worker processes, or that take over ten seconds. */
const long = 'test/**/*.long.test.ts';

/** Files of quick tests that run more cases with the long ones. */
const longer = globSync('test/**/*.test.ts', { cwd: root })
  .map(file => file.replaceAll(sep, '/'))
  .filter(file => readFileSync(root + file, 'utf8').includes('/support/long-run.ts'));

/** Coverage of code that runs in the tests' process: the start of the commands and the sandbox's page are tested as built. */
const coverage = {
  enabled: process.env.COVERAGE === 'true',
  include: ['src/**/*.ts'],
  exclude: ['src/cli.ts', 'src/testing/ui/**'],
  reporter: ['text', 'json-summary'],
  reportOnFailure: true,
  // A little below what the quick tests reach, in per cent.
  thresholds: { statements: 98, branches: 95, functions: 98, lines: 98 },
};

/** Files that read the built package: it is built before them if a source is newer. */
const readBuild = ['test/{docs,examples,package}/**/*.test.ts', 'examples/sign-up.test.ts'];

const buildIfStale = [fileURLToPath(new URL('support/build-if-stale.ts', import.meta.url))];

/** No test depends on another: files and tests run in a random order. `--sequence.seed` repeats the order of a printed seed. */
const common = { root, isolate: false, sequence: { shuffle: true } };

/** Files that change globals such as `fetch` or modules, or test what all clients share: each runs in its own process. */
const isolated = ['test/endpoints.test.ts', 'test/testing/msw*.test.ts', 'test/browser/keepalive.test.ts'];

export default defineConfig(({ mode }) => {
  const isLong = mode === 'all' || mode === 'long';
  const excluded = isLong ? configDefaults.exclude : [...configDefaults.exclude, long];
  const ofBuild = mode === 'build';
  const resolve = { alias: ofBuild ? [theBuild] : [] };
  const plugins = [sourceTransport];
  const shared = {
    ...common,
    // A machine that does much else at once can be ten times slower.
    testTimeout: 60_000,
    env: { LONG_RUN: isLong ? 'true' : '' },
  };
  const own = [...excluded, long, ...isolated, ...readBuild];
  const alone = { isolate: true, globalSetup: isLong ? buildIfStale : [] };
  const project = (name: string, test: object) => ({ resolve, plugins, test: { ...shared, name, ...test } });
  const projects = [
    project('shared', { include: ['test/**/*.test.ts'], exclude: own }),
    project('built', { include: readBuild, exclude: [...excluded, long], globalSetup: buildIfStale }),
    project('isolated', { ...alone, include: [long, ...isolated], exclude: excluded }),
  ];
  const longOnly = [project('long', { ...alone, include: [long, ...longer], exclude: excluded })];
  return {
    test: {
      ...common,
      coverage,
      reporters: outputFile ? ['default', ['json', { outputFile }]] : ['default'],
      // By default, vitest leaves one core free, and on two cores runs one file at a time.
      maxWorkers: '100%',
      projects: mode === 'long' ? longOnly : projects,
    },
  };
});

/** Settings of the mutation tests, which `npm run mutate` runs. */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'test/in-process.config.ts', related: true },
  plugins: ['@stryker-mutator/vitest-runner'],
  // The sandbox's page is tested in a browser alone, which starts too slowly to be asked about each mutant.
  mutate: ['src/**/*.ts', '!src/testing/ui/**'],
  ignorePatterns: ['/dist', '/docs/reference', '/release', '/examples/**/node_modules'],
  coverageAnalysis: 'perTest',
  // Vitest compiles without checking types, and tests compare files with what programs write: no file is changed but the mutated one.
  disableTypeChecks: false,
  incremental: true,
  incrementalFile: 'reports/mutation/incremental.json',
  reporters: ['clear-text', 'progress', 'html', 'json'],
  tempDirName: '.stryker-tmp',
  timeoutMS: 20_000,
  // The first run, in one process, runs every test that reaches the mutated files.
  dryRunTimeoutMinutes: 60,
};

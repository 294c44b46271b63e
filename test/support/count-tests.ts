// Reads a report of vitest: counts the tests, and names the failed ones.
import { readFileSync } from 'node:fs';

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Returns how many tests passed, and a line for each failed test or file. In CI, a skipped test counts as failed. */
export function countTests(file: string) {
  const report: Report = JSON.parse(readFileSync(file, 'utf8'));
  const failing = process.env.CI ? ['failed', 'pending', 'skipped', 'todo'] : ['failed'];
  const names = report.testResults.flatMap(({ name, status, assertionResults: tests }) =>
    status === 'failed' && tests.every(test => test.status !== 'failed')
      ? [name]
      : tests.filter(test => failing.includes(test.status)).map(test => `${name} > ${test.fullName}`),
  );
  return { passed: report.numPassedTests, names };
}

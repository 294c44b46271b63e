// Prints how many tests passed and failed, from vitest's own report; a check that failed besides counts as one.
import { existsSync, readFileSync } from 'node:fs';

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  /** A file that could not be loaded has failed, and has no tests. */
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

const [file = '', failedChecks = '0'] = process.argv.slice(2);
const none: Report = { numPassedTests: 0, numFailedTests: 0, testResults: [] };
const report: Report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : none;
const unloaded = report.testResults.filter(
  ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
);
const failed = Math.max(report.numFailedTests + unloaded.length, Number(failedChecks));
console.log(`${report.numPassedTests} passed, ${failed} failed`);

// Counts the tests of vitest's own report.
import { existsSync, readFileSync } from 'node:fs';

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  /** A file that could not be loaded has failed, and has no tests. */
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

/** Returns how many tests passed and failed. With `skipsFail`, a test that was skipped counts as failed. */
export function countTests(
  file: string,
  { skipsFail }: { readonly skipsFail: boolean },
): { readonly passed: number; readonly failed: number } {
  if (!existsSync(file)) return { passed: 0, failed: 0 };
  const report: Report = JSON.parse(readFileSync(file, 'utf8'));
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  const skipped = skipsFail ? report.numPendingTests : 0;
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length + skipped };
}

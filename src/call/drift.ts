import { ignoreErrors } from '../core/ignore-errors.ts';
import { cleanIssue } from '../core/issues.ts';
import type { Issue } from '../error-details.ts';

/** Mismatch between a usable response and its documentation. */
export interface Drift extends Issue {
  /** Operation whose response differs. */
  readonly operation: string;
}

/** Maximum number of drift reports. Paths contain names from responses, so their number is unlimited. */
const maxReportedDrift = 1_000;

/**
 * Reports each difference between a usable response and its documentation once. `reported` contains earlier reports.
 */
export function reportDrift(
  onDrift: (drift: Drift) => void,
  reported: Set<string>,
  operation: string,
  drift: readonly Issue[],
  redact: (text: string) => string,
): void {
  for (const mismatch of drift) {
    const { message, ...issue } = cleanIssue(mismatch, redact, 'body');
    const key = `${operation} ${issue.path}`;
    if (reported.has(key) || reported.size >= maxReportedDrift) continue;
    reported.add(key);
    ignoreErrors(() => onDrift({ operation, ...issue, ...(mismatch.message && { message }) }));
  }
}

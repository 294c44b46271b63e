import { ignoreErrors } from '../core/ignore-errors.ts';
import { cleanIssue } from '../core/issues.ts';
import type { Issue } from '../error-details.ts';

/** Mismatch between a usable response and its documentation. */
export interface Drift extends Issue {
  /** Operation whose response differs. */
  readonly operation: string;
}

/** Maximum number of reports of drift. Paths contain names from responses, of which there is no limit. */
const maxReportedDrift = 1_000;

/** Reports how a usable response differs from what is documented, each place once. `reported` holds those before. */
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

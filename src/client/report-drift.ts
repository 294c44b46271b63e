import { ignoreErrors } from '../core/ignore-errors.ts';
import { cleanIssue } from '../core/issues.ts';
import type { Issue } from '../error-details.ts';
import type { ServiceCall } from './service-settings.ts';

/** Maximum number of drift reports. Paths contain names from responses, so their number is unlimited. */
const maxReportedDrift = 1_000;

/** Reports how a usable response differs from its documentation: once for each operation and path. */
export function reportDrift({ endpoint, settings }: ServiceCall, drift: readonly Issue[]): void {
  const { onDrift, reportedDrift, redact } = settings;
  for (const mismatch of drift) {
    const { message, ...issue } = cleanIssue(mismatch, redact, 'body');
    const key = `${endpoint.name} ${issue.path}`;
    if (reportedDrift.has(key) || reportedDrift.size >= maxReportedDrift) continue;
    reportedDrift.add(key);
    ignoreErrors(() => onDrift({ operation: endpoint.name, ...issue, ...(mismatch.message && { message }) }));
  }
}

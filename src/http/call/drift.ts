import type { Issue } from '../../errors.ts';
import { redactIssue } from '../issues.ts';
import type { Redaction } from '../secrets/redactor.ts';
import type { HttpDefaults } from './context.ts';
import { type Drift, quietly } from './telemetry.ts';

/** Most places whose drift is reported: paths hold names from responses, which could be any number. */
const maxReportedDrift = 1_000;

/** Returns a function that reports each place once, whatever the number of records. `reported` holds those before. */
export const driftReporter =
  (
    reported: Set<string>,
    redactor: Redaction,
    onDrift: (drift: Drift) => void,
  ): HttpDefaults['reportDrift'] =>
  (operation: string, drift: readonly Issue[]) => {
    for (const mismatch of drift) {
      const issue = redactIssue(mismatch, redactor);
      const key = `${operation} ${issue.path}`;
      if (reported.has(key) || reported.size >= maxReportedDrift) continue;
      reported.add(key);
      quietly(() => onDrift({ operation, ...issue }));
    }
  };

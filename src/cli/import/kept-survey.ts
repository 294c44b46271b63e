import { createHmac, scryptSync } from 'node:crypto';
import { basename } from 'node:path';
import { version } from '../../version.ts';
import type { Answer, Job } from './job.ts';
import type { RowStatuses } from './row-statuses.ts';
import type { Findings } from './survey.ts';

/** Result of a survey, as a journal keeps it: whoever resumes need not read the rows again. */
export interface KeptSurvey {
  readonly findings: Findings;
  readonly checked: RowStatuses;
  readonly seal: string;
}

/** Returns a text that proves who surveyed what: a journal can be edited, and nobody may be mailed because of it. */
export type Seal = (findings: Findings, checked: RowStatuses) => string;

const secretBytes = 32;

/** Returns the seal of surveys of a file with these options and answers. The key of the team is needed to make it. */
export function sealOf(
  { file, flags, context: { env } }: Job,
  sha256: string,
  answers: readonly Answer[],
): Seal {
  const { map, encoding, delimiter, tagSeparator, dateFormat, includeOptedOut, badBirthdays } = flags;
  const options = [map, encoding, delimiter, tagSeparator, dateFormat, includeOptedOut, badBirthdays];
  const decisions = answers.map(({ verdict, text }) => [verdict, text]);
  // Another version may know more words for consent.
  const basis = [version, basename(file.name), sha256, options, decisions];
  const secret = scryptSync(env.EMAIL_MARKETING_API_KEY ?? '', 'survey', secretBytes);
  return (findings, checked) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([basis, findings]))
      .update(checked.codes)
      .digest('base64url');
}

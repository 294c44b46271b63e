import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { version } from '../../version.ts';
import type { Answers, Job } from './job.ts';
import type { RowStatuses } from './row-statuses.ts';
import type { Findings, Survey } from './survey.ts';

/** Result of a survey, as a journal keeps it: whoever resumes need not read the rows again. */
export interface KeptSurvey {
  readonly findings: Findings;
  readonly checked: RowStatuses;
  readonly seal: string;
}

/**
 * Returns a hash of a survey and of all that it depends on: the file, the options and the answers. Nobody may be mailed
 * because a line of a journal was edited.
 */
export function sealOf(
  { file, flags }: Job,
  sha256: string,
  answers: Answers,
  { findings, checked }: Pick<Survey, 'findings' | 'checked'>,
): string {
  const { map, encoding, delimiter, tagSeparator, dateFormat, includeOptedOut, badBirthdays } = flags;
  const options = [map, encoding, delimiter, tagSeparator, dateFormat, includeOptedOut, badBirthdays];
  // Another version may know more words for consent.
  const basis = [version, basename(file.name), sha256, options, [...answers]];
  return createHash('sha256')
    .update(JSON.stringify([basis, findings]))
    .update(checked.codes)
    .digest('base64url');
}

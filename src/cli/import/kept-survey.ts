import { createHmac, scryptSync } from 'node:crypto';
import { basename } from 'node:path';
import { version } from '../../version.ts';
import type { Answer, ImportFlags } from './flags.ts';
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
  apiKey: string,
  file: { readonly name: string; readonly sha256: string },
  flags: ImportFlags,
  answers: readonly Answer[],
): Seal {
  const { map, encoding, delimiter, tagSeparator, dateFormat, includeOptedOut, badBirthdays } = flags;
  // Another version may know more words for consent.
  const basis = [
    version,
    basename(file.name),
    file.sha256,
    answers.map(({ verdict, text }) => [verdict, text]),
  ];
  const options = [map, encoding, delimiter, tagSeparator, dateFormat, includeOptedOut, badBirthdays];
  const secret = scryptSync(apiKey, 'survey', secretBytes);
  return (findings, checked) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([basis, options, findings]))
      .update(checked.codes)
      .digest('base64url');
}

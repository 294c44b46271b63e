import type { IdentifyParams } from '../../index.ts';
import { identify } from '../../resources/legacy.ts';
import { counted } from '../command-line.ts';
import type { Row } from '../input-file.ts';

/** Characters that are in no address, but in cells with several addresses or other text: control characters, too. */
const notInAddress = /[<>()[\],;:"\\\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Returns a function that returns why a row of a file with so many columns cannot be sent. */
export const rowCheck =
  (columns: number, toParams: (cells: readonly string[]) => IdentifyParams) =>
  ({ cells, unreadable }: Row): string | undefined => {
    if (unreadable !== undefined) return `the line ${unreadable}`;
    if (cells.length !== columns)
      return `the row has ${counted(cells.length, 'cell')}, the header ${columns}`;
    return problemOf(toParams(cells));
  };

function problemOf(params: IdentifyParams): string | undefined {
  const wrong = (['email', 'newEmail'] as const).find(field => notInAddress.test(params[field] ?? ''));
  if (wrong !== undefined) return `${wrong} must be an email address`;
  const result = identify.input?.validate(params);
  if (result === undefined || result.ok) return undefined;
  return result.issues.map(({ path, expected }) => `${path} must be ${expected}`).join('; ');
}

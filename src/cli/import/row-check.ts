import type { IdentifyParams } from '../../index.ts';
import { identify } from '../../operations/legacy.ts';
import { counted } from '../command-line.ts';
import type { Row } from '../input-file.ts';

/** Characters that no address holds, and that cells with several addresses or other text do. */
const notInAddress = /[<>()[\],;:"\\]/;

/**
 * Returns a function that gives the reason why a row cannot be sent.
 * @param columns Number of columns.
 */
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

import type { IdentifyParams } from '../../index.ts';
import { identify } from '../../resources/legacy.ts';
import { counted } from '../command-line.ts';
import type { Row } from '../input-file.ts';

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
  const result = identify.input?.validateInput(params);
  if (result === undefined || result.ok) return undefined;
  return result.issues.map(({ path, expected }) => `${path} must be ${expected}`).join('; ');
}

/** Returns why a row with a bad birthday cannot be sent. */
export const badBirthday = (): string | undefined =>
  problemOf({ email: 'someone@example.com', birthday: 'no date' });

import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import type { IdentifyParams } from 'email-marketing-client';

/** A row of the CSV file: its cells by the names of the columns. */
export type Row = Readonly<
  Record<'email' | 'firstName' | 'lastName' | 'company' | 'birthday' | 'plan' | 'tags', string>
>;

/** A row and where it stands in the file. */
export interface NumberedRow {
  readonly line: number;
  readonly row: Row;
}

/** Reads a CSV file row by row; one that is no CSV is told by its line and left out. */
export async function* readRows(
  path: string | URL,
  onBadLine: (line: number, reason: string) => void,
): AsyncGenerator<NumberedRow> {
  const parser = parse({
    columns: true,
    info: true,
    skipRecordsWithError: true,
    onSkip: error => {
      onBadLine(Number(error?.lines), error?.message ?? 'not readable');
      return undefined;
    },
  });
  const file = createReadStream(path);
  file.once('error', error => parser.destroy(error));
  for await (const { record, info } of file.pipe(parser)) yield { line: info.lines, row: record };
}

/** The contact of a row. Empty cells are left out, so that they change nothing. */
export function toContact({ plan, tags, ...cells }: Row): IdentifyParams {
  const given = Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== ''));
  return {
    email: cells.email,
    ...given,
    ...(plan && { customFields: { plan } }),
    ...(tags && { tags: tags.split(';') }),
  };
}

/** What one person's rows say together: later cells over earlier ones, empty ones aside. */
export function merge(earlier: Row | undefined, later: Row): Row {
  const cells = Object.entries(later).filter(([name, cell]) => cell !== '' && name !== 'email');
  return { ...(earlier ?? later), ...Object.fromEntries(cells) };
}

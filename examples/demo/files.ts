import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { runCommand } from './command.ts';
import type { Demo } from './main.ts';

/** Imports a CSV file with the command. */
export async function importFile({ environment, folder, sandbox, stage }: Demo): Promise<void> {
  stage.heading('Import a spreadsheet');
  const file = join(folder, 'contacts.csv');
  await copyFile(new URL('../data/contacts.csv', import.meta.url), file);
  await runCommand(environment, folder, [
    'import',
    'contacts.csv',
    '--map',
    'plan=customFields.plan',
    '--yes',
  ]);
  const rejected = await readTable(`${file}.rejected.csv`);

  const { contacts } = sandbox.state;
  const isRejected = (row: Row) => rejected.some(({ email }) => email === row.email);
  const valid = (await readTable(file)).filter(row => !isRejected(row));
  const agreed = valid.filter(({ mailable }) => mailable === 'yes');
  const imported = valid.filter(({ email }) => email && contacts.named(email));
  stage.check(
    'every valid row with yes in the column mailable is imported',
    agreed.every(row => imported.includes(row)),
  );
  stage.check('no other row is imported', imported.length === agreed.length && agreed.length < valid.length);
}

/** Cells of a row, by the names of their columns. */
type Row = Readonly<Partial<Record<string, string>>>;

const readTable = async (file: string): Promise<Row[]> =>
  parse(await readFile(file), { columns: true, relaxColumnCount: true });

/** Exports every contact with the command. */
export async function exportFile({ environment, folder, sandbox, stage }: Demo): Promise<void> {
  stage.heading('Export every contact');
  await runCommand(environment, folder, ['export', '--out', 'export.csv']);
  const lines = (await readFile(join(folder, 'export.csv'), 'utf8')).trim().split('\n');
  stage.check('the file contains every contact', lines.length - 1 === sandbox.state.contacts.size);
}

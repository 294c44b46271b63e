import { existsSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { formatRows, protect } from '../csv.ts';
import { reasonColumn } from '../fields.ts';
import { replaceFile } from '../files.ts';
import type { Checked } from './check.ts';
import type { Table } from './read-rows.ts';
import type { Sent } from './sent.ts';

/**
 * Writes the rejected rows, each after its line and the reason, or removes the file of an earlier run: in UTF-8, with a mark
 * by which Excel knows it, and otherwise in the form of the input. If a person has edited that file, it is renamed; resolves
 * to its new name.
 */
export async function writeRejected(
  path: string,
  { header, delimiter, lineEnd }: Table,
  { rows }: Checked,
  sent: Sent,
): Promise<string | undefined> {
  const file = `${path}.rejected.csv`;
  const rejected = rows.filter(({ status }) => status === 'rejected');
  const earlier = header[0] === reasonColumn ? 1 : 0;
  const table = [
    [reasonColumn, ...header.slice(earlier)],
    ...rejected.map(({ line, reason = '', cells }) => [
      protect(`line ${line}: ${reason}`),
      ...cells.slice(earlier),
    ]),
  ];
  const text = `\ufeff${formatRows(table, { delimiter, lineEnd })}`;
  const found = existsSync(file) ? await readFile(file, 'utf8') : text;
  const kept = found === text || sent.hasRejected(found) ? undefined : await setAside(path, file);
  if (rejected.length === 0) await rm(file, { force: true });
  else {
    await sent.addRejected(text);
    await replaceFile(file, output => output.appendFile(text));
  }
  return kept;
}

async function setAside(path: string, file: string): Promise<string> {
  const nameOf = (number: number) => `${path}.rejected.${number}.csv`;
  let number = 1;
  while (existsSync(nameOf(number))) number++;
  await rename(file, nameOf(number));
  return nameOf(number);
}

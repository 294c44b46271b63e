import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { UsageError } from '../command-line.ts';
import { readRows } from '../csv/read-rows.ts';

/** Facts about the input file, collected before anything is sent. */
export interface Survey {
  readonly header: readonly string[];
  /** Rows behind the header, the unreadable ones among them. */
  readonly rows: number;
  /** Lines that are no CSV. */
  readonly unreadable: number;
  readonly sha256: string;
}

/** Reads the file once, from its start to its end. */
export async function surveyFile(path: string, delimiter: string): Promise<Survey> {
  if (/\.(jsonl|json|xlsx?)$/i.test(path)) throw new UsageError(`${path}: import reads CSV files only`);
  const sha256 = await hashFile(path);
  let header: readonly string[] | undefined;
  let [rows, unreadable] = [0, 0];
  for await (const row of readRows(path, delimiter)) {
    if (header === undefined && row.unreadable)
      throw new UsageError(`${path}: the first line ${row.unreadable}`);
    if (header === undefined) header = row.cells;
    else rows += 1;
    if (row.unreadable) unreadable += 1;
  }
  if (header === undefined) throw new UsageError(`${path} is empty: its first line must name the columns`);
  return { header, rows, unreadable, sha256 };
}

/** Returns the SHA-256 of a file; text in another encoding than UTF-8 would arrive as other text. */
async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk);
    try {
      decoder.decode(chunk, { stream: true });
    } catch {
      throw new UsageError(`${path} is not UTF-8: save it as "CSV UTF-8"`);
    }
  }
  return hash.digest('hex');
}

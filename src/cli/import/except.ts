import { UsageError } from '../command-line.ts';
import { visible } from '../csv.ts';
import { startReading } from '../progress.ts';
import type { Context } from '../surroundings.ts';
import { readText } from '../text-file.ts';
import { addressesBetween, personOf } from './addresses.ts';
import { pause } from './read-rows.ts';

/** What text never contains. It can contain a vertical tab, a form feed or DOS's end-of-file mark (`\x1a`). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are searched for.
const binary = /[\x01-\x08\x0e-\x19\x1c-\x1f]|^%PDF-/;

/** What may refer to people without a complete address: a part of an address, or only a domain. */
const unreadable = /[@*\uff20]|^["'\s]*(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}["'\s,;]*$/u;

/** Text up to the end of a line or, within a long line, up to a comma or semicolon. */
const pieces = /.{0,65536}[^\r\n,;]*[\r\n,;]*/gs;

/**
 * Returns the people in a file of addresses, whatever else it contains.
 * @throws UsageError if a line may mean people whose addresses cannot be read, such as `@company.test`.
 */
export async function readExcept(path: string, context: Context): Promise<ReadonlySet<string>> {
  const refuse = (reason: string) => new UsageError(`--except ${path}: ${reason}`, 'file');
  // Without a mark, UTF-16 is read as another encoding, with null characters in between.
  const text = (await readText(path, undefined, 'windows-1252')).text.replaceAll('\0', '');
  if (binary.test(text)) throw refuse('this file is not text. Save it as "CSV UTF-8".');
  const people = new Set<string>();
  using progress = startReading(context, path, text.length);
  let above = 0;
  for (const [piece] of text.matchAll(pieces)) {
    await pause(context.signal);
    const lines = piece.split(/\r?\n|\r/);
    for (const [index, line] of lines.entries()) {
      const { addresses, isWhole } = addressesBetween(line);
      for (const each of addresses) people.add(personOf(each));
      const isRead = isWhole && (addresses.length > 0 || visible(line) === '');
      if (!isWhole || (!isRead && unreadable.test(line)))
        throw refuse(
          `line ${above + index + 1} contains no email address that can be read. Write the addresses of the people it ` +
            'refers to, or delete the line.',
        );
    }
    above += lines.length - 1;
    progress.add(piece.length);
  }
  if (people.size === 0) throw refuse('this file contains no email address.');
  return people;
}

import { UsageError } from '../command-line.ts';
import { visible } from '../csv.ts';
import { readText } from '../text-file.ts';
import { addressesBetween, personOf } from './addresses.ts';

/** What no text contains. Some programs put a vertical tab, a form feed or the end of DOS (`\x1a`) into one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are searched for.
const binary = /[\x01-\x08\x0e-\x19\x1c-\x1f]|^%PDF-/;

/** What may mean people whom nobody can read: a part of an address, or a domain alone. */
const unreadable = /[@*\uff20]|^["'\s]*(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}["'\s,;]*$/u;

/**
 * Returns the people in a file of addresses, whatever else it contains.
 * @throws UsageError if a line may mean people whom nobody can read, such as `@company.test`.
 */
export async function readExcept(path: string): Promise<ReadonlySet<string>> {
  const refuse = (reason: string) => new UsageError(`--except ${path}: ${reason}`, 'file');
  // Without a mark, UTF-16 reads as other encodings with zeros between the characters.
  const text = (await readText(path, undefined, 'windows-1252')).text.replaceAll('\0', '');
  if (binary.test(text)) throw refuse('this file is no text; save it as "CSV UTF-8"');
  const people = new Set<string>();
  for (const [index, line] of text.split(/\r?\n|\r/).entries()) {
    const { addresses, isWhole } = addressesBetween(line);
    for (const each of addresses) people.add(personOf(each));
    const isRead = isWhole && (addresses.length > 0 || visible(line) === '');
    if (!isWhole || (!isRead && unreadable.test(line)))
      throw refuse(
        `line ${index + 1} holds no email address that can be read: write the addresses of the people it means, or delete the line`,
      );
  }
  if (people.size === 0) throw refuse('there is no email address in this file');
  return people;
}

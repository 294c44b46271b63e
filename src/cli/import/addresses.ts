import { domainToASCII } from 'node:url';
import { unprotect } from '../csv.ts';

/** Only an email address. */
const address = /^[^\s@<>,;"]+@[^\s@<>.,;"]+(?:\.[^\s@<>.,;"]+)+$/;

export const isAddress = (text: string): boolean => text.includes('@') && address.test(text.trim());

/** Text without the blanks and invisible characters around it. */
const withoutBlankEnds = /[^\s\p{Cf}](?:.*[^\s\p{Cf}])?/su;

/**
 * Returns the address in a cell such as `Ada <ada@example.com>`, without invisible characters around it. A cell without an
 * address, or with several, is returned unchanged: the client rejects it, so that the row is reported.
 */
export function addressIn(cell: string): string {
  const [text] = withoutBlankEnds.exec(cell) ?? [''];
  const [, named = text] = /^[^<>]*<([^<>\s]+)>$/.exec(text) ?? [];
  return isAddress(named) && new Set(addressesBetween(text).addresses).size === 1 ? named : text;
}

/** Returns text in lower case, with addresses in their usual form: some programs write other apostrophes. */
const fold = (text: string): string =>
  text
    .replace(/[\u2018\u2019\u02bc\u00b4`]/g, "'")
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase();

/** Returns the key of an address's owner: the address in its usual form, with the host in ASCII. */
export function personOf(text: string): string {
  const folded = fold(text);
  const start = folded.lastIndexOf('@') + 1;
  return folded.slice(0, start) + (domainToASCII(folded.slice(start)) || folded.slice(start));
}

/** Returns the people in a cell: first the one who would be imported, then all whose addresses are in it. */
export function peopleIn(cell: string): string[] {
  const text = unprotect(cell);
  return [...new Set([addressIn(text), ...addressesBetween(text).addresses].map(personOf))];
}

/** Most cells contain only an address. */
const onlyAddress = /^\w[\w.%+'-]{0,63}@[\w-]{1,63}(?:\.[\w-]{1,63})+$/;
const separators = /[\s,;:|<>()[\]{}"/\\?=]+/;
/** An address between separators, perhaps with quotes around it, a full stop, or the next member of a query. */
const between =
  /^'*([\p{L}\p{N}_][\p{L}\p{N}\p{M}_.%+&'~#*!^-]*@[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}\p{M}_-]+)*)(?:&[^@]*|['.]*)$/u;
/** A part of an address, or what may mean a whole company, but not a name such as `@ada`. */
const partial = /[^@']@|@[^@]*[^\w'-]/;

/**
 * Returns the addresses between separators, in lower case. `isWhole` is `false` if anything else looks like an address: two
 * without a separator, or one with a character that no address contains.
 */
export function addressesBetween(line: string): { readonly addresses: string[]; readonly isWhole: boolean } {
  if (onlyAddress.test(line)) return { addresses: [line.toLowerCase()], isWhole: true };
  if (!/[@\uff20]|mailto:/i.test(line)) return { addresses: [], isWhole: true };
  const links = line.replace(/mailto:([^\s?>"]*)/gi, (_, link: string) => ` ${decoded(link)} `);
  const words = fold(links)
    .replace(/ {1,3}@ {1,3}/g, '@')
    .split(separators)
    .filter(word => word.includes('@'));
  const addressOf = (word: string) => (word.includes('..') ? undefined : between.exec(word)?.[1]);
  const addresses = words.flatMap(word => addressOf(word) ?? []);
  return { addresses, isWhole: words.every(word => addressOf(word) !== undefined || !partial.test(word)) };
}

function decoded(link: string): string {
  try {
    return decodeURIComponent(link);
  } catch {
    return link;
  }
}

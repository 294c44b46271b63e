/** An email address, and nothing else. */
const address = /^[^\s@<>,;"]+@[^\s@<>.,;"]+(?:\.[^\s@<>.,;"]+)+$/;

export const isAddress = (text: string): boolean => text.includes('@') && address.test(text.trim());

/** A text without the white space and the invisible characters that people and programs write around it. */
const visible = /[^\s\p{Cf}](?:.*[^\s\p{Cf}])?/su;
/** No cell with an address is longer. */
const maxLength = 1000;

/**
 * Returns the address in a cell such as `Ada <ada@example.com>`. A cell that is no address, or has several, is returned as
 * it is: the client refuses it, and nobody is left out in silence.
 */
export function addressIn(cell: string): string {
  if (cell.length > maxLength) return cell;
  const [text] = visible.exec(cell) ?? [''];
  const [, named = text] = /^[^<>]*<([^<>\s]+)>$/.exec(text) ?? [];
  return isAddress(named) && new Set(addressesIn(text)).size === 1 ? named : text;
}

/** An address, whatever is around it. Its name is searched back from the `@`: a text can be long. */
const within =
  /@(?<=(?<name>[\p{L}\p{N}_][\p{L}\p{N}\p{M}_.%+&'~#-]{0,63})@)(?<host>[\p{L}\p{N}\p{M}_-]+(?:\.[\p{L}\p{N}\p{M}_-]+)*)/gu;

/** Most cells: nothing but an address. */
const plain = /^\w[\w.%+'-]{0,63}@[\w-]{1,63}(?:\.[\w-]{1,63})+$/;

/** Returns all addresses in a text, in lower case. */
export function addressesIn(text: string): string[] {
  if (plain.test(text)) return [text.toLowerCase()];
  if (!/[@\uff20]/.test(text)) return [];
  const folded = fold(text).replace(/\s{0,3}@\s{0,3}/g, '@');
  return [...folded.matchAll(within)].map(({ groups }) => `${groups?.name}@${groups?.host}`);
}

/** Apostrophes that programs write in place of the plain one. */
export const apostrophes = /[\u2018\u2019\u02bc\u00b4`]/g;

/** Returns a text in lower case in which an address has only its usual form. */
const fold = (text: string): string =>
  text
    .replace(apostrophes, "'")
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase();

const separators = /[\s,;:|<>()[\]{}"/\\?=]+/;
/** An address between separators, perhaps with quotes around it, a full stop, or the next member of a query. */
const between =
  /^'*([\p{L}\p{N}_][\p{L}\p{N}\p{M}_.%+&'~#*!^-]*@[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}\p{M}_-]+)*)(?:&[^@]*|['.]*)$/u;
/** A part of an address, or what may mean all of a company. A name alone, such as `@ada`, is none. */
const partial = /[^@']@|@[^@]*[^\w'-]/;

/**
 * Returns the addresses that stand between separators, in lower case. `isWhole` is `false` if there is something else that
 * looks like an address: two that are glued, or one with a character that no address has.
 */
export function addressesBetween(line: string): { readonly addresses: string[]; readonly isWhole: boolean } {
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

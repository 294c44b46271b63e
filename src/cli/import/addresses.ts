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
  const folded = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s{0,3}@\s{0,3}/g, '@')
    .toLowerCase();
  return [...folded.matchAll(within)].map(({ groups }) => `${groups?.name}@${groups?.host}`);
}

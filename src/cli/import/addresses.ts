/** An email address, and nothing else. */
const address = /^[^\s@<>,;"]+@[^\s@<>.,;"]+(?:\.[^\s@<>.,;"]+)+$/;

export const isAddress = (text: string): boolean => text.includes('@') && address.test(text.trim());

/** What people and programs write around an address: quotes, white space and invisible characters. */
const around = /^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu;

/**
 * Returns the address in a cell such as `Ada <ada@example.com>` or `mailto:ada@example.com`, and the first of several. A
 * cell that is no address is returned as it is: the client refuses it.
 */
export function addressIn(cell: string): string {
  const text = cell.replace(around, '').replace(/^(['"])(.*)\1$/su, '$2');
  if (isAddress(text) && !/^mailto:/i.test(text)) return text;
  const several = text.split('@').length > 2 ? text.split(/\s*(?::::|[;,|\s])\s*/) : [text];
  const first = several.find(part => part.includes('@')) ?? text;
  const named = (/<([^<>\s]+)>/.exec(text)?.[1] ?? first).replace(/^mailto:/i, '').replace(around, '');
  return isAddress(named) ? named : text;
}

/** An address in a text, whatever people and programs write around it. Its parts are limited: a text can be long. */
const within =
  /[\p{L}\p{N}_][\p{L}\p{N}\p{M}_.%+&'~#-]{0,63}@[\p{L}\p{N}\p{M}_-]{1,63}(?:\.[\p{L}\p{N}\p{M}_-]{1,63})*/gu;

/** Most cells: nothing but an address that {@link within} finds as a whole. */
const plain = /^\w[\w.%+'-]{0,63}@[\w-]{1,63}(?:\.[\w-]{1,63})+$/;

/** Returns all addresses in a text, in lower case. */
export function addressesIn(text: string): string[] {
  if (plain.test(text)) return [text.toLowerCase()];
  if (!/[@\uff20]/.test(text)) return [];
  const folded = text.normalize('NFKC').replace(/\p{Cf}/gu, '');
  return (
    folded
      .replace(/\s{0,3}@\s{0,3}/g, '@')
      .toLowerCase()
      .match(within) ?? []
  );
}

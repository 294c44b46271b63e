/** An email address, and nothing else. */
const address = /^[^\s@<>,;"]+@[^\s@<>.,;"]+(?:\.[^\s@<>.,;"]+)+$/;

export const isAddress = (text: string): boolean => text.includes('@') && address.test(text.trim());

/** White space and invisible characters, which people and programs write around an address. */
const isBlank = (character = ''): boolean => /[\s\p{Cf}]/u.test(character);

function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text[start])) start += 1;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

/**
 * Returns the address in a cell such as `Ada <ada@example.com>`. A cell that is no address, or has several, is returned as
 * it is: the client refuses it, and nobody is left out in silence.
 */
export function addressIn(cell: string): string {
  const text = withoutBlanks(cell);
  const [, named = text] = /^[^<>]*<([^<>\s]+)>$/.exec(text) ?? [];
  return isAddress(named) && new Set(addressesIn(text)).size === 1 ? named : text;
}

/** Characters of an address before its `@` and after it, and the first of it. */
const ofName = /[\p{L}\p{N}\p{M}_.%+&'~#-]/u;
const ofHost = /[\p{L}\p{N}\p{M}_-]/u;
const firstOfName = /[\p{L}\p{N}_]/u;
const maxNameLength = 64;
const maxHostLength = 255;

/** Returns the addresses in a text, whatever people and programs write around them. A text can be long. */
function addressesWithin(text: string): string[] {
  const found: string[] = [];
  let before = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    let start = at;
    while (start > before && at - start < maxNameLength && ofName.test(text[start - 1] ?? '')) start -= 1;
    while (start < at && !firstOfName.test(text[start] ?? '')) start += 1;
    let end = at + 1;
    const isOfHost = (index: number) => ofHost.test(text[index] ?? '');
    while (end - at <= maxHostLength && (isOfHost(end) || (text[end] === '.' && isOfHost(end + 1)))) end += 1;
    if (start === at || !isOfHost(at + 1)) continue;
    found.push(text.slice(start, end));
    before = end;
  }
  return found;
}

/** Most cells: nothing but an address. */
const plain = /^\w[\w.%+'-]{0,63}@[\w-]{1,63}(?:\.[\w-]{1,63})+$/;

/** Returns all addresses in a text, in lower case. */
export function addressesIn(text: string): string[] {
  if (plain.test(text)) return [text.toLowerCase()];
  if (!/[@\uff20]/.test(text)) return [];
  const folded = text.normalize('NFKC').replace(/\p{Cf}/gu, '');
  return addressesWithin(folded.replace(/\s{0,3}@\s{0,3}/g, '@').toLowerCase());
}

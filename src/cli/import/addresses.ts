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

/** Returns all addresses in a text, in lower case. */
export const addressesIn = (text: string): string[] =>
  text.includes('@')
    ? (text
        .replace(/\p{Cf}/gu, '')
        .toLowerCase()
        .replaceAll('mailto:', '')
        .match(/[^\s<>()[\]",;:|@]+@[^\s<>()[\]",;:|@]+/g)
        // Outlook writes 'ada@example.com', and a sentence ends with a full stop.
        ?.map(address => address.replace(/^'+|[.']+$/g, '')) ?? [])
    : [];

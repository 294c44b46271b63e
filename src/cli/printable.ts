/** Control characters but line breaks, and changes of direction: a terminal would obey them. */
const controls = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Returns text that comes from a file or the service as it can be printed on a terminal. */
export const printable = (text: string): string =>
  text.replace(controls, control => (control === '\n' ? control : '\ufffd'));

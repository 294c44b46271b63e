/** Text without one level of escapes, and where each of its characters came from. */
export interface DecodedText {
  readonly text: string;
  /** Index in the original text of each character, and of its end; absent for the original itself. */
  readonly origins?: Uint32Array;
}

/** Returns the index in the original text of a character, or of the end. */
export const originOf = ({ origins }: DecodedText, index: number): number =>
  origins ? (origins[index] ?? 0) : index;

/** Code points of the named HTML references that a key or an id can need. */
const namedReferences: Readonly<Record<string, string>> = {
  quot: '"',
  amp: '&',
  lt: '<',
  gt: '>',
  apos: "'",
  nbsp: ' ',
  sol: '/',
  plus: '+',
  equals: '=',
  colon: ':',
  comma: ',',
  period: '.',
  lowbar: '_',
  num: '#',
  percnt: '%',
  commat: '@',
};

/** Control characters by the letter that follows a backslash. */
const backslashLetters: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** One escape at the start of a text: what it stands for and how many characters it takes. */
interface Escape {
  readonly char: string;
  readonly length: number;
}

/** The longest escape is `%F0%9F%98%80`. */
const longestEscape = 12;

const escapePattern = /[\\%&]/;

/**
 * Removes one level of the escapes of JSON (`\/`, `\u002f`), URLs (`%2F`) and HTML (`&#47;`, `&#x2F;`, `&sol;`). What
 * is no valid escape stays. Returns `undefined` where the text has none.
 */
export function decodeEscapes(decoded: DecodedText): DecodedText | undefined {
  const { text } = decoded;
  if (!escapePattern.test(text)) return undefined;
  const parts: string[] = [];
  const starts = new Uint32Array(text.length + 1);
  let length = 0;
  let plainFrom = 0;
  const keep = (part: string, at: number, step: 0 | 1) => {
    parts.push(part);
    for (let index = 0; index < part.length; index++) starts[length++] = originOf(decoded, at + index * step);
  };
  for (let index = 0; index < text.length; ) {
    const found = escapeAt(text, index);
    if (!found) {
      index++;
      continue;
    }
    keep(text.slice(plainFrom, index), plainFrom, 1);
    keep(found.char, index, 0);
    index += found.length;
    plainFrom = index;
  }
  if (parts.length === 0) return undefined;
  keep(text.slice(plainFrom), plainFrom, 1);
  starts[length] = originOf(decoded, text.length);
  return { text: parts.join(''), origins: starts.subarray(0, length + 1) };
}

function escapeAt(text: string, index: number): Escape | undefined {
  switch (text[index]) {
    case '\\':
      return backslashEscape(text.slice(index, index + longestEscape));
    case '%':
      return percentEscape(text.slice(index, index + longestEscape));
    case '&':
      return htmlReference(text.slice(index, index + longestEscape));
    default:
      return undefined;
  }
}

function backslashEscape(text: string): Escape | undefined {
  const next = text[1] ?? '';
  if (next === 'u') {
    const [, digits] = /^\\u([0-9a-f]{4})/i.exec(text) ?? [];
    return digits ? { char: String.fromCharCode(Number.parseInt(digits, 16)), length: 6 } : undefined;
  }
  const letter = backslashLetters[next];
  if (letter) return { char: letter, length: 2 };
  return /^[^\sa-z0-9]/i.test(next) ? { char: next, length: 2 } : undefined;
}

/** Bytes of a UTF-8 sequence by its first byte, which is not ASCII. */
function sequenceLength(first: number): number {
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

/** Reads one character in UTF-8, or one byte as Latin-1 where there is no valid sequence. */
function percentEscape(text: string): Escape | undefined {
  const byteAt = (at: number) => {
    const [, digits] = /^%([0-9a-f]{2})$/i.exec(text.slice(at, at + 3)) ?? [];
    return digits === undefined ? undefined : Number.parseInt(digits, 16);
  };
  const first = byteAt(0);
  if (first === undefined) return undefined;
  if (first < 0x80) return { char: String.fromCharCode(first), length: 3 };
  const count = sequenceLength(first);
  const bytes = Array.from({ length: count }, (_, index) => byteAt(index * 3));
  try {
    const utf8 = new TextDecoder('utf-8', { fatal: true });
    const char = utf8.decode(Uint8Array.from(bytes, byte => byte ?? 0xff));
    return { char, length: count * 3 };
  } catch {
    return { char: String.fromCharCode(first), length: 3 };
  }
}

function htmlReference(text: string): Escape | undefined {
  const [whole = '', decimal, hex, name] =
    /^&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/i.exec(text) ?? [];
  if (name) {
    const char = Object.hasOwn(namedReferences, name) ? namedReferences[name] : undefined;
    return char ? { char, length: whole.length } : undefined;
  }
  const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16);
  return code <= 0x10ffff ? { char: String.fromCodePoint(code), length: whole.length } : undefined;
}

/** Takes secrets out of text that came from outside, before it can reach an error or a log. */
export type Redact = (text: string) => string;

const mask = '[redacted]';

/** Backslashes as JSON puts them, also JSON within JSON. Bounded, so that no text takes long to search. */
const backslashes = '(?:\\\\|%5[Cc]){0,7}';

/** Shorter ones are taken for secrets only where they stand alone: they could be a part of any word. */
const partOfNoWord = 8;

/**
 * Makes a {@link Redact} for whatever `secrets` holds by then, however JSON, URLs, forms and HTML spell them, and for
 * the values of the JSON members named in `members`.
 */
export function makeRedact(secrets: ReadonlySet<string>, members: readonly string[]): Redact {
  const values = members.map(
    name => new RegExp(`("?${name}${backslashes}"\\s{0,9}:\\s{0,9}${backslashes}")(?:[^"\\\\]|\\\\.)*`, 'g'),
  );
  let known = '';
  let patterns: readonly RegExp[] = [];
  return text => {
    // The longest first, so that none is spoilt by another that is a part of it.
    const sorted = [...secrets].sort((one, other) => other.length - one.length);
    if (known !== sorted.join('\n')) patterns = sorted.map(spellings);
    known = sorted.join('\n');
    const clean = patterns.reduce((left, pattern) => left.replace(pattern, mask), text);
    return values.reduce((left, pattern) => left.replace(pattern, `$1${mask}`), clean);
  };
}

/** Matches a secret, each of its characters in any spelling. */
function spellings(secret: string): RegExp {
  const text = [...secret].map(spelling).join('');
  return new RegExp(secret.length < partOfNoWord ? `(?<![A-Za-z0-9])${text}(?![A-Za-z0-9])` : text, 'g');
}

function spelling(char: string): string {
  const hex = (number: number) =>
    number.toString(16).replace(/[a-f]/g, digit => `[${digit}${digit.toUpperCase()}]`);
  const bytes = [...new TextEncoder().encode(char)].map(byte => `%(?:25){0,3}${hex(byte + 256).slice(1)}`);
  const units = char.split('').map(unit => `u${hex(unit.charCodeAt(0) + 65_536).slice(1)}`);
  const code = char.codePointAt(0) ?? 0;
  const literal = code < 128 ? `\\x${(code + 256).toString(16).slice(1)}` : char;
  const named = { '"': '&quot;', '&': '&amp;', '<': '&lt;', '>': '&gt;', ' ': '\\+' }[char] ?? literal;
  const all = [literal, units.join(backslashes), bytes.join(''), `&#${code};`, `&#x${hex(code)};`, named];
  return `${backslashes}(?:${all.join('|')})`;
}

import { type DecodedText, decodeEscapes, originOf } from './decode-escapes.ts';
import { toHeaders } from './http-response.ts';
import { TextFinder } from './text-finder.ts';

/** Text in place of a secret, in everything that leaves the library. */
const redactedText = '[redacted]';

/** Replaces a secret in the name of a header, which allows no brackets. */
const redactedHeaderName = 'redacted';

/** Shorter secrets are replaced only where no letter or digit adjoins them: they could be a part of any word. */
const minLengthInsideWords = 8;

/** Levels of escapes that are removed, such as JSON inside JSON inside a URL. */
const maxEscapeLevels = 8;

/** Levels of a parsed response that are kept: deeper ones could not be printed either. */
const maxDepth = 64;

const wordCharacter = /[a-z0-9]/i;

/** A range of a text, its end excluded. */
type Range = readonly [start: number, end: number];

/** A secret in each form in which it is searched for. */
interface KnownSecret {
  readonly finders: readonly TextFinder[];
  readonly onlyWholeWords: boolean;
}

/**
 * Removes secrets from text and data that came from outside. It searches for each secret in the text as it stands and
 * with each level of JSON, URL and HTML escapes removed, in time linear in the length of the text.
 */
export class Redactor {
  readonly #secrets = new Map<string, KnownSecret>();
  readonly #members: ReadonlySet<string>;
  readonly #memberFinders: readonly TextFinder[];

  /** @param members - Names of JSON members whose values are secret wherever they stand. */
  constructor(members: readonly string[]) {
    this.#members = new Set(members);
    this.#memberFinders = members.map(name => new TextFinder(name));
  }

  /** Adds a secret to search for. */
  add(secret: string): void {
    if (this.#secrets.has(secret)) return;
    const onlyWholeWords = secret.length < minLengthInsideWords;
    const finders = forms(secret).map(form => new TextFinder(form));
    this.#secrets.set(secret, { finders, onlyWholeWords });
  }

  /** Stops searching for a secret. */
  delete(secret: string): void {
    this.#secrets.delete(secret);
  }

  /** Returns the text with each secret replaced. */
  text(text: string): string {
    const ranges: Range[] = [];
    let level: DecodedText | undefined = { text };
    for (let depth = 0; level && depth <= maxEscapeLevels; depth++) {
      this.#search(level, ranges);
      level = decodeEscapes(level);
    }
    return replaceRanges(text, ranges);
  }

  /** Returns parsed JSON with each secret replaced in its texts and names. Numbers stay as they are. */
  value(value: unknown, depth = 0): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= maxDepth) return '[nested too deeply]';
    if (Array.isArray(value)) return value.map(item => this.value(item, depth + 1));
    const entries = Object.entries(value).map(([name, item]) => [
      this.text(name),
      this.#members.has(name) ? redactedText : this.value(item, depth + 1),
    ]);
    return Object.fromEntries(entries);
  }

  /** Returns a copy of the headers with each secret replaced in names and values. */
  headers(headers: Headers): Headers {
    return toHeaders([...headers].map(([name, value]) => [this.#headerName(name), this.text(value)]));
  }

  /** Header names arrive in lower case, so letters are compared without their case. */
  #headerName(name: string): string {
    const holdsSecret = [...this.#secrets].some(
      ([secret, { onlyWholeWords }]) => !onlyWholeWords && name.includes(secret.toLowerCase()),
    );
    return holdsSecret ? redactedHeaderName : name;
  }

  #search(decoded: DecodedText, ranges: Range[]): void {
    const { text } = decoded;
    const searched = text.replaceAll('+', ' ');
    const keep = (start: number, end: number) =>
      ranges.push([originOf(decoded, start), originOf(decoded, end)]);
    for (const { finders, onlyWholeWords } of this.#secrets.values())
      for (const finder of finders) {
        if (!onlyWholeWords) for (const cut of finder.findCut(searched)) keep(...cut);
        for (const start of finder.find(searched)) {
          const end = start + finder.pattern.length;
          const insideWord = wordCharacter.test(text[start - 1] ?? '') || wordCharacter.test(text[end] ?? '');
          if (!(onlyWholeWords && insideWord)) keep(start, end);
        }
      }
    // A value ends at the latest at the next quote of its kind, which can begin another: they take linear time.
    for (const finder of this.#memberFinders)
      for (const start of finder.find(text)) {
        const value = memberValue(text, start + finder.pattern.length);
        if (value) keep(...value);
      }
  }
}

/** Returns the forms of a secret to search for: as it is, without escapes of its own, and read back as UTF-8. */
function forms(secret: string): readonly string[] {
  let plain: DecodedText = { text: secret };
  for (let depth = 0; depth < maxEscapeLevels; depth++) plain = decodeEscapes(plain) ?? plain;
  // A header travels as Latin-1: a service that copies its bytes into a body makes other characters of them.
  const all = [secret, plain.text, isAscii(secret) ? secret : readAsUtf8(secret)].filter(
    form => form.trim() !== '',
  );
  return [...new Set(all.map(form => form.replaceAll('+', ' ')))];
}

/** ASCII is the same in UTF-8: such a key is searched for also in Jest's jsdom, which has no `TextDecoder`. */
const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text);

const readAsUtf8 = (text: string) =>
  new TextDecoder().decode(Uint8Array.from(text, char => Math.min(char.charCodeAt(0), 0xff)));

/** Characters between the name of a member and its value: quotes, a colon and white space. */
const maxSeparatorLength = 32;

/**
 * Returns the range of the text that follows a member's name as its value, if one does. Where the quotes are escaped,
 * it is found once a level of escapes is removed.
 */
function memberValue(text: string, from: number): Range | undefined {
  const [separator, quote] = /^["']?\s*[:=]\s*(["'])/.exec(text.slice(from, from + maxSeparatorLength)) ?? [];
  if (separator === undefined) return undefined;
  const start = from + separator.length;
  let end = start;
  while (end < text.length && text[end] !== quote) end += text[end] === '\\' ? 2 : 1;
  return [start, Math.min(end, text.length)];
}

/** Replaces ranges of a text, which may overlap and come in any order. */
function replaceRanges(text: string, ranges: Range[]): string {
  ranges.sort(([one], [other]) => one - other);
  let clean = '';
  let done = 0;
  for (const [start, end] of ranges) {
    if (start >= done) clean += text.slice(done, start) + redactedText;
    done = Math.max(done, end);
  }
  return clean + text.slice(done);
}

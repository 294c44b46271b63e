// Hides random secrets in random texts, and looks for them in what the client shows.
import fc from 'fast-check';
import { Redactor } from '../../src/http/redact.ts';
import { type FuzzOptions, fuzz } from './module.ts';

export const name = 'random secrets in random encodings';

/** Most milliseconds of processor time that one text takes: linear work needs less than a tenth. */
const maxMs = 2_000;

/** Keys that the client accepts, and long enough to be no word by chance. */
const secret = fc
  .string({
    minLength: 8,
    maxLength: 60,
    unit: fc.integer({ min: 0x20, max: 0x7e }).map(code => String.fromCharCode(code)),
  })
  .filter(text => text.trim() === text && text.length >= 8 && !/[\\%&].{0,11}$/.test(text));

const hex = (char: string, digits: number) => char.charCodeAt(0).toString(16).padStart(digits, '0');
const each = (text: string, write: (char: string) => string) => [...text].map(write).join('');

/** Ways to write a text into JSON, URLs and pages. */
const encodings: readonly ((text: string) => string)[] = [
  text => text,
  text => JSON.stringify(text).slice(1, -1),
  text => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  text => each(text, char => `\\u${hex(char, 4)}`),
  text => each(text, char => `\\u${hex(char, 4).toUpperCase()}`),
  encodeURIComponent,
  text => encodeURIComponent(text).replaceAll(/%[0-9A-F]{2}/g, code => code.toLowerCase()),
  text => new URLSearchParams({ k: text }).toString().slice(2),
  text => each(text, char => `%${hex(char, 2)}`),
  text => each(text, char => `&#${char.charCodeAt(0)};`),
  text => each(text, char => `&#x${hex(char, 2)};`),
  text =>
    text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&apos;').replaceAll('<', '&lt;'),
];

const encode = (text: string, steps: readonly number[]): string =>
  steps.reduce((current, step) => encodings[step]?.(current) ?? current, text);

/** Text around a secret, with pieces of escapes, which must not hide it. */
const around = fc.oneof(
  fc.string(),
  fc.constantFrom('\\', '%', '&', '&#', '\\u', '%2', '"', ' ', '+', '\\n', '%3D', '\u2028'),
);

const input = fc.record({
  secrets: fc.array(secret, { minLength: 1, maxLength: 5 }),
  steps: fc.array(fc.nat(encodings.length - 1), { maxLength: 3 }),
  before: around,
  after: around,
  /** Adds the middle of each secret as one more. */
  nested: fc.boolean(),
});

/** Headers that hold a text as value, if they can. */
function headersOf(text: string): Headers {
  const headers = new Headers();
  try {
    headers.append('x-echo', text);
  } catch {
    // A line break, for example.
  }
  return headers;
}

/** Redaction of the same text in parts that a secret is in: text, parsed JSON, names, and headers. */
function redactions(redactor: Redactor, text: string): readonly string[] {
  const value = { list: [text, { [text]: 1, more: text }] };
  return [
    redactor.text(text),
    JSON.stringify(redactor.value(value)),
    JSON.stringify(redactor.value(JSON.parse(JSON.stringify(value)))),
    ...redactor.headers(headersOf(text)).values(),
  ];
}

/** Secrets at whose ends a space of the text around them cannot be read as a part of them. */
const hasOwnEnds = (text: string) => !/^\+|\+$/.test(text);

const found = fc.asyncProperty(input, async ({ secrets, steps, before, after, nested }) => {
  const redactor = new Redactor(['dkimConfig']);
  for (const each of secrets) redactor.add(each);
  if (nested) for (const each of secrets) if (each.length >= 12) redactor.add(each.slice(2, -2));
  for (const each of secrets) {
    const written = encode(each, steps);
    // A space holds the secret apart from what could be read together with it as another escape.
    for (const clean of redactions(redactor, `${before} ${written} ${after}`))
      if (clean.includes(written) || clean.includes(JSON.stringify(written).slice(1, -1)))
        throw new Error(`found in ${JSON.stringify(clean)}`);
    const clean = redactor.text(`| ${written} |`);
    if (hasOwnEnds(each) && clean !== '| [redacted] |')
      throw new Error(`a part is left in ${JSON.stringify(clean)}`);
  }
});

/** Texts of pieces of secrets and escapes, repeated many times, take no more time than their length explains. */
const hostile = fc.asyncProperty(
  fc.record({
    secrets: fc.array(secret, { minLength: 1, maxLength: 20 }),
    cut: fc.nat(60),
    steps: fc.array(fc.nat(encodings.length - 1), { maxLength: 2 }),
    times: fc.integer({ min: 1, max: 20_000 }),
    between: around,
  }),
  async ({ secrets, cut, steps, times, between }) => {
    const redactor = new Redactor(['dkimConfig']);
    for (const each of secrets) redactor.add(each);
    const piece = encode((secrets[0] ?? '').slice(0, cut), steps) + between;
    const text = piece.repeat(Math.ceil(Math.min(times, 200_000 / Math.max(1, piece.length))));
    const { user } = process.cpuUsage();
    redactor.text(text);
    const ms = (process.cpuUsage().user - user) / 1_000;
    if (ms > maxMs) throw new Error(`${text.length} characters took ${Math.round(ms)} ms`);
  },
);

export async function run({ seed, milliseconds }: FuzzOptions): Promise<number> {
  const half = { seed, milliseconds: milliseconds / 2 };
  return (await fuzz(found, half)) + (await fuzz(hostile, half));
}

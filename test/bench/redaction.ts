/**
 * Measures what it costs to search a response for secrets, and shows that the time grows as the length of the text.
 * Usage: `node test/bench/redaction.ts`.
 */
import { Redactor } from '../../src/http/redact.ts';

const keyCount = 100;
const keyLength = 1_000;
/** Characters of the texts, each twice as long as the one before. */
const lengths = [125_000, 250_000, 500_000, 1_000_000];
/** Runs of each measurement, the fastest of which counts. */
const runs = 3;

/** Keys that share all but their last characters, as rotating tokens share a prefix. */
const keys = Array.from({ length: keyCount }, (_, index) => `${'k'.repeat(keyLength - 4)}${1_000 + index}`);
const redactor = new Redactor(['dkimConfig']);
for (const key of keys) redactor.add(key);

const prefix = 'k'.repeat(keyLength - 4);
/** Texts of responses, from pieces that are repeated to the length. */
const pieces: Readonly<Record<string, string>> = {
  'ordinary text': '{"id":"contact_1","email":"ada@example.com"},',
  'near matches of every key': `${prefix}0000 `,
  'near matches within escapes': '\\u006b'.repeat(keyLength - 4),
  'escapes of escapes': '%252525255c',
};

/** Returns the processor time of the fastest run, in milliseconds. */
function measure(run: () => unknown): number {
  const times = Array.from({ length: runs }, () => {
    const start = process.cpuUsage();
    run();
    return process.cpuUsage(start).user / 1_000;
  });
  return Math.min(...times);
}

console.log(`${keyCount} keys of ${keyLength} characters; milliseconds of processor time`);
console.log(['text', ...lengths.map(length => `${length / 1_000} kB`)].join(' | '));
for (const [name, piece] of Object.entries(pieces)) {
  const times = lengths.map(length => {
    const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
    return measure(() => redactor.text(text)).toFixed(0);
  });
  console.log([name, ...times].join(' | '));
}

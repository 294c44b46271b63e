// Each statement of the threat model in docs/SECURITY.md is held by a test.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesIn } from '../support/files.ts';
import { root } from './collect.ts';

const guide = readFileSync(`${root}docs/SECURITY.md`, 'utf8');

/** By the number of the statement, the title of a test that holds it, as it stands in its file. */
const titles: Readonly<Record<string, string>> = {
  T1: 'shows no secret after $name',
  T2: 'shows no secret that a service sends back with %s',
  T3: 'shows no part of a key at the place of the cut',
  T4: 'shows no key that %s holds',
  T5: 'is one line without control characters in a message after %s',
  T6: 'with near matches of 100 keys that share a prefix is searched up to 64 kB',
  T7: 'are literals, or have a reason why they are built from a value',
  T8: 'is not read beyond maxResponseBytes: %s',
  T9: 'with more encodings is refused before any is decoded: %s',
  T10: 'of %s keeps other calls within their own limits, without a busy loop',
  T11: 'leaves no rejection unhandled when a body fails after the call was aborted',
  T12: 'raw HTTP responses, over every way to await a call',
  T13: 'a %s under HTTP %i with %o has the outcome %s',
  T14: 'a key `__proto__` changes no object and stays',
  T15: 'acted twice',
  T16: 'every operation by default',
  T17: 'lets no page read the response to a %s of %s, which is %i',
  T18: 'shows a page of %s only text, numbers and booleans',
  T19: 'responds %i, and calls no onError: %s',
  T20: 'responds 500 without details if %s, and reports it once',
  T21: 'remembers a write of one visitor, whatever another writes',
  T22: 'reads no more of a body that is over the limit, and cancels it',
  T23: 'raw requests to the Node listener, directly and under Express',
  T24: 'the host "%s" can read neither the request log nor the web page nor the service',
  T25: 'checkpoints from outside',
  T26: 'of records that are nowhere starts over after a bounded search',
  T27: 'takes no part of a line that is larger than a row for a row',
  T28: 'no printed line holds the control character %j',
  T29: '%s may be http:, as it is on this machine',
  T30: 'are not shown if no header may hold them: %o',
  T31: 'that returns %s fails the call before anything is sent, once, and shows no key',
  T32: '%s is refused for a client and for a call, as it is set for each request',
  T33: 'the option $option of $place may be $kinds, and is named otherwise',
  T34: 'shows no secret that is thrown as %s',
  T35: 'leaves no rejection unhandled when a fetch rejects after the time limit',
  T36: 'ignores an `onDrift` that throws',
};

const sources = filesIn(root, 'test/**/*.ts')
  .filter(file => !file.endsWith('security.test.ts'))
  .map(file => readFileSync(root + file, 'utf8'));

test('the statements are numbered from 1 on, each with a test', () => {
  const numbers = [...guide.matchAll(/^- \*\*(T\d+)\*\* /gm)].map(([, number]) => number);
  expect(numbers).toEqual(numbers.map((_, index) => `T${index + 1}`));
  expect(numbers).toEqual(Object.keys(titles));
});

test.each(Object.entries(titles))('%s is held by a test that exists: %s', (_, title) => {
  expect(sources.some(source => source.includes(title))).toBe(true);
});

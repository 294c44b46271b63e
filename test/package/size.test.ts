import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import sizesWhenRecorded from './sizes.json' with { type: 'json' };
import { bundled, measure } from './sizes.ts';

const root = join(import.meta.dirname, '../../');

/** Bytes when they were last recorded. */
const recorded: Readonly<Record<string, number>> = sizesWhenRecorded;

/** Growth that needs no new record, so that a field does not turn a test red. */
const room = 1.02;

test('nothing is more than 2 % larger than recorded', async () => {
  const sizes = await measure();
  expect(Object.keys(sizes)).toEqual(Object.keys(recorded));
  const larger = Object.entries(sizes)
    .map(([name, bytes]) => ({ name, bytes, before: recorded[name] ?? 0 }))
    .filter(({ bytes, before }) => bytes > before * room)
    .map(
      ({ name, bytes, before }) =>
        `${name}: ${bytes} bytes, recorded ${before}. Remove what nobody needs, or run npm run record-sizes and say why in the commit`,
    );
  expect(larger).toEqual([]);
});

test.each([
  ['the full client', /the full client adds about (\d+) kB/],
  ['the browser client', /the browser client about (\d+) kB/],
])('runtimes.md states the size of %s, rounded', (name, statement) => {
  const [, kilobytes] = statement.exec(readFileSync(join(root, 'docs/runtimes.md'), 'utf8')) ?? [];
  expect(Number(kilobytes)).toBe(Math.round((recorded[name] ?? 0) / 1000));
});

test('the browser client contains no endpoint, header or phrase of the service', async () => {
  const text = await bundled("export * from './dist/browser.js'", 'browser');
  expect(text).toContain('createProxyHandler must respond there');
  const ofTheService = [
    '/contact/identify',
    '{identifier}',
    'X-Team-ApiKey',
    '/api/v1',
    'already',
    'not valid',
  ];
  expect(ofTheService.filter(phrase => text.includes(phrase))).toEqual([]);
});

// Compares what the guides list with the code: options and statuses.
import { readFileSync } from 'node:fs';
import * as main from 'email-marketing-client';
import { expect, test } from 'vitest';
import { meaningOf } from '../../src/call/status.ts';
import { clientOptionRules } from '../../src/client/client-options.ts';
import { root } from './collect.ts';

const guide = (name: string) => readFileSync(`${root}docs/${name}`, 'utf8');

/** Returns the first cell of each row of a guide's tables. */
const firstCells = (name: string) =>
  guide(name)
    .split('\n')
    .map(line => /^\|([^|]*)\|/.exec(line)?.[1] ?? '');

test('configuration.md has a row for each option of the client', () => {
  const rows = firstCells('configuration.md').join('\n');
  const missing = Object.keys(clientOptionRules({})).filter(name => !rows.includes(`\`${name}\``));
  expect(missing).toEqual([]);
});

const statuses = Array.from({ length: 100 }, (_, index) => 400 + index);
const numbersIn = (text: string) => (text.match(/\b4\d\d\b/g) ?? []).map(Number);

test('errors.md has a row for each error class, with its statuses', () => {
  for (const name of Object.keys(main).filter(name => name.endsWith('Error'))) {
    const [row] = guide('errors.md').match(new RegExp(`^\\| \`${name}\` \\|.*$`, 'm')) ?? [];
    expect(row, name).toBeDefined();
    const own = statuses.filter(status => meaningOf(status, 'not JSON', 'write').errorName === name);
    if (name !== 'ApiError') expect(numbersIn(row ?? ''), name).toEqual(own);
  }
});

test('retries.md names exactly the statuses that are retried, by their outcome', () => {
  const [, refused = '', unknown = ''] =
    /^\| call \| after `not-sent`(.*) \| after `unknown`(.*) \|$/m.exec(guide('retries.md')) ?? [];
  const retriedAfter = (outcome: string) =>
    statuses.filter(
      status =>
        meaningOf(status, 'not JSON', 'write').isTransient &&
        meaningOf(status, 'not JSON', 'write').outcome === outcome,
    );
  expect(numbersIn(refused)).toEqual(retriedAfter('refused'));
  expect(numbersIn(unknown)).toEqual(retriedAfter('unknown'));
  const [, never = ''] = /^(.*) are never retried/m.exec(guide('retries.md')) ?? [];
  expect(numbersIn(never)).not.toEqual([]);
  for (const status of numbersIn(never))
    expect(meaningOf(status, 'not JSON', 'write').isTransient).toBe(false);
});

// Rules of the service are cited by their number in docs/service.md: `rule 4.3`, `rules 6.4 and 6.5`.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesIn } from '../support/files.ts';
import { root } from './collect.ts';

const service = readFileSync(`${root}docs/service.md`, 'utf8');
const rules = [...service.matchAll(/^\*\*(\d+\.\d+)\*\* /gm)].map(([, number = '']) => number);

const citations = /\brules? (\d+\.\d+(?:(?:, | and | to )\d+\.\d+)*)/gi;
const citing = filesIn(root, '{src,test,docs,examples}/**/*.{ts,mjs,md,vue}');

test('the rules are numbered without a gap, section by section', () => {
  const sections = [...service.matchAll(/^## (\d+)\. /gm)].map(([, number]) => Number(number));
  const expected = sections.flatMap(section =>
    rules.filter(number => number.startsWith(`${section}.`)).map((_, index) => `${section}.${index + 1}`),
  );
  expect(sections).toEqual(sections.map((_, index) => index + 1));
  expect(rules).toEqual(expected);
});

test('every rule that the sandbox names as the reason of an error exists', () => {
  const named = filesIn(root, 'src/testing/**/*.ts').flatMap(file =>
    [...readFileSync(root + file, 'utf8').matchAll(/'(\d+\.\d+)'/g)].map(([, number = '']) => number),
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter(number => !rules.includes(number))).toEqual([]);
});

test('every rule that is cited exists', () => {
  const wrong = citing.flatMap(file =>
    [...readFileSync(root + file, 'utf8').matchAll(citations)]
      .flatMap(([, numbers = '']) => numbers.split(/, | and | to /))
      .filter(number => !rules.includes(number))
      .map(number => `rule ${number} in ${file}`),
  );
  expect(wrong).toEqual([]);
});

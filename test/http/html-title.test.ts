import { expect, test } from 'vitest';
import { htmlTitle } from '../../src/http/html-title.ts';

test.each([
  ['<!doctype html><html><title>Sign in</title><p>x</p>', 'Sign in'],
  [' \n<HTML><TITLE lang="en">  Bad \n\n Gateway </TITLE>', 'Bad Gateway'],
  ['<title>cut short', 'cut short'],
  ['<title></title><p>x</p>', ''],
  ['<title', ''],
  ['<p>no title</p>', ''],
  ['<', ''],
  ['text before <title>a title</title>', undefined],
  ['', undefined],
])('the title of %o is %o', (text, title) => {
  expect(htmlTitle(text)).toBe(title);
});

test('returns at most 100 characters of a title', () => {
  expect(htmlTitle(`<title>${'a'.repeat(101)}</title>`)).toBe('a'.repeat(100));
});

test('looks for a title in the first 4 096 characters', () => {
  const page = (spaces: number) => `<p>${' '.repeat(spaces)}<title>t</title>`;
  expect(htmlTitle(page(4_085))).toBe('t');
  expect(htmlTitle(page(4_096))).toBe('');
});

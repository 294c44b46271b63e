import { describe, expect, test } from 'vitest';
import { type DecodedText, decodeEscapes, originOf } from '../../src/http/decode-escapes.ts';

describe('escapes of JSON', () => {
  test.each([
    ['a\\/b', 'a/b'],
    ['a\\"b\\\\c', 'a"b\\c'],
    ['\\b\\f\\n\\r\\t', '\b\f\n\r\t'],
    ['\\u002f\\u002F', '//'],
    ['\\u00e9l', 'él'],
    ['\\ud83d\\ude00', '😀'],
    ['x\\_y', 'x_y'],
    ['\\\\', '\\'],
    ['\\u0\\u0041', '\\u0A'],
  ])('%o is %o', (text, plain) => {
    expect(decodeEscapes({ text })?.text).toBe(plain);
  });
});

describe('escapes of URLs', () => {
  test.each([
    ['a%2Fb%2fc', 'a/b/c'],
    ['%7F', '\x7f'],
    ['%C3%A9', 'é'],
    ['%DF%BF', '\u07ff'],
    ['%E0%A0%80', '\u0800'],
    ['%E2%82%AC', '€'],
    ['%EF%BF%BD', '\ufffd'],
    ['%F0%9F%98%80', '😀'],
    ['%E9l%E9', 'élé'],
    ['%C3x', 'Ãx'],
    ['%E2%82x', 'â\x82x'],
    ['%80', '\x80'],
    ['%252F', '%2F'],
  ])('%o is %o', (text, plain) => {
    expect(decodeEscapes({ text })?.text).toBe(plain);
  });
});

describe('escapes of HTML', () => {
  test.each([
    ['a&#47;b', 'a/b'],
    ['&#x2F;&#X2f;', '//'],
    ['&#128512;', '😀'],
    ['&#1114111;', '\u{10ffff}'],
    ['&quot;&amp;&lt;&gt;&apos;&nbsp;', '"&<>\' '],
    ['&sol;&plus;&equals;&colon;&comma;&period;', '/+=:,.'],
    ['&lowbar;&num;&percnt;&commat;', '_#%@'],
    ['&amp;amp;', '&amp;'],
  ])('%o is %o', (text, plain) => {
    expect(decodeEscapes({ text })?.text).toBe(plain);
  });
});

test.each([
  '',
  'plain',
  '\\',
  'c:\\dir',
  '\\ ',
  '\\u',
  '\\u12',
  '\\u00zz',
  '%',
  '%2',
  '%zz',
  '100% sure',
  'x%2 F',
  'a & b',
  '&amp',
  '&#;',
  '&#x;',
  '&#47',
  '&#1114112;',
  '&#12345678;',
  '&#x110000;',
  '&#x1000000;',
  '&unkown;',
  '&q;',
  '&0amp;',
])('%o holds no escape', text => {
  expect(decodeEscapes({ text })).toBeUndefined();
});

test('leaves what is no escape between escapes', () => {
  expect(decodeEscapes({ text: '100% of %41, c:\\dir & &lt;' })?.text).toBe('100% of A, c:\\dir & <');
});

test.each([
  ['\\n', [0, 2]],
  ['%41%42', [0, 3, 6]],
])('knows where the characters of %o came from', (text, origins) => {
  const decoded = decodeEscapes({ text }) as DecodedText;
  expect(origins.map((_, index) => originOf(decoded, index))).toEqual(origins);
});

test('knows where each character came from, over several levels', () => {
  const origins = (decoded: DecodedText | undefined) =>
    decoded && Array.from({ length: decoded.text.length + 1 }, (_, index) => originOf(decoded, index));
  const original = { text: 'a%252Fb\\n😀' };
  const once = decodeEscapes(original);
  expect(origins(original)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(once?.text).toBe('a%2Fb\n😀');
  expect(origins(once)).toEqual([0, 1, 4, 5, 6, 7, 9, 10, 11]);
  const twice = once && decodeEscapes(once);
  expect(twice?.text).toBe('a/b\n😀');
  expect(origins(twice)).toEqual([0, 1, 6, 7, 9, 10, 11]);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Redactor } from '../../../src/core/redactor.ts';

function redactorOf(...secrets: string[]): Redactor {
  const redactor = new Redactor(['PrivKey']);
  for (const secret of secrets) redactor.add(secret);
  return redactor;
}

const forms: readonly ((text: string) => string)[] = [
  text => text,
  text => JSON.stringify(text).slice(1, -1),
  text => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  text => JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1),
  text => encodeURIComponent(text),
  text => new URLSearchParams({ v: text }).toString().slice(2),
  text => encodeURIComponent(text).replaceAll(/%../g, octet => octet.toLowerCase()),
  text =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
];

/** Keys that the client accepts, of at least 8 characters. */
const key = fc
  .string({
    minLength: 8,
    maxLength: 60,
    unit: fc.integer({ min: 0x20, max: 0xff }).map(code => String.fromCharCode(code)),
  })
  .filter(text => text.trim() === text && !/\p{Cc}/u.test(text));

test('replaces a key in each of its forms, and in base64', () => {
  fc.assert(
    fc.property(key, secret => {
      for (const form of forms) expect(redactorOf(secret).text(`, ${form(secret)} ,`)).toBe(', [redacted] ,');
      const base64 = btoa(secret);
      expect(redactorOf(secret).text(base64)).toMatch(/^\[redacted\]=*$/);
      expect(redactorOf(secret).text(base64.replaceAll('=', ''))).toBe('[redacted]');
    }),
  );
});

test('replaces the whole of a key that contains another, in any order', () => {
  const [outer, inner] = ['outer-inner-secret-end', 'inner-secret'];
  expect(redactorOf(outer, inner).text(outer)).toBe('[redacted]');
  expect(redactorOf(inner, outer).text(outer)).toBe('[redacted]');
});

test('keeps keys of less than 8 characters', () => {
  expect(redactorOf('1234567').text('1234567')).toBe('1234567');
  expect(redactorOf('12345678').text('12345678')).toBe('[redacted]');
});

test('forgets the least recent of more than 1 000 secrets that change', () => {
  const redactor = redactorOf();
  const keys = Array.from({ length: 1_001 }, (_, index) => `rotating-key-${10_000 + index}`);
  const [first = '', second = ''] = keys;
  redactor.remember(keys.slice(0, 1_000));
  redactor.remember([first]);
  expect(redactor.text(`${first} ${second}`)).toBe('[redacted] [redacted]');
  redactor.remember(keys.slice(1_000));
  expect(redactor.text(`${first} ${second}`)).toBe(`[redacted] ${second}`);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Redactor } from '../../../src/core/redactor.ts';

function redactorOf(...secrets: string[]): Redactor {
  const redactor = new Redactor(['PrivKey']);
  redactor.hold(secrets);
  return redactor;
}

const forms: readonly ((text: string) => string)[] = [
  text => text,
  text => JSON.stringify(text).slice(1, -1),
  text => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  text => encodeURIComponent(text),
  text => new URLSearchParams({ v: text }).toString().slice(2),
];

/** Keys that the client accepts, of at least 8 characters. */
const key = fc
  .string({
    minLength: 8,
    maxLength: 60,
    unit: fc.integer({ min: 0x20, max: 0xff }).map(code => String.fromCharCode(code)),
  })
  .filter(text => text.trim() === text && !/\p{Cc}/u.test(text));

test('replaces a key in each of its forms', () => {
  fc.assert(
    fc.property(key, secret => {
      for (const form of forms) expect(redactorOf(secret).text(`, ${form(secret)} ,`)).toBe(', [redacted] ,');
    }),
  );
});

test('replaces the whole of a key that contains another, in any order', () => {
  const [outer, inner] = ['outer-inner-secret-end', 'inner-secret'];
  expect(redactorOf(outer, inner).text(outer)).toBe('[redacted]');
  expect(redactorOf(inner, outer).text(outer)).toBe('[redacted]');
});

test('keeps keys of fewer than 8 characters', () => {
  expect(redactorOf('1234567').text('1234567')).toBe('1234567');
  expect(redactorOf('12345678').text('12345678')).toBe('[redacted]');
});

test('forgets the least recent of more than 100 changing secrets, but no constant secret', () => {
  const redactor = redactorOf('static-key');
  redactor.hold(['static-key'])();
  const keys = Array.from({ length: 101 }, (_, index) => `rotating-key-${10_000 + index}`);
  const [first = '', second = ''] = keys;
  redactor.hold(keys.slice(0, 100))();
  redactor.hold([first])();
  expect(redactor.text(`${first} ${second}`)).toBe('[redacted] [redacted]');
  redactor.hold(keys.slice(100))();
  expect(redactor.text(`${first} ${second}`)).toBe(`[redacted] ${second}`);
  expect(redactor.text('static-key')).toBe('[redacted]');
});

test('keeps a secret until each call that holds it has ended, however many others come', () => {
  const redactor = redactorOf();
  const others = Array.from({ length: 101 }, (_, index) => `rotating-key-${10_000 + index}`);
  const releases = [redactor.hold(['key-in-use']), redactor.hold(['key-in-use'])];
  for (const release of releases) {
    redactor.hold(others)();
    expect(redactor.text('key-in-use')).toBe('[redacted]');
    release();
  }
  redactor.hold(others)();
  expect(redactor.text('key-in-use')).toBe('key-in-use');
});

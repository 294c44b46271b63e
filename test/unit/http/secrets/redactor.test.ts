import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Redactor } from '../../../../src/http/secrets/redactor.ts';

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
      expect(redactorOf(secret).text(btoa(secret))).toMatch(/^\[redacted\]=*$/);
    }),
  );
});

test('replaces a key whole that holds another, in any order', () => {
  const [outer, inner] = ['outer-inner-secret-end', 'inner-secret'];
  expect(redactorOf(outer, inner).text(outer)).toBe('[redacted]');
  expect(redactorOf(inner, outer).text(outer)).toBe('[redacted]');
});

test('keeps keys of fewer than 8 characters', () => {
  expect(redactorOf('1234567').text('1234567')).toBe('1234567');
  expect(redactorOf('12345678').text('12345678')).toBe('[redacted]');
});

test('keeps text of 64 kB whole', () => {
  const text = 'x'.repeat(64_000);
  expect(redactorOf('secret-key').text(text)).toBe(text);
  expect(redactorOf('secret-key').text(`${text}x`).length).toBeLessThan(64_000);
});

test('forgets the oldest keys that no call carries, but for the last hundred', () => {
  const redactor = redactorOf('static-key');
  const keyOf = (index: number) => `rotating-key-${index}.`;
  const endFirst = redactor.carry([keyOf(0)]);
  for (let index = 1; index <= 150; index += 1) redactor.carry([keyOf(index)])();
  expect(redactor.text(keyOf(0) + keyOf(52) + keyOf(51))).toBe(`[redacted][redacted]${keyOf(51)}`);
  endFirst();
  for (let index = 151; index <= 250; index += 1) redactor.carry([keyOf(index)])();
  expect(redactor.text(`static-key ${keyOf(0)}`)).toBe(`[redacted] ${keyOf(0)}`);
});

test('knows the credentials among headers', () => {
  const headers = {
    accept: 'application/json',
    Authorization: 'Basic dXNlcjpwYXNz==',
    'x-proxy-token': 'token-1',
    cookie: 'a=cookie-1; b=cookie-2',
    'x-gateway-key': 'correct horse battery staple',
    'x-request-id': 'id-1',
  };
  const redactor = new Redactor([]);
  const secrets = redactor.secretsIn(headers);
  expect(secrets).toEqual(expect.arrayContaining(['dXNlcjpwYXNz==', 'token-1', 'a=cookie-1; b=cookie-2']));
  expect(secrets.join()).not.toMatch(/json|id-1/);
  redactor.carry(secrets);
  expect(redactor.text('got correct horse battery staple, horse battery staple')).toBe(
    'got [redacted], [redacted]',
  );
});

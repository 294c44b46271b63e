// Redaction of secrets in text and data that came from outside.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Redactor } from '../../src/http/redact.ts';

function redactorOf(...secrets: string[]): Redactor {
  const redactor = new Redactor(['dkimConfig', 'PrivKey']);
  for (const secret of secrets) redactor.add(secret);
  return redactor;
}

/** Every way to write a text that a service, a proxy or an error page is known to use. */
const encodings: readonly ((text: string) => string)[] = [
  text => text,
  text => JSON.stringify(text).slice(1, -1),
  text => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  text => text.replace(/[^a-z0-9]/gi, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
  text => encodeURIComponent(text),
  text => encodeURIComponent(text).replace(/%../g, code => code.toLowerCase()),
  text => new URLSearchParams({ v: text }).toString().slice(2),
  text => text.replace(/[^a-z0-9]/gi, char => `&#${char.charCodeAt(0)};`),
  text => text.replace(/[^a-z0-9]/gi, char => `&#X${char.charCodeAt(0).toString(16)};`),
  text =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&apos;')
      .replaceAll('<', '&lt;')
      .replaceAll('/', '&sol;'),
];

/** Ends without the start of an escape, which would make one with the text after it. */
const secretText = fc
  .string({ minLength: 8, maxLength: 60 })
  .filter(text => text.trim() === text && !/\p{Cc}/u.test(text) && !/[\\%&].{0,11}$/.test(text));

describe('redaction of text', () => {
  test('finds a secret in any encoding, and in an encoding of an encoding', () => {
    const level = fc.nat(encodings.length - 1);
    fc.assert(
      fc.property(secretText, fc.array(level, { maxLength: 3 }), (secret, levels) => {
        const written = levels.reduce((text, index) => encodings[index]?.(text) ?? text, secret);
        const clean = redactorOf(secret).text(`before "${written}" after`);
        expect(clean).toBe('before "[redacted]" after');
      }),
      { numRuns: 2000 },
    );
  });

  test('finds a short secret next to an escape', () => {
    const redactor = redactorOf('k3y');
    for (const text of ['a\\nk3y', 'key%3Dk3y', 'key\\u003dk3y&', '&#61;k3y', 'x=k3y\\n'])
      expect(redactor.text(text)).not.toContain('k3y');
  });

  test('keeps a text where the secret is empty', () => {
    expect(redactorOf('').text('a, b')).toBe('a, b');
    expect([...redactorOf('').headers(new Headers({ 'x-a': 'b' }))]).toEqual([['x-a', 'b']]);
  });

  test('keeps a short secret inside a longer text of letters', () => {
    expect(redactorOf('err').text('an error, err')).toBe('an error, [redacted]');
  });

  test('finds a key of Latin-1 characters whose bytes were copied into UTF-8 text', () => {
    const bytes = Uint8Array.from('cl\xe9-secr\xe8te-42', char => char.charCodeAt(0));
    const text = new TextDecoder().decode(bytes);
    expect(redactorOf('cl\xe9-secr\xe8te-42').text(`key ${text}.`)).toBe('key [redacted].');
  });

  test('replaces overlapping secrets whole', () => {
    expect(redactorOf('abcdefgh', 'efghijkl').text('<abcdefghijkl>')).toBe('<[redacted]>');
  });

  test('replaces a secret whole that holds another', () => {
    const redactor = new Redactor([]);
    for (const secret of ['outer-inner-secret-end', 'inner-secret']) redactor.add(secret);
    expect(redactor.text('a outer-inner-secret-end b')).toBe('a [redacted] b');
  });

  test('replaces a key that holds escapes where a service shows it without them', () => {
    const redactor = redactorOf('tenant%252Fkey%2B42');
    expect(redactor.text('key tenant%252Fkey%2B42.')).toBe('key [redacted].');
    expect(redactor.text('key tenant%2Fkey+42.')).toBe('key [redacted].');
    expect(redactor.text('key tenant/key+42.')).toBe('key [redacted].');
  });

  test('keeps the spaces of a text where a secret is spaces without its escapes', () => {
    expect(redactorOf('%20%20%20').text('a   b')).toBe('a   b');
  });

  test('removes eight levels of escapes, and no more', () => {
    const escaped = (levels: number) => `tenant%${'25'.repeat(levels - 1)}2Fkey`;
    expect(redactorOf('tenant/key').text(escaped(8))).toBe('[redacted]');
    expect(redactorOf('tenant/key').text(escaped(9))).toBe(escaped(9));
  });

  test.each([
    ['first-secret', 'second-secret', 'third-secret'],
    ['first-secret', 'third-secret', 'second-secret'],
    ['second-secret', 'first-secret', 'third-secret'],
    ['second-secret', 'third-secret', 'first-secret'],
    ['third-secret', 'first-secret', 'second-secret'],
    ['third-secret', 'second-secret', 'first-secret'],
  ])('replaces each of several secrets, added as %s, %s and %s', (...secrets) => {
    const text = 'a first-secret b second-secret c third-secret d';
    expect(redactorOf(...secrets).text(text)).toBe('a [redacted] b [redacted] c [redacted] d');
  });

  test('replaces the start of a key where a text was cut, unless the key is short', () => {
    expect(redactorOf('sk_live_4f9a8b7c').text('got sk_live_4f…')).toBe('got [redacted]…');
    expect(redactorOf('error42').text('an erro…')).toBe('an erro…');
  });

  test('no longer replaces a secret that was deleted', () => {
    const redactor = redactorOf('retired-secret', 'current-secret');
    redactor.delete('retired-secret');
    expect(redactor.text('retired-secret, current-secret')).toBe('retired-secret, [redacted]');
  });
});

describe('redaction of the private key of a domain in text', () => {
  test.each([
    ['{"PrivKey":"MIIE","Domain":"a.test"}', '{"PrivKey":"[redacted]","Domain":"a.test"}'],
    ['{"PrivKey":"MII","Domain":"a.test"}', '{"PrivKey":"[redacted]","Domain":"a.test"}'],
    ['{"PrivKey" : "MIIE", "a": 1}', '{"PrivKey" : "[redacted]", "a": 1}'],
    ['{PrivKey: "MIIE", a: 1}', '{PrivKey: "[redacted]", a: 1}'],
    ['PrivKey="MIIE" a="1"', 'PrivKey="[redacted]" a="1"'],
    ["{'PrivKey': 'MIIE', 'a': 'b'}", "{'PrivKey': '[redacted]', 'a': 'b'}"],
    [`{PrivKey:'MI"IE', a:"b"}`, `{PrivKey:'[redacted]', a:"b"}`],
    [`{"PrivKey":"MI'IE","a":"b"}`, '{"PrivKey":"[redacted]","a":"b"}'],
    ['PrivKey=&#39;MIIE&#39;', 'PrivKey=&#39;[redacted]&#39;'],
    ['{"PrivKey":"MI\\"IE","a":1}', '{"PrivKey":"[redacted]","a":1}'],
    ['{"a":1,"PrivKey":"MIIE', '{"a":1,"PrivKey":"[redacted]'],
    ['{"a":1,"PrivKey":"MIIE\\', '{"a":1,"PrivKey":"[redacted]'],
    ['%22PrivKey%22:%22MIIE\\', '%22PrivKey%22:%22[redacted]'],
    ['missing dkimConfig: "dkimConfig": "MIIE"', 'missing dkimConfig: "[redacted]": "[redacted]"'],
  ])('shows nothing of it: %s', (text, clean) => {
    expect(redactorOf().text(text)).toBe(clean);
  });

  test.each([
    'the PrivKey of "a.test" is missing',
    'PrivKey is not valid: "a.test"',
    '{"PrivKey":null,"Domain":"a.test"}',
  ])('keeps a text that names the field and does not hold it: %s', text => {
    expect(redactorOf().text(text)).toBe(text);
  });

  test('replaces it in JSON text within JSON text', () => {
    const config = JSON.stringify(JSON.stringify({ Domain: 'a.test', PrivKey: 'MIIE"x\\y' }));
    const clean = redactorOf().text(`failed with ${config}`);
    expect(clean).not.toMatch(/MIIE|x\\+y/);
    expect(clean).toContain('a.test');
  });
});

describe('the time of a search', () => {
  test('passes a text of escapes within escapes', () => {
    const text = `%${'25'.repeat(100_000)}`;
    expect(redactorOf('tenant/key').text(text)).toBe(text);
  });

  test.each([28, 36, 39])('passes a text that repeats %i of the 40 characters of a key', length => {
    const key = 'sk_live_4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c';
    const text = `${key.slice(0, length)} `.repeat(20_000);
    expect(redactorOf(key).text(text)).toBe(text);
  });

  test('passes a megabyte of near matches of 100 keys of 1 000 characters', () => {
    const keys = Array.from({ length: 100 }, (_, index) => `${'a'.repeat(997)}${100 + index}`);
    const text = 'a'.repeat(1_000_000);
    expect(redactorOf(...keys).text(text)).toBe(text);
  });
});

describe('redaction of data', () => {
  test('keeps numbers that equal a secret, and replaces texts and names that hold one', () => {
    const clean = redactorOf('42', 'secret-key-1').value({
      code: 42,
      team: '42',
      'secret-key-1': [{ echoed: 'is secret-key-1!' }],
    });
    expect(clean).toEqual({
      code: 42,
      team: '[redacted]',
      '[redacted]': [{ echoed: 'is [redacted]!' }],
    });
  });

  test('replaces the values of secret members, whatever their type and size', () => {
    const clean = redactorOf().value({ dkimConfig: 'x'.repeat(9_000_000), inner: { PrivKey: { a: 1 } } });
    expect(clean).toEqual({ dkimConfig: '[redacted]', inner: { PrivKey: '[redacted]' } });
  });

  test.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('keeps 64 levels of %s, and cuts those that are too deep to be printed', (_, open, close) => {
    const nested = (levels: number, inner: string) => open.repeat(levels) + inner + close.repeat(levels);
    const clean = (json: string) => JSON.stringify(redactorOf().value(JSON.parse(json)));
    expect(clean(nested(64, '1'))).toBe(nested(64, '1'));
    expect(clean(nested(65, '1'))).toBe(nested(64, '"[nested too deeply]"'));
    expect(clean(nested(5_000, '1'))).toBe(nested(64, '"[nested too deeply]"'));
  });

  test('keeps null, true and false', () => {
    expect(redactorOf('true').value([null, true, { a: null, b: false }])).toEqual([
      null,
      true,
      { a: null, b: false },
    ]);
  });

  test('keeps a member named __proto__ as data', () => {
    const clean = redactorOf().value(JSON.parse('{"__proto__":{"x":1}}'));
    expect(Object.keys(clean as object)).toEqual(['__proto__']);
  });
});

describe('redaction of headers', () => {
  test('replaces a key in values and in names', () => {
    const clean = redactorOf('other-secret', 'Secret-Key-1').headers(
      new Headers({ 'x-echo': 'got Secret-Key-1', 'x-secret-key-1': 'a' }),
    );
    expect([...clean]).toEqual([
      ['redacted', 'a'],
      ['x-echo', 'got [redacted]'],
    ]);
  });
});

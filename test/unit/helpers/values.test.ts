import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  type Contact,
  customField,
  decrement,
  epochNanoseconds,
  InvalidRequestError,
  increment,
  parseDkimConfig,
  Secret,
} from '../../../src/index.ts';

/** Returns the error of a rejected value. */
const errorOf = (run: () => unknown): InvalidRequestError => {
  try {
    run();
  } catch (error) {
    if (error instanceof InvalidRequestError) return error;
  }
  throw new Error('the value was not rejected');
};

describe('Secret', () => {
  const secret = new Secret('canary');

  test('is shown as [redacted]', () => {
    const inspected = inspect({ a: [new Map([[secret, secret]])] }, { depth: 9, showHidden: true });
    for (const text of [String(secret), JSON.stringify({ secret }), inspected]) {
      expect(text).toContain('[redacted]');
      expect(text).not.toContain('canary');
    }
  });

  test('returns its text only from reveal, and has only this property', () => {
    expect(secret.reveal()).toBe('canary');
    expect(JSON.stringify(Object.entries(secret))).toBe('[]');
    expect(Reflect.ownKeys(secret)).toEqual(['reveal']);
    expect(JSON.stringify(structuredClone({ secret }))).toBe('{"secret":{}}');
  });
});

describe('increment and decrement', () => {
  test.each([
    [increment(5), '++5'],
    [decrement(5), '--5'],
    [decrement(10n ** 20n), '--100000000000000000000'],
    [increment(2n ** 53n), '++9007199254740992'],
    [increment(2 ** 53 - 1), '++9007199254740991'],
    [decrement(1e-7), '--0.0000001'],
    [decrement(-0), '--0'],
  ])('%s is %s', (made, expected) => {
    expect(made).toBe(expected);
  });

  test.each([
    [increment, -5, ': write decrement(5) (got -5).'],
    [decrement, -2n, ': write increment(2) (got bigint).'],
    [decrement, -1e-7, ': write increment(1e-7) (got -1e-7).'],
    [increment, 2 ** 53, ': pass a bigint, as it is not exact (got 9007199254740992).'],
    [increment, Number.NaN, ' (got NaN).'],
    [decrement, '5', ' (got string).'],
    [increment, null, ' (got null).'],
    [decrement, undefined, ' (got undefined).'],
  ])('%o rejects %o, and says what to write', (make, amount, advice) => {
    const error = errorOf(() => make(amount as number));
    expect(error.message).toBe(`${make.name}: amount must be a finite number from 0${advice}`);
    expect(error.issues).toHaveLength(1);
  });
});

describe('epochNanoseconds', () => {
  test.each([
    ['2025-12-22T09:04:10.613907001Z', 1766394250613907001n],
    ['2025-12-22T09:04:10.6Z', 1766394250600000000n],
    ['2025-12-22T09:04:10Z', 1766394250000000000n],
    ['1970-01-01T00:00:00.000000000Z', 0n],
    ['1969-12-31T23:59:59.999999999Z', -1n],
    ['0000-01-01T00:00:00Z', -62167219200000000000n],
    ['9999-12-31T23:59:59.999999999Z', 253402300799999999999n],
  ])('%s is %d', (text, expected) => {
    expect(epochNanoseconds(text)).toBe(expected);
  });

  test.each([
    ...['', '2025-12-22T09:04:10', '2025-12-22T09:04:10+01:00', '2025-02-30T09:04:10Z'],
    ...['2025-12-22T24:00:00Z', '2025-12-22T09:04:10.1234567890Z', '2025-12-22T09:04:10.613907001Z\n'],
  ])('%o is rejected', text => {
    expect(errorOf(() => epochNanoseconds(text as string)).outcome).toBe('not-sent');
  });
});

describe('customField', () => {
  const id = 'A1b2C3d4E5f6G7h8I9j0K1';
  const prefixes = ['', 'field_', 'custom_field_'];
  const contact = (customFields: Record<string, string>): Pick<Contact, 'customFields'> => ({ customFields });

  test.each(prefixes.flatMap(stored => prefixes.map(prefix => [stored, prefix])))(
    'finds a value under %o by an id with %o',
    (stored, prefix) => {
      expect(customField(contact({ [`${stored}${id}`]: 'gold' }), `${prefix}${id}`)).toBe('gold');
    },
  );

  test('prefers the value of the same key', () => {
    const both = contact({ [`field_${id}`]: 'short', [`custom_field_${id}`]: 'long' });
    expect(customField(both, `field_${id}`)).toBe('short');
    expect(customField(both, `custom_field_${id}`)).toBe('long');
  });

  test.each(['nothing', '', 'constructor'])('returns undefined for %o', key => {
    expect(customField(contact({ [id]: 'gold' }), key)).toBeUndefined();
  });
});

describe('parseDkimConfig', () => {
  const others = { Domain: 'mail.example.com', PubKey: 'public', Selector: 'k1', Headers: ['From', 'To'] };
  const text = JSON.stringify({ ...others, PrivKey: 'canary' });

  test.each([
    ['the text', text],
    ['the Secret', new Secret(text)],
  ])('types the members of %s, and keeps the private key a Secret', (_, input) => {
    const config = parseDkimConfig(input);
    expect(config).toMatchObject(others);
    expect(config.PrivKey.reveal()).toBe('canary');
    expect(inspect(config, { depth: 9 }) + JSON.stringify(config)).not.toContain('canary');
  });

  test.each(['', '["canary"]', '"canary"', 'null', '{"PrivKey":"canary"'])(
    'rejects %o, which is not an object, without showing it',
    input => {
      const error = errorOf(() => parseDkimConfig(new Secret(input)));
      expect(inspect(error, { depth: 9 })).not.toContain('canary');
    },
  );

  test('makes absent members empty', () => {
    const config = parseDkimConfig('{}');
    const { Domain, PubKey, PrivKey, Selector } = config;
    expect([Domain, PubKey, PrivKey.reveal(), Selector]).toEqual(['', '', '', '']);
  });
});

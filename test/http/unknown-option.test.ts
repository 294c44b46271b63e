import { describe, expect, test } from 'vitest';
import { nearestName, unknownNames } from '../../src/http/unknown-option.ts';

const known = ['apiKey', 'baseUrl', 'timeout', 'maxRetries', 'firstName', 'name', 'id'];

describe('unknownNames', () => {
  test('returns each name that is not known, with the nearest one that is', () => {
    expect(unknownNames({ apikey: 1, timout: 2, retries: 3, timeout: 4 }, known)).toEqual([
      { name: 'apikey', nearest: 'apiKey' },
      { name: 'timout', nearest: 'timeout' },
      { name: 'retries' },
    ]);
    expect(unknownNames({ baseUrl: 'x' }, known)).toEqual([]);
  });

  test('finds names of objects and not those of prototypes', () => {
    expect(unknownNames(Object.create({ nonsense: 1 }), known)).toEqual([]);
    expect(unknownNames(JSON.parse('{"__proto__":1,"constructor":2}'), known)).toEqual([
      { name: '__proto__' },
      { name: 'constructor' },
    ]);
  });

  test('reports at most 100 names, however many and however long they are', () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`name${index}`, index]));
    expect(unknownNames(many, known)).toHaveLength(100);
    expect(unknownNames({ ['a'.repeat(1_000_000)]: 1 }, known)).toHaveLength(1);
  });
});

describe('nearestName', () => {
  test.each([
    ['firstname', 'firstName'],
    ['FIRSTNAME', 'firstName'],
    ['fristName', 'firstName'],
    ['maxRetry', undefined],
    ['maxRetrys', 'maxRetries'],
    ['maxRetri', 'maxRetries'],
    ['baseUri', 'baseUrl'],
    ['anme', 'name'],
    ['nxye', undefined],
    ['nmxe', undefined],
    ['nxae', undefined],
    ['fristNxxe', undefined],
    ['ud', undefined],
    ['', undefined],
    ['entirelyDifferent', undefined],
  ])('finds for %s the name %s', (name, nearest) => {
    expect(nearestName(name, known)).toBe(nearest);
  });
});

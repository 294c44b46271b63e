import { describe, expect, test } from 'vitest';
import { hash } from '../../../src/pagination/checkpoint.ts';
import { KnownRecords } from '../../../src/pagination/known-records.ts';

const idsUpTo = (count: number) => Array.from({ length: count }, (_, index) => `contact_${index}`);

describe('known records', () => {
  test('are those that were added, of many', () => {
    const known = new KnownRecords();
    const ids = idsUpTo(100_000);
    for (const id of ids) expect(known.add(id)).toBe(0);
    expect(known.size).toBe(ids.length);
    expect(ids.every(id => known.lastSeen(id) > 0 && known.add(id) > 0)).toBe(true);
    expect(known.size).toBe(ids.length);
    expect(
      idsUpTo(200_000)
        .slice(100_000)
        .some(id => known.lastSeen(id) > 0),
    ).toBe(false);
  });

  test('tell when they were seen last', () => {
    const known = new KnownRecords();
    for (const id of ['a', 'b', 'a', 'c']) known.add(id);
    expect(['a', 'b', 'c', 'd'].map(id => known.lastSeen(id))).toEqual([3, 2, 4, 0]);
  });

  test.each([
    ['', '\0'],
    ['\0', '\0\0'],
    ['ab', 'ba'],
    ['a', 'a\0'],
    ['\u{1F600}', '\u{1F601}'],
    ['x'.repeat(100_000), 'x'.repeat(100_001)],
  ])('are told apart: %j and %j', (one, other) => {
    const known = new KnownRecords();
    known.add(one);
    expect([known.lastSeen(one) > 0, known.lastSeen(other) > 0]).toEqual([true, false]);
  });

  test('include those that a checkpoint remembers', () => {
    const known = new KnownRecords(hash('a') + hash('b'));
    expect(['a', 'b', 'c'].map(id => known.lastSeen(id) > 0)).toEqual([true, true, false]);
    expect([known.add('a'), known.size]).toEqual([1, 1]);
  });

  test('are all known unless a checkpoint has as many hashes as it can', () => {
    expect(new KnownRecords(idsUpTo(199).map(hash).join('')).isComplete).toBe(true);
    expect(new KnownRecords(idsUpTo(200).map(hash).join('')).isComplete).toBe(false);
  });
});

import { describe, expect, test } from 'vitest';
import { ListEnd } from '../../src/pagination/list-end.ts';
import { items } from './fake-list.ts';

/** A page: where it starts, how many records it has, and whether one of them was yielded before. */
type Shown = readonly [offset: number, length: number, isKnown?: boolean];

const empty = (offset: number): Shown => [offset, 0, false];

/** Returns the expected move after each of these pages. */
function movesAfter(...pages: Shown[]): number[] {
  const end = new ListEnd();
  return pages.map(([offset, length, isKnown = true]) => {
    end.add({ offset, records: items(length, offset) }, isKnown);
    return end.expectedMove;
  });
}

describe('the end of a list', () => {
  test('is expected to stay until a page is empty', () => {
    expect(movesAfter([70, 30], [60, 30], [50, 30])).toEqual([0, 0, 0]);
  });

  test('is expected to move as far as it moved per page since the one before the empty page', () => {
    expect(movesAfter(empty(100), [70, 28])).toEqual([0, 2]);
    expect(movesAfter(empty(100), [70, 27])).toEqual([0, 2]);
    expect(movesAfter(empty(100), [70, 26])).toEqual([0, 3]);
    expect(movesAfter([80, 21], empty(100), [70, 27])).toEqual([0, 0, 2]);
  });

  test('is expected to stay where it moved away from the start', () => {
    expect(movesAfter(empty(100), [90, 30])).toEqual([0, 0]);
    expect(movesAfter(empty(100), [80, 30], [90, 30], [93, 30])).toEqual([0, 0, 0, 0]);
  });

  test('is expected to move at most as far as a page has records between its first and its last one', () => {
    expect(movesAfter(empty(100), [50, 5])).toEqual([0, 3]);
    expect(movesAfter(empty(100), [50, 3])).toEqual([0, 1]);
    expect(movesAfter(empty(100), [50, 2])).toEqual([0, 0]);
    expect(movesAfter(empty(100), [50, 1])).toEqual([0, 0]);
  });

  test('may move less for as many pages as were empty before that counts', () => {
    expect(movesAfter(empty(100), [70, 26], [70, 26], [70, 26])).toEqual([0, 3, 3, 0]);
    expect(movesAfter(empty(100), empty(99), [70, 26], [70, 26], [70, 26], [70, 26])).toEqual([
      0, 0, 2, 2, 2, 0,
    ]);
  });

  test('moves further at once, however patient', () => {
    expect(movesAfter(empty(100), [70, 28], [70, 23])).toEqual([0, 2, 5]);
  });

  test('is compared with the page right before, not with the first one', () => {
    expect(movesAfter(empty(100), [70, 28], [70, 26], [70, 24])).toEqual([0, 2, 2, 2]);
  });

  test('is expected to stay after every third empty page, and to move one further after each three', () => {
    const pages: Shown[] = [empty(100), [70, 26]];
    for (let offset = 95; pages.length < 14; offset -= 6) pages.push(empty(offset), [offset - 30, 25]);
    expect(movesAfter(...pages).filter((_, index) => index % 2 === 1)).toEqual([3, 3, 0, 4, 4, 0, 5]);
  });

  test('is not measured across a page that lies behind the recent records', () => {
    expect(movesAfter(empty(100), [70, 28], [80, 10, false], [40, 20])).toEqual([0, 2, 2, 2]);
    expect(movesAfter(empty(100), [80, 10, false], [40, 20])).toEqual([0, 0, 0]);
    expect(movesAfter(empty(100), [80, 10, false], empty(90), [60, 21])).toEqual([0, 0, 0, 5]);
  });
});

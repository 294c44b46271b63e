import { describe, expect, test } from 'vitest';
import { Stall } from '../../src/pagination/stall.ts';
import { item, items } from './fake-list.ts';

/** Adds so many pages to a stall. */
const stalledBy = (pages: number, page: (index: number) => readonly [offset: number, newest: number]) => {
  const stall = new Stall();
  for (let index = 0; index < pages; index++) {
    const [offset, newest] = page(index);
    stall.add({ offset, records: [item(offset)] }, newest);
  }
  return stall;
};

describe('a list counts as growing faster than it is read', () => {
  test.each<[string, number, (index: number) => readonly [number, number]]>([
    ['the same record comes again', 64 + 1, () => [100, 5]],
    ['the same record comes from further and further back', 64 + 1, index => [1_000 - index, 5]],
    ['none of the recent records comes, from the same place', 64 + 1, () => [100, 0]],
    ['none of them comes, from further and further on', 64 + 1, index => [100 + index, 0]],
  ])('after 64 pages where %s', (_, pages, page) => {
    expect(stalledBy(pages - 1, page).isHopeless).toBe(false);
    expect(stalledBy(pages, page).isHopeless).toBe(true);
  });

  test('never while each page shows a newer record, or is one further back', () => {
    expect(stalledBy(1_000, index => [index, index + 1]).isHopeless).toBe(false);
    expect(stalledBy(1_000, index => [1_000 - index, 0]).isHopeless).toBe(false);
  });
});

describe('the effect of `offset` is probed', () => {
  test('once, after 8 pages that are no nearer to a new record', () => {
    expect(stalledBy(8, () => [100, 5]).needsProbe(false)).toBe(false);
    const stall = stalledBy(9, () => [100, 5]);
    expect([stall.needsProbe(false), stall.needsProbe(false)]).toEqual([true, false]);
  });

  test('at once where a response holds more records than requested', () => {
    expect(stalledBy(1, () => [100, 5]).needsProbe(true)).toBe(true);
  });
});

describe('an empty page', () => {
  test('shows the end right behind the record that was yielded last, and nowhere else', () => {
    const stall = stalledBy(1, () => [10, 5]);
    stall.addLatest(10, true);
    expect([9, 10, 11, 12].map(offset => stall.endsAt(offset))).toEqual([false, false, true, false]);
  });

  test('shows the end up to where a list that grows at its start has moved that record', () => {
    const stall = stalledBy(1, () => [10, 5]);
    stall.addLatest(10, true);
    stall.add({ offset: 11, records: [item(11)] }, 5);
    stall.addLatest(13, false);
    expect(stall.nextOffset).toBe(13 + 3 + 1);
    expect([13, 14, 17, 18].map(offset => stall.endsAt(offset))).toEqual([false, true, true, false]);
  });

  test('does not show the end before that record came alone', () => {
    const stall = stalledBy(1, () => [10, 5]);
    stall.addLatest(10, false);
    expect(stall.nextOffset).toBe(10);
    expect([10, 11].map(offset => stall.endsAt(offset))).toEqual([false, false]);
  });
});

test('growth is measured between two pages that follow each other alone', () => {
  const stall = stalledBy(1, () => [10, 5]);
  stall.addLatest(10, false);
  stall.add({ offset: 20, records: [item(20)] }, 0);
  stall.add({ offset: 15, records: [item(15)] }, 5);
  stall.addLatest(17, false);
  expect(stall.nextOffset).toBe(17);
});

test('the end of the list is followed by the pages that hold a recent record', () => {
  const stall = new Stall();
  stall.add({ offset: 100, records: [] }, 0);
  stall.add({ offset: 80, records: items(10, 80) }, 0);
  stall.add({ offset: 40, records: items(20, 40) }, 5);
  expect(stall.end.expectedMove).toBe(0);
  stall.add({ offset: 50, records: [] }, 0);
  stall.add({ offset: 20, records: items(26, 20) }, 5);
  expect(stall.end.expectedMove).toBe(3);
});

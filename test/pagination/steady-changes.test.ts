// Requests of an iteration over a list from which people leave, or which they join, all the time.
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../support/seeded-random.ts';
import { FakeList, ids, item, items } from './fake-list.ts';
import { checkExactlyOnce } from './service-model.ts';

/** Contacts that are there at first. At rest, 33 requests read them in pages of 100, and the start again. */
const contacts = 3_000;

/** When the list changes: before the service makes a response, or after the loop has read a page. */
type When = 'request' | 'page';

/** Reads a list to the end that changes so, and returns how many requests that took. Fails if one is lost or repeated. */
async function requestsOf(
  when: When,
  concurrency: number,
  change: (list: FakeList, seen: Set<string>) => void,
) {
  const list = new FakeList(items(contacts), 100);
  const seen = new Set<string>();
  const changeList = () => change(list, seen);
  list.onRequest = request => {
    if (request > 1_000) throw new Error('endless');
    if (when === 'request') changeList();
  };
  const yielded: string[] = [];
  for await (const page of list.paginate({ concurrency }).pages()) {
    yielded.push(...ids(page));
    for (const id of ids(page)) seen.add(id);
    if (when === 'page') changeList();
  }
  checkExactlyOnce({ yielded, throughout: ids(list.records).filter(id => !id.includes('new')) });
  return list.requests;
}

/** Deletes the first records of the list, of those that were read. */
const deleteBehind = (count: number) => (list: FakeList, seen: Set<string>) => {
  const { records } = list;
  const behind = records.slice(0, count).filter(({ id }) => seen.has(id)).length;
  list.records = records.slice(behind);
};

/** Deletes as many records on average, anywhere in the list. */
function deleteAnywhere(count: number) {
  const random = seededRandom(1);
  return (list: FakeList) => {
    for (let left = 2 * count; left > 0; left--)
      if (random() < 1 / 2) list.records.splice(Math.floor(random() * list.records.length), 1);
  };
}

/** Adds records before all others. */
function addInFront(count: number) {
  let added = 0;
  return (list: FakeList) => {
    list.records = [...Array.from({ length: count }, () => item(`new${added++}`)), ...list.records];
  };
}

describe.each(['request', 'page'] as const)('of 3 000 contacts, before or after each %s', when => {
  test.each([1, 3, 10])('%d leave behind the loop', async count => {
    expect(await requestsOf(when, 1, deleteBehind(count))).toBeLessThanOrEqual(40);
    expect(await requestsOf(when, 4, deleteBehind(count))).toBeLessThanOrEqual(80);
  });

  test.each([1, 3, 10])('about %d leave, from anywhere in the list', async count => {
    expect(await requestsOf(when, 1, deleteAnywhere(count))).toBeLessThanOrEqual(50);
    expect(await requestsOf(when, 4, deleteAnywhere(count))).toBeLessThanOrEqual(80);
  });

  test.each([1, 3, 10])('%d join in front of all others', async count => {
    expect(await requestsOf(when, 1, addInFront(count))).toBeLessThanOrEqual(55);
    expect(await requestsOf(when, 4, addInFront(count))).toBeLessThanOrEqual(55);
  });
});

test('none leaves: 33 requests, and one more if pages are read ahead', async () => {
  expect(await requestsOf('page', 1, () => {})).toBe(33);
  expect(await requestsOf('page', 4, () => {})).toBe(34);
});

// Requests of a paginator: page sizes, prefetching, and services that ignore, reject or cut what is requested.
import { describe, expect, test } from 'vitest';
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConnectionError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from '../../src/errors.ts';
import type { LoadPage } from '../../src/pagination/page-loader.ts';
import { RecordPaginator } from '../../src/pagination/record-paginator.ts';
import { FakeList, type Item, ids, item, items, readInto, refusal, settled } from './fake-list.ts';

const paginate = (load: LoadPage<Item>) =>
  new RecordPaginator<Item>({ resource: 'contacts', filter: {}, pageSizes: [100, 30], load });

describe('the size of pages', () => {
  test('is the maximum at first; the distance between pages then follows what the service returns', async () => {
    const list = new FakeList(items(95), 30);
    expect(ids(await list.paginate().toArray())).toEqual(ids(items(95)));
    // The last one looks for records that have moved to the start.
    expect(list.asked.map(({ offset }) => offset)).toEqual([0, 29, 58, 87, 94, 95, 0]);
    expect(list.asked.every(({ limit }) => limit === 100)).toBe(true);
  });

  test.each([
    ['BadRequestError', () => refusal(BadRequestError, 400)],
    ['a failure with status 200', () => refusal(ApiError, 200)],
    ['PermissionError', () => refusal(PermissionError, 403)],
    ['NotFoundError', () => refusal(NotFoundError, 404, '<html>')],
    ['ServerError', () => refusal(ServerError, 500)],
  ])('is smaller after the service rejected the larger one with %s', async (_, make) => {
    const list = new FakeList(items(70), 500);
    list.onRequest = () => {
      if ((list.asked.at(-1)?.limit ?? 0) > 30) throw make();
    };
    expect(ids(await list.paginate().toArray())).toEqual(ids(items(70)));
    expect(list.asked.map(({ limit }) => limit)).toEqual([100, 30, 30, 30, 30, 30]);
  });

  test('is smaller after an empty first page, even when a loop resumes from a checkpoint', async () => {
    const list = new FakeList(items(70), 500);
    const all = list.records;
    list.onRequest = () => {
      list.records = (list.asked.at(-1)?.limit ?? 0) > 30 ? [] : all;
    };
    expect(ids(await list.paginate().toArray())).toEqual(ids(items(70)));
    expect(list.asked.slice(0, 3).map(({ limit }) => limit)).toEqual([100, 30, 30]);
    const paginator = list.paginate();
    for await (const { id } of paginator) if (id === items(70)[40]?.id) break;
    const rest = list.paginate({ checkpoint: paginator.checkpoint });
    expect(ids(await rest.toArray())).toEqual(ids(items(70).slice(41)));
  });

  test.each([
    ['AuthenticationError', 1, () => refusal(AuthenticationError, 401)],
    ['RateLimitError', 1, () => refusal(RateLimitError, 429)],
    ['ConnectionError', 1, () => new ConnectionError('gone', { outcome: 'unknown' })],
    ['BadRequestError', 2, () => refusal(BadRequestError, 400)],
  ])(
    'is reduced only if that can help: requests that fail with %s end after %d',
    async (name, requests, make) => {
      const list = new FakeList(items(70), 500);
      list.onRequest = () => {
        throw make();
      };
      await expect(list.paginate().toArray()).rejects.toMatchObject({ name });
      expect(list.requests).toBe(requests);
    },
  );
});

// Pages of 30 although 100 were requested, then one that contains only the last record yielded.
test.each([2, 3])(
  'the loop requests what follows page %d, which has one record, if the service shortens pages',
  async cut => {
    const list = new FakeList(items(100), 30);
    const load: LoadPage<Item> = async (page, options) => {
      const records = await list.load(page, options);
      return list.requests === cut + 1 ? records.slice(0, 1) : records;
    };
    expect(ids(await paginate(load).toArray())).toEqual(ids(items(100)));
  },
);

test('a record that moves up to an offset that was read is not lost after a shortened page', async () => {
  const list = new FakeList(items(100), 30);
  const load: LoadPage<Item> = async (page, options) => {
    const records = await list.load(page, options);
    if (list.requests === 3) list.delete(item(0).id);
    return list.requests === 3 ? records.slice(0, 1) : records;
  };
  expect(ids(await paginate(load).toArray())).toEqual(ids(items(100)));
});

// In pages of 100, a manual loop makes 1, 1, 1, 2, 3, 6 and 31, because it ends at a page that is shorter than requested. An
// empty first page can be the response to a limit that is too large. After any record, the start is read again.
test.each([
  [0, 100, 2],
  [1, 100, 3],
  [99, 100, 3],
  [100, 100, 3],
  [242, 100, 5],
  [500, 100, 8],
  [3_000, 100, 33],
  [400, 30, 17],
  [400, 2, 402],
  // Pages of one record do not overlap: each is confirmed by a second look at the one before it.
  [400, 1, 802],
])('%d records in pages of %d take %d requests', async (size, cap, requests) => {
  const list = new FakeList(items(size), cap);
  expect(await list.paginate().toArray()).toHaveLength(size);
  expect(list.requests).toBe(requests);
});

describe('prefetching', () => {
  test('loads one page by default', async () => {
    const list = new FakeList(items(100), 10);
    for await (const { id } of list.paginate()) {
      await settled();
      if (id === item(0).id) expect(list.requests).toBe(2);
      if (id === item(15).id) break;
    }
    expect(list.requests).toBe(3);
    expect(list.mostInFlight).toBe(1);
  });

  test('loads one page after a first page that is shorter than requested, because it may be the last', async () => {
    const list = new FakeList(items(100), 10);
    await list.paginate({ concurrency: 16 }).toArray({ max: 1 });
    expect(list.requests).toBe(2);
  });

  test('loads up to `concurrency` pages after a full page', async () => {
    const list = new FakeList(items(105), 100);
    expect(await list.paginate({ pageSize: 10, concurrency: 4 }).toArray()).toHaveLength(105);
    expect(list.asked.slice(0, 6).map(({ offset }) => offset)).toEqual([0, 9, 18, 27, 36, 45]);
    expect([3, 4]).toContain(list.mostInFlight);
  });

  test.each([4_096, Number.POSITIVE_INFINITY])(
    'loads at most twice as many pages as were read, with a concurrency of %d',
    async concurrency => {
      const list = new FakeList(items(334), 100);
      let read = 0;
      let most = 0;
      list.onRequest = () => {
        most = Math.max(most, list.inFlight / (read + 1));
      };
      for await (const _ of list.paginate({ pageSize: 10, concurrency }).pages()) {
        read += 1;
        await new Promise(resolve => setImmediate(resolve));
      }
      // The paginator requests pages right before it yields one.
      expect(most).toBe(2);
      // After an empty page, it requests none.
      expect(list.requests).toBeLessThan(2 * 37);
    },
  );
});

test('a record that a page contains twice in succession is yielded once', async () => {
  const list = new FakeList([...items(3), item(2), ...items(200, 3)], 100);
  const seen = ids(await list.paginate().toArray());
  expect(seen).toEqual(ids([...items(3), ...items(200, 3)]));
});

test('records are told apart by their ids, however alike or long these are', async () => {
  const alike = ['\0', '\0\0', 'ab', 'ba', 'a', 'a\0', '\u{1F600}', '\u{1F601}'];
  const long = ['x'.repeat(100_000), 'x'.repeat(100_001)];
  const records = [...[...alike, ...long].map(id => ({ id })), ...items(100_000)];
  expect(await new FakeList(records, 100).paginate().toArray()).toEqual(records);
});

describe('a service that ignores the offset', () => {
  test.each([1, 2, 12, 100, 200_000])(
    'is reported when it returns the same %d records each time',
    async count => {
      let requests = 0;
      const paginator = paginate(async () => {
        requests += 1;
        return items(count);
      });
      const seen: Item[] = [];
      const error = await readInto(seen, paginator).catch(error => error);
      expect(error).toMatchObject({
        name: 'InvalidResponseError',
        operation: 'contacts.list',
        outcome: 'done',
        message:
          'contacts.list: the response cannot be used: expected new records, got the same records at every offset.',
        issues: [{ path: '', expected: 'new records' }],
        checkpoint: paginator.checkpoint,
      });
      expect(ids(seen)).toEqual(ids(items(count)));
      expect(requests).toBeLessThan(20);
    },
  );

  test.each<[string, () => Promise<readonly Item[]>]>([
    ['rejects a page far past the end', () => Promise.reject(refusal(BadRequestError, 400))],
    ['returns nothing far past the end', async () => []],
  ])('is reported as a list that changes faster than it is read if it %s', async (_, far) => {
    let requests = 0;
    const load: LoadPage<Item> = async ({ offset }) => {
      if (++requests > 80) throw new Error('endless');
      return offset >= 1e9 ? far() : items(120);
    };
    await expect(paginate(load).toArray()).rejects.toThrow('changes faster than it is read');
  });
});

/** Errors of a service that rejects an offset past the last record. */
const offsetRefusals: readonly [string, () => ApiError][] = [
  ['400', () => refusal(BadRequestError, 400, 'no')],
  ['404', () => refusal(NotFoundError, 404, { status: 'error', message: 'offset out of range' })],
  ['416', () => refusal(ApiError, 416)],
  ['422', () => refusal(BadRequestError, 422)],
];

describe.each(offsetRefusals)('a service that rejects an offset past the end with %s', (_, refuse) => {
  test.each([1, 8])('is read to the end, with a concurrency of %d', async concurrency => {
    for (const size of [1, 30, 31, 95]) {
      const list = new FakeList(items(size), 30);
      list.refusesOffset = refuse;
      expect(ids(await list.paginate({ concurrency }).toArray())).toEqual(ids(items(size)));
    }
  });

  test('rejects the iteration with that error if it rejects an offset in the middle', async () => {
    const list = new FakeList(items(95), 30);
    const error = refuse();
    const load: LoadPage<Item> = (page, options) =>
      page.offset >= 58 ? Promise.reject(error) : list.load(page, options);
    const paginator = paginate(load);
    const seen: Item[] = [];
    await expect(readInto(seen, paginator)).rejects.toBe(error);
    expect(error.checkpoint).toEqual(paginator.checkpoint);
    // Pages before the rejected offset still bring records, and show that one is there.
    expect(ids(seen)).toEqual(ids(items(seen.length)));
    expect(seen.length).toBeGreaterThanOrEqual(59);
    expect(list.requests).toBeLessThan(12);
  });
});

test.each([
  ['the page of a gateway', () => refusal(NotFoundError, 404, '<html>not found</html>')],
  ['a 404 without a message', () => refusal(NotFoundError, 404, { status: 'error' })],
  ['a missing permission', () => refusal(PermissionError, 403)],
  ['a failure of the server', () => refusal(ServerError, 500)],
])('%s past the end is an error', async (_, refuse) => {
  const list = new FakeList(items(95), 30);
  list.refusesOffset = refuse;
  await expect(list.paginate().toArray()).rejects.toMatchObject({ name: refuse().name });
});

test('a service that returns its last page for every offset beyond the end is read to the end', async () => {
  const list = new FakeList(items(95), 30);
  const seen: Item[] = [];
  const clamped = paginate(({ offset, limit }, options) =>
    list.load({ offset: Math.min(offset, 65), limit }, options),
  );
  await expect(readInto(seen, clamped)).rejects.toMatchObject({ name: 'InvalidResponseError' });
  expect(ids(seen)).toEqual(ids(items(95)));
});

test('a page of 200 000 records, from a service that ignores `limit`, fits into an array', async () => {
  const list = new FakeList(items(200_000), Number.POSITIVE_INFINITY);
  const load: LoadPage<Item> = (page, options) => list.load({ ...page, limit: 200_000 }, options);
  expect(await paginate(load).toArray()).toHaveLength(200_000);
});

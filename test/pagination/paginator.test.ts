import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiError, BadRequestError, ConnectionError, ServerError } from '../../src/errors.ts';
import { FakeList, type Item, ids, item, items, refusal } from './fake-list.ts';

const unhandled: unknown[] = [];
const note = (error: unknown) => unhandled.push(error);

beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});

afterEach(async () => {
  await new Promise(resolve => setTimeout(resolve, 5));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

/** Something to wait for until it is opened. */
const latch = () => {
  let open = () => {};
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  return { opened, open };
};

/** Waits until the request with this number comes, and holds its answer until it is cancelled. */
const holdFrom = (list: FakeList, first: number, signals: Promise<unknown>) => {
  list.onRequest = async request => {
    if (request >= first) await signals;
  };
};

describe('the size of pages', () => {
  test('is the maximum at first, and then what the service gives', async () => {
    const list = new FakeList(items(95), 30);
    expect(ids(await list.paginate().toArray())).toEqual(ids(items(95)));
    expect(list.asked.map(({ offset }) => offset)).toEqual([0, 29, 58, 87, 94, 95]);
    expect(list.asked.every(({ limit }) => limit === 100)).toBe(true);
  });

  test.each([
    ['BadRequestError', () => refusal(BadRequestError, 400)],
    ['a failure under 200', () => refusal(ApiError, 200)],
    ['ServerError', () => refusal(ServerError, 500)],
  ])('is smaller after the service refused with %s', async (_, make) => {
    const list = new FakeList(items(70), 500);
    list.onRequest = () => {
      if ((list.asked.at(-1)?.limit ?? 0) > 30) throw make();
    };
    expect(ids(await list.paginate().toArray())).toEqual(ids(items(70)));
    expect(list.asked.map(({ limit }) => limit)).toEqual([100, 30, 30, 30, 30, 30]);
  });

  test('throws the error of a service that refuses every page size', async () => {
    const list = new FakeList(items(70), 500);
    list.onRequest = () => {
      throw refusal(BadRequestError, 400);
    };
    await expect(list.paginate().toArray()).rejects.toMatchObject({ name: 'BadRequestError' });
    expect(list.requests).toBe(2);
  });

  test('is not smaller after other errors', async () => {
    const list = new FakeList(items(70), 500);
    list.onRequest = () => {
      throw new ConnectionError('gone', { outcome: 'unknown' });
    };
    await expect(list.paginate().toArray()).rejects.toMatchObject({ name: 'ConnectionError' });
    expect(list.requests).toBe(1);
  });

  test('requests pages of the size that is given', async () => {
    const list = new FakeList(items(20), 500);
    await list.paginate({ pageSize: 7 }).toArray();
    expect(list.asked.every(({ limit }) => limit === 7)).toBe(true);
  });

  test('needs one request for an empty list and three for a short one', async () => {
    const empty = new FakeList([], 100);
    expect(await empty.paginate().toArray()).toEqual([]);
    expect(empty.requests).toBe(1);
    const short = new FakeList(items(5), 100);
    expect(await short.paginate({ concurrency: 16 }).toArray()).toHaveLength(5);
    expect(short.requests).toBe(3);
  });
});

describe('a checkpoint', () => {
  test('is at most 3 kB of JSON', async () => {
    const list = new FakeList(items(1000), 100);
    const paginator = list.paginate();
    await paginator.toArray({ max: 500 });
    const text = JSON.stringify(paginator.checkpoint);
    expect(text.length).toBeLessThan(3_000);
    expect(JSON.parse(text)).toEqual(paginator.checkpoint);
  });

  test.each([1, 2, 39, 40])('resumes after record %d of 40, by pages of 30', async yielded => {
    const list = new FakeList(items(40), 30);
    const paginator = list.paginate();
    const first = await paginator.toArray({ max: yielded });
    list.records = [item('new'), ...list.records.slice(1)];
    const rest = await list.paginate({ checkpoint: paginator.checkpoint }).toArray();
    expect(ids([...first, ...rest]).filter(id => !id.endsWith('new'))).toEqual(ids(items(40)));
  });

  test('finds its place again when hundreds were added before it', async () => {
    const list = new FakeList(items(500), 100);
    const paginator = list.paginate();
    const first = await paginator.toArray({ max: 250 });
    list.records = [...items(730, 9000), ...list.records];
    const rest = await list.paginate({ checkpoint: paginator.checkpoint }).toArray();
    expect(ids([...first, ...rest])).toEqual(ids(items(500)));
  });

  test('finds its place again from where one record is left of a list that shrank', async () => {
    const list = new FakeList(items(60), 30);
    const paginator = list.paginate();
    const first = await paginator.toArray({ max: 50 });
    list.records = list.records.slice(10);
    const rest = await list.paginate({ checkpoint: paginator.checkpoint }).toArray();
    expect(ids([...first, ...rest])).toEqual(ids(items(60)));
  });

  test('comes with an error, and resumes from there', async () => {
    const list = new FakeList(items(250), 100);
    list.onRequest = request => {
      if (request === 3) throw new ConnectionError('gone', { outcome: 'unknown' });
    };
    const seen: Item[] = [];
    const paginator = list.paginate({ concurrency: 4 });
    const run = async () => {
      for await (const record of paginator) seen.push(record);
    };
    const error: ConnectionError = await run().catch(error => error);
    expect(error).toMatchObject({ name: 'ConnectionError', checkpoint: paginator.checkpoint });
    const rest = await list.paginate({ checkpoint: error.checkpoint }).toArray();
    expect(ids([...seen, ...rest])).toEqual(ids(items(250)));
  });

  test('of another source is refused', async () => {
    const list = new FakeList(items(3), 100);
    const { checkpoint } = list.paginate();
    expect(() => list.paginate({ checkpoint: { ...checkpoint, source: 'lists.list x' } })).toThrow(
      'contacts.all: checkpoint.source must be that of a paginator over the same records',
    );
  });

  test('is at the end of the page when pages are yielded', async () => {
    const list = new FakeList(items(150), 100);
    const paginator = list.paginate();
    for await (const page of paginator.pages()) {
      expect(page).toHaveLength(100);
      break;
    }
    expect(paginator.checkpoint.offset).toBe(100);
    expect(ids(await paginator.toArray())).toEqual(ids(items(50, 100)));
  });
});

describe('pages ahead', () => {
  test('go up to the concurrency once a full page has shown that there are more', async () => {
    const list = new FakeList(items(105), 100);
    expect(await list.paginate({ pageSize: 10, concurrency: 16 }).toArray()).toHaveLength(105);
    expect(list.asked.slice(0, 6).map(({ offset }) => offset)).toEqual([0, 9, 18, 27, 36, 45]);
    expect(list.mostInFlight).toBeLessThanOrEqual(16);
    const short = new FakeList(items(15), 100);
    expect(await short.paginate({ pageSize: 10, concurrency: 16 }).toArray()).toHaveLength(15);
    // The last two show that nothing follows the fifteenth.
    expect(short.requests).toBe(1 + 2 + 2);
  });

  test.each([4_096, Number.POSITIVE_INFINITY])(
    'are at most twice as many as were read, with a concurrency of %d',
    async concurrency => {
      const list = new FakeList(items(334), 100);
      let read = 0;
      let most = 0;
      list.onRequest = () => {
        most = Math.max(most, list.inFlight / (read + 1));
      };
      for await (const _ of list.paginate({ pageSize: 10, concurrency }).pages()) {
        read += 1;
        await new Promise(resolve => setTimeout(resolve, 0));
      }
      // Pages are requested right before the loop gets the one that was read.
      expect(most).toBe(2);
      expect(list.requests).toBeLessThan(2 * 37);
    },
  );

  test('come one at a time while the paginator looks for its position', async () => {
    const list = new FakeList(items(1000), 10);
    const yielded: Item[] = [];
    for await (const record of list.paginate({ concurrency: 8 })) {
      yielded.push(record);
      if (yielded.length === 95) list.records = list.records.filter(({ id }) => id > record.id);
    }
    expect(ids(yielded)).toEqual(ids(items(1000)));
    const offsets = list.asked.map(({ offset }) => offset);
    const steps = offsets.slice(1).map((offset, index) => offset - (offsets[index] ?? 0));
    const back = steps.map(step => step < 0);
    // Some ten pages back to where the list stands now, one right after another.
    expect(back.filter(Boolean).length).toBeGreaterThan(8);
    expect(back.lastIndexOf(true) - back.indexOf(true)).toBeLessThan(back.filter(Boolean).length + 1);
  });

  test('continue, half as many again, while one is late', async () => {
    const list = new FakeList(items(1000), 10);
    const late = latch();
    const thirdIsOut = latch();
    list.onRequest = request => {
      if (request === 4) return late.opened;
      return request > 4 ? thirdIsOut.opened : undefined;
    };
    const read = async () => {
      const seen: Item[] = [];
      for await (const record of list.paginate({ pageSize: 10, concurrency: 4 })) {
        seen.push(record);
        // Pages of ten, each with one record of the page before it: 10, 9, and the first of the third.
        if (seen.length === 10 + 9 + 1) thirdIsOut.open();
      }
      return seen;
    };
    const walked = read();
    await new Promise(resolve => setTimeout(resolve, 20));
    // Three came before the late one; six are in flight or wait for it, itself among them.
    expect(list.requests).toBe(3 + 6);
    expect(list.inFlight).toBe(1);
    late.open();
    expect(ids(await walked)).toEqual(ids(items(1000)));
    expect(list.mostInFlight).toBe(4);
  });
});

describe('stopping', () => {
  test('yields no more than max', async () => {
    const list = new FakeList(items(500), 100);
    expect(await list.paginate().toArray({ max: 0 })).toEqual([]);
    expect(list.requests).toBe(0);
    expect(await list.paginate().toArray({ max: 3 })).toHaveLength(3);
  });

  test.each(['break', 'throw'])('cancels what is in flight on %s in the loop', async how => {
    const list = new FakeList(items(1000), 10);
    const { opened, open } = latch();
    holdFrom(list, 6, opened);
    const run = async () => {
      let count = 0;
      for await (const _ of list.paginate({ concurrency: 8 }))
        if (++count === 35) {
          if (how === 'break') break;
          throw new Error('the body');
        }
    };
    if (how === 'break') await run();
    else await expect(run()).rejects.toThrow('the body');
    expect(list.inFlight).toBeGreaterThan(0);
    open();
    await new Promise(resolve => setTimeout(resolve, 5));
    expect(list.inFlight).toBe(0);
    expect(list.aborted).toBeGreaterThan(0);
  });

  test('rejects with the reason of its signal, between records too', async () => {
    const list = new FakeList(items(1000), 10);
    const stop = new AbortController();
    const reason = { mine: true };
    const seen: Item[] = [];
    const run = async () => {
      for await (const record of list.paginate({ concurrency: 8, signal: stop.signal })) {
        seen.push(record);
        if (seen.length === 35) stop.abort(reason);
      }
    };
    await expect(run()).rejects.toBe(reason);
    expect(seen).toHaveLength(35);
    await expect(list.paginate({ signal: stop.signal }).toArray()).rejects.toBe(reason);
    expect(reason).toEqual({ mine: true });
  });

  test('prefetches one page by default', async () => {
    const list = new FakeList(items(100), 10);
    for await (const { id } of list.paginate()) {
      await new Promise(resolve => setTimeout(resolve, 0));
      if (id === item(0).id) expect(list.requests).toBe(2);
      if (id === item(15).id) break;
    }
    expect(list.requests).toBe(3);
    expect(list.mostInFlight).toBe(1);
  });

  test.each([0, -1, Number.NaN])('refuses a concurrency of %d', concurrency => {
    expect(() => new FakeList([], 1).paginate({ concurrency })).toThrow(
      'concurrency must be a number from 1',
    );
  });
});

import { describe, expect, test } from 'vitest';
import { FakeList, type Item, ids, items } from './fake-list.ts';
import { places } from './list-server.ts';

describe.each(places())('services with unusual responses, $place', ({ paginate: paginateOver }) => {
  test.each([2, 12, 30, 100])('reports that the same %d records come whatever the offset', async count => {
    const list = new FakeList(items(count), 100);
    const { load } = list;
    Object.assign(list, {
      load: (page: object, options: { signal: AbortSignal }) =>
        load({ ...page, offset: 0, limit: 100 }, options),
    });
    const paginator = paginateOver(list);
    const seen: Item[] = [];
    const run = async () => {
      for await (const record of paginator) seen.push(record);
    };
    const error = await run().catch(error => error);
    expect(error).toMatchObject({
      name: 'InvalidResponseError',
      message: `contacts.all: the same ${count} records come whatever the offset; check for a cache or proxy in between that ignores the query`,
      issues: [{ path: '', expected: 'other records further on', received: 'the same records again' }],
      checkpoint: paginator.checkpoint,
    });
    expect(ids(seen)).toEqual(ids(items(count)));
    expect(list.requests).toBeLessThan(60);
  });

  test('reports that the same record comes whatever the offset', async () => {
    const list = new FakeList(items(1), 100);
    Object.assign(list, { load: async () => items(1) });
    await expect(paginateOver(list).toArray()).rejects.toThrow(
      'contacts.all: the same record comes whatever the offset; check for a cache or proxy in between that ignores the query',
    );
  });

  test('reports that the same records come, in another order each time', async () => {
    const list = new FakeList(items(12), 100);
    let responses = 0;
    Object.assign(list, { load: async () => (responses++ % 2 ? items(12).reverse() : items(12)) });
    await expect(paginateOver(list).toArray()).rejects.toThrow(
      'contacts.all: the same 12 records come whatever the offset; check for a cache or proxy in between that ignores the query',
    );
  });

  test('ends where more records than requested come at once, and the same again', async () => {
    const list = new FakeList(items(250), 500);
    const { records } = list;
    Object.assign(list, { load: async () => records });
    expect(await paginateOver(list).toArray()).toHaveLength(250);
  });

  test('ends where the last page comes for every offset beyond the end', async () => {
    const list = new FakeList(items(95), 30);
    const { load } = list;
    const clamped = (page: { offset: number; limit: number }, options: { signal: AbortSignal }) =>
      load({ ...page, offset: Math.min(page.offset, 65) }, options);
    Object.assign(list, { load: clamped });
    const seen: Item[] = [];
    const run = async () => {
      for await (const record of paginateOver(list)) seen.push(record);
    };
    await run().catch(error => expect(error).toMatchObject({ name: 'InvalidResponseError' }));
    expect(ids(seen)).toEqual(ids(items(95)));
  });
});

import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ReadableStream as WebStream } from 'node:stream/web';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { FakeList, type Item, ids, item, items } from './fake-list.ts';

const list = (size = 100, cap = 10) => new FakeList(items(size), cap);

describe('iterator helpers of a paginator', () => {
  test('take the first values, without a request for more', async () => {
    const source = list();
    expect(ids(await source.paginate().take(12).toArray())).toEqual(ids(items(12)));
    expect(source.requests).toBeLessThanOrEqual(3);
    expect(await source.paginate().take(0).toArray()).toEqual([]);
    expect(source.requests).toBeLessThanOrEqual(3);
  });

  test('work in a chain of drop, filter and map, with an index each', async () => {
    const values = list()
      .paginate()
      .drop(2)
      .filter((_, index) => index % 2 === 0)
      .map(async ({ id }, index) => `${index} ${Number(id.slice(8))}`)
      .take(3);
    expectTypeOf(values.next).returns.resolves.toEqualTypeOf<IteratorResult<string, undefined>>();
    expect(await values.toArray()).toEqual(['0 2', '1 4', '2 6']);
  });

  test('call forEach for each value and wait for it', async () => {
    const seen: string[] = [];
    await list(25)
      .paginate()
      .forEach(async ({ id }, index) => {
        await undefined;
        seen.push(`${index} ${Number(id.slice(8))}`);
      });
    expect(seen).toHaveLength(25);
    expect(seen.at(-1)).toBe('24 24');
  });

  test('send nothing before the first value is requested', async () => {
    const source = list();
    const values = source
      .paginate()
      .filter(() => true)
      .map(record => record)
      .take(5);
    await new Promise(resolve => setTimeout(resolve, 5));
    expect(source.requests).toBe(0);
    await values.return();
    expect(await values.next()).toEqual({ done: true, value: undefined });
    expect(source.requests).toBe(0);
  });

  test('end with the error of a callback and cancel what is pending', async () => {
    const source = list();
    const values = source.paginate({ concurrency: 4 }).map(({ id }) => {
      if (id === item(15).id) throw new Error('callback');
      return id;
    });
    await expect(values.toArray()).rejects.toThrow('callback');
    await new Promise(resolve => setTimeout(resolve, 5));
    expect(source.inFlight).toBe(0);
  });

  test('cancel a pending request at once when they are left while it waits', async () => {
    const source = list();
    let wasAborted = false;
    const { load } = source;
    Object.assign(source, {
      load: (page: { offset: number; limit: number }, options: { signal: AbortSignal }) =>
        page.offset === 0
          ? load(page, options)
          : new Promise((_, reject) =>
              options.signal.addEventListener('abort', () => {
                wasAborted = true;
                reject(options.signal.reason);
              }),
            ),
    });
    const values = source
      .paginate()
      .map(({ id }) => id)
      .drop(9);
    await values.next();
    const pending = values.next();
    await new Promise(resolve => setTimeout(resolve, 5));
    expect(await values.return()).toEqual({ done: true, value: undefined });
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(wasAborted).toBe(true);
  });

  test.each([-1, 1.5, Number.NaN, '3', null])('refuse a limit of %s by name', limit => {
    for (const method of ['take', 'drop'] as const)
      expect(() =>
        list()
          .paginate()
          [method](limit as number),
      ).toThrow(`${method}: limit must be a whole number`);
  });

  test('refuse what is no function by name', async () => {
    const paginator = list().paginate();
    expect(() => paginator.filter('x' as never)).toThrow('filter: predicate must be a function');
    expect(() => paginator.map(null as never)).toThrow('map: mapper must be a function');
    await expect(paginator.forEach(5 as never)).rejects.toThrow('forEach: callback must be a function');
  });
});

/** `ReadableStream.from`, which the types of Node's global do not have yet. */
const streamOf = <T>(values: AsyncIterable<T>) => WebStream.from(values);

describe('streams', () => {
  test('a ReadableStream yields every record, and cancelling it cancels the requests', async () => {
    const source = list(95, 30);
    const seen: Item[] = [];
    for await (const record of streamOf(source.paginate())) seen.push(record);
    expect(ids(seen)).toEqual(ids(items(95)));
    const left = list();
    const stream = streamOf(left.paginate());
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel();
    await new Promise(resolve => setTimeout(resolve, 5));
    expect(left.requests).toBeLessThan(4);
    expect(left.inFlight).toBe(0);
  });

  test('pipeline writes every record, one after the other', async () => {
    const lines: string[] = [];
    const csv = async function* (records: AsyncIterable<Item>) {
      for await (const { id } of records) yield `${id}\n`;
    };
    const sink = new Writable({
      write(chunk, _, done) {
        lines.push(String(chunk));
        setImmediate(done);
      },
    });
    await pipeline(list(95, 30).paginate(), csv, sink);
    expect(lines).toEqual(items(95).map(({ id }) => `${id}\n`));
  });

  test('a stream that is destroyed ends the iteration', async () => {
    const source = list();
    const paginator = source.paginate();
    const stream = Readable.from(paginator);
    for await (const _ of stream) break;
    await new Promise(resolve => setTimeout(resolve, 5));
    expect(source.inFlight).toBe(0);
    expect((await paginator.toArray({ max: 1 })).length).toBe(1);
  });
});

// What a paginator requests of a service that refuses, ignores or outlasts its requests.
import { describe, expect, test } from 'vitest';
import { BadRequestError, ConnectionError } from '../../src/errors.ts';
import type { LoadPage } from '../../src/pagination/page-fetcher.ts';
import { Paginator, type PaginatorOptions } from '../../src/pagination/paginator.ts';
import { FakeList, type Item, ids, items, refusal } from './fake-list.ts';

const paginate = (load: LoadPage<Item>, options?: PaginatorOptions) =>
  new Paginator<Item>({ operation: 'contacts.list', filter: {}, pageSizes: [100, 30], load }, options);

/** A service that gives more records than requested, and a listing's first ones whatever the offset. */
const oversized = (probe: () => readonly Item[] | Promise<readonly Item[]>) => {
  const asked: { offset: number; limit: number }[] = [];
  const load: LoadPage<Item> = async page => {
    asked.push(page);
    return page.offset >= 1_000_000_000 ? probe() : items(120);
  };
  return { asked, load };
};

describe('a service that gives more records than requested, and the same again', () => {
  test('is asked for one page far behind the end of every list', async () => {
    const { asked, load } = oversized(() => items(120));
    expect(await paginate(load).toArray()).toHaveLength(120);
    expect(asked.at(-1)).toEqual({ offset: 2_000_000_000, limit: 100 });
  });

  test.each<[string, () => Promise<readonly Item[]>]>([
    ['refuses that page', () => Promise.reject(refusal(BadRequestError, 400))],
    ['has nothing there', async () => []],
  ])('is a list that grows faster than it is read where it %s', async (_, probe) => {
    const { load } = oversized(probe);
    await expect(paginate(load).toArray()).rejects.toThrow('grows faster than it is read');
  });

  test('ends the iteration with the error of that page where the connection fails', async () => {
    const { load } = oversized(() => {
      throw new ConnectionError('gone', { outcome: 'unknown' });
    });
    await expect(paginate(load).toArray()).rejects.toMatchObject({ name: 'ConnectionError' });
  });
});

test('requests no smaller page once a page has come', async () => {
  const list = new FakeList(items(250), 500);
  list.onRequest = request => {
    if (request === 2) throw refusal(BadRequestError, 400);
  };
  await expect(list.paginate().toArray()).rejects.toMatchObject({ name: 'BadRequestError' });
  expect(list.asked.map(({ limit }) => limit)).toEqual([100, 100]);
});

test('requests nothing more when a page arrives after the loop was left', async () => {
  const list = new FakeList(items(500), 10);
  let arrive = () => {};
  list.onRequest = request =>
    request === 2
      ? new Promise(resolve => {
          arrive = resolve;
        })
      : undefined;
  const deaf = new AbortController();
  for await (const { id } of paginate(page => list.load(page, { signal: deaf.signal })))
    if (id === ids(items(1))[0]) break;
  expect(list.requests).toBe(2);
  arrive();
  await new Promise(resolve => setTimeout(resolve, 5));
  expect(list.requests).toBe(2);
});

// Filters, checkpoints and options that a paginator accepts or refuses, and what it reports of its progress.
import { describe, expect, test, vi } from 'vitest';
import { BadRequestError } from '../../src/errors.ts';
import { EmailMarketingClient, type InvalidRequestError } from '../../src/index.ts';
import { Paginator, type PaginatorOptions, type PaginatorProgress } from '../../src/pagination/paginator.ts';
import { FakeList, type Item, items, refusal } from './fake-list.ts';

const over = (filter: object, options?: PaginatorOptions, list = new FakeList(items(5), 10)) =>
  new Paginator<Item>({ operation: 'contacts.list', filter, pageSizes: [100, 30], load: list.load }, options);

const issuesOf = (make: () => unknown) => {
  try {
    make();
  } catch (error) {
    return (error as InvalidRequestError).issues;
  }
  throw new Error('expected an error');
};

test.each([1, 100])('accepts a pageSize of %d', async pageSize => {
  const list = new FakeList(items(5), 10);
  await list.paginate({ pageSize }).toArray({ max: 1 });
  expect(list.asked[0]).toEqual({ offset: 0, limit: pageSize });
});

test('passes the options of a request on to each page', async () => {
  const callOptions = { timeout: 5, totalTimeout: 50, maxRetries: 0, headers: { 'x-trace': '1' } };
  const list = new FakeList(items(5), 10);
  const { load } = list;
  const passed: object[] = [];
  Object.assign(list, {
    load: (page: { offset: number; limit: number }, { signal, ...rest }: { signal: AbortSignal }) => {
      passed.push(rest);
      return load(page, { signal });
    },
  });
  await list.paginate(callOptions as object).toArray({ max: 1 });
  expect(passed[0]).toEqual(callOptions);
});

test.each([1, 1.5, Number.POSITIVE_INFINITY])('accepts a concurrency of %d', async concurrency => {
  expect(await over({}, { concurrency }).toArray()).toHaveLength(5);
});

test.each(['5', 0.5, Number.NaN])('refuses a concurrency of %o', concurrency => {
  expect(issuesOf(() => over({}, { concurrency } as PaginatorOptions))).toEqual([
    { path: 'concurrency', expected: 'a number from 1', received: expect.any(String) },
  ]);
});

test('refuses options that are no object, and names each one that does not exist', () => {
  expect(issuesOf(() => over({}, 5 as PaginatorOptions))).toEqual([
    { path: 'options', expected: 'an object', received: '5' },
  ]);
  expect(issuesOf(() => over({}, { concurrent: 2, colour: 'red' } as PaginatorOptions))).toMatchObject([
    { path: 'concurrent', message: 'Unknown option "concurrent". Did you mean "concurrency"?' },
    {
      path: 'colour',
      message: expect.stringMatching(/^Unknown option "colour"\. Known options: pageSize, /),
    },
  ]);
});

describe('a checkpoint', () => {
  const { checkpoint } = over({ search: 'ada' });

  test('is accepted at the start of a list, for the same filter', () => {
    expect(checkpoint.offset).toBe(0);
    expect(over({ search: 'ada', other: undefined }, { checkpoint }).checkpoint).toEqual(checkpoint);
  });

  test('is accepted for the same filter in another order', () => {
    const { checkpoint } = over({ search: 'ada', list: 'vip' });
    expect(over({ list: 'vip', search: 'ada' }, { checkpoint }).checkpoint).toEqual(checkpoint);
  });

  test.each([{}, { search: 'alan' }, { search: 'ada', list: 'vip' }, { find: 'ada' }])(
    'is refused for the filter %o',
    filter => {
      expect(issuesOf(() => over(filter, { checkpoint }))).toEqual([
        {
          path: 'checkpoint.source',
          expected: 'that of a paginator over the same records',
          received: 'another',
        },
      ]);
    },
  );

  test.each([
    [{ source: 5 }, 'that of a paginator over the same records', '5'],
    [{ offset: -1 }, 'a whole number from 0', '-1'],
    [{ tail: 'ABC' }, 'the text of at most 200 hashes', 'other text'],
    [{ tail: 5 }, 'the text of at most 200 hashes', '5'],
  ])('with %o is refused by what is expected', (change, expected, received) => {
    const changed = { ...checkpoint, ...change } as typeof checkpoint;
    const path = `checkpoint.${Object.keys(change)[0]}`;
    expect(issuesOf(() => over({ search: 'ada' }, { checkpoint: changed }))).toEqual([
      { path, expected, received },
    ]);
  });

  test('that is no object is refused by what is expected', () => {
    expect(issuesOf(() => over({}, { checkpoint: 5 as never }))).toMatchObject([
      { path: 'checkpoint', expected: 'the checkpoint of a paginator' },
    ]);
  });
});

test.each([
  ['x', [{ path: 'filter', expected: 'an object', received: 'string' }]],
  [
    { limit: 5, offset: 0 },
    [
      { path: 'limit', expected: 'left out: the paginator sets it', received: 'a value' },
      { path: 'offset', expected: 'left out: the paginator sets it', received: 'a value' },
    ],
  ],
])('refuses the filter %o of contacts.all', (filter, issues) => {
  const client = new EmailMarketingClient({ apiKey: 'key', baseUrl: 'https://rest.example.test' });
  expect(issuesOf(() => client.contacts.all(filter as object))).toEqual(issues);
});

test('reports the records per second since the iteration began', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(10_000);
  const list = new FakeList(items(6), 3);
  const reports: PaginatorProgress[] = [];
  list.onRequest = request => void now.mockReturnValue(10_000 + (request - 1) * 500);
  for await (const _ of list.paginate({ onProgress: progress => void reports.push(progress) }))
    await undefined;
  now.mockRestore();
  // The next page is loaded ahead of each report: the first page's, the second's and the last record's.
  expect(reports.map(({ records, pages, perSecond }) => [records, pages, perSecond])).toEqual([
    [3, 1, 6],
    [5, 2, 5],
    [6, 3, 4],
  ]);
});

test('stops listening to its signal when the iteration ends', async () => {
  const { signal } = new AbortController();
  const removed = vi.spyOn(signal, 'removeEventListener');
  await new FakeList(items(5), 10).paginate({ signal }).toArray();
  expect(removed).toHaveBeenCalledWith('abort', expect.any(Function));
});

describe('an error of a page', () => {
  const failing = (error: Error) => {
    const list = new FakeList(items(50), 10);
    list.onRequest = request => {
      if (request === 3) throw error;
    };
    return list.paginate();
  };

  test('of the library gets the name of the iteration and its checkpoint', async () => {
    await expect(failing(refusal(BadRequestError, 400)).toArray()).rejects.toMatchObject({
      operation: 'contacts.all',
      checkpoint: { offset: 0 },
    });
  });

  test('of anything else is thrown unchanged', async () => {
    const foreign = new RangeError('mine');
    await expect(failing(foreign).pages().next()).resolves.toMatchObject({ done: false });
    await expect(failing(foreign).toArray()).rejects.toBe(foreign);
    expect(Object.keys(foreign)).toEqual([]);
  });
});

test('a second iteration is refused with the reason and no checkpoint', async () => {
  const paginator = over({});
  const refused: InvalidRequestError[] = [];
  for await (const _ of paginator)
    await paginator
      .pages()
      .next()
      .catch(error => refused.push(error));
  expect(refused[0]?.issues).toEqual([
    {
      path: 'iteration',
      expected: 'the only one over its paginator at a time: call all() for each',
      received: 'a second one',
    },
  ]);
  expect(refused[0]).not.toHaveProperty('checkpoint');
});

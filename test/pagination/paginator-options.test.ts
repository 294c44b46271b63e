// Filters, checkpoints and options that a paginator accepts or rejects.
import { describe, expect, test } from 'vitest';
import { EmailMarketingClient, type InvalidRequestError } from '../../src/index.ts';
import type { LoadPage } from '../../src/pagination/page-loader.ts';
import type { PaginatorOptions } from '../../src/pagination/paginator-options.ts';
import { RecordPaginator } from '../../src/pagination/record-paginator.ts';
import { changed, FakeList, type Item, items } from './fake-list.ts';

const over = (filter: object, options?: PaginatorOptions, list = new FakeList(items(5), 10)) =>
  new RecordPaginator<Item>({ resource: 'contacts', filter, pageSizes: [100, 30], load: list.load }, options);

const issuesOf = (make: () => unknown) => {
  try {
    make();
  } catch (error) {
    expect(error).toMatchObject({
      name: 'InvalidRequestError',
      message: expect.stringMatching(/^contacts\.all: /),
    });
    return (error as InvalidRequestError).issues;
  }
  throw new Error('expected an error');
};

test('passes the options of a request on to each page', async () => {
  const callOptions = { timeout: 5, totalTimeout: 50, maxRetries: 0, headers: { 'x-trace': '1' } };
  const passed: object[] = [];
  const load: LoadPage<Item> = async (_, { signal: __, ...rest }) => {
    passed.push(rest);
    return items(1);
  };
  const source = { resource: 'contacts', filter: {}, pageSizes: [100, 30], load } as const;
  await new RecordPaginator<Item>(source, callOptions as object).toArray({ max: 1 });
  expect(passed[0]).toEqual(callOptions);
});

test.each([
  [{ concurrency: 0 }, 'concurrency', 'a whole number from 1, or Infinity'],
  [{ concurrency: 1.5 }, 'concurrency', 'a whole number from 1, or Infinity'],
  [{ concurrent: 4 }, 'concurrent', 'left out'],
  [{ pageSize: 0 }, 'pageSize', 'a whole number from 1 to 100'],
  [{ pageSize: 1.5 }, 'pageSize', 'a whole number from 1 to 100'],
  [{ pageSize: 101 }, 'pageSize', 'a whole number from 1 to 100'],
  [{ onProgress: 5 }, 'onProgress', 'a function'],
  [{ timeout: -1 }, 'timeout', 'milliseconds above 0, at most 2147483647, or Infinity'],
  [5, 'options', 'an object'],
])('rejects the options %o by name', (options, path, expected) => {
  expect(issuesOf(() => over({}, options as PaginatorOptions))).toMatchObject([{ path, expected }]);
});

describe('a checkpoint', () => {
  const { checkpoint } = over({ search: 'ada', list: 'vip' });
  const tail = '0'.repeat(11);
  const issues = [
    {
      path: 'checkpoint',
      expected: 'the unchanged checkpoint of a paginator with the same filter',
      received: expect.any(String),
      message: expect.stringMatching(
        /^checkpoint must be the unchanged checkpoint of a paginator .* \(got .+\)\.$/s,
      ),
    },
  ];

  test.each([
    { search: 'ada', list: 'vip', other: undefined },
    { list: 'vip', search: 'ada' },
  ])('is accepted for the same filter, however it is written: %o', filter => {
    expect(over(filter, { checkpoint }).checkpoint).toEqual(checkpoint);
  });

  test.each([{}, { search: 'ada' }, { search: 'alan', list: 'vip' }, { find: 'ada', list: 'vip' }])(
    'is rejected for the filter %o',
    filter => {
      expect(issuesOf(() => over(filter, { checkpoint }))).toEqual(issues);
    },
  );

  test('does not show what the filter searches for', () => {
    expect(over({ search: 'ada' }).checkpoint).not.toContain('ada');
  });

  test('is accepted with as many hashes as one has, and as far as a list goes', () => {
    const largest = changed(checkpoint, { offset: 999_999_999_999_999, tail: tail.repeat(200) });
    expect(() => over({ search: 'ada', list: 'vip' }, { checkpoint: largest })).not.toThrow();
  });

  test.each<unknown>([
    ...['0', '2', '01'].map(version => changed(checkpoint, { version })),
    ...['00000000000', ''].map(source => changed(checkpoint, { source })),
    ...['A'.repeat(11), tail.slice(1), tail.repeat(201), `${tail}.`].map(text =>
      changed(checkpoint, { tail: text }),
    ),
    ...[-1, 1.5, '', '0x10', 2 ** 60].map(offset => changed(checkpoint, { offset })),
    ...[5, 'x', '', {}, [checkpoint], new String(checkpoint), JSON.stringify(checkpoint)],
  ])('is rejected if it is %o', value => {
    const filter = { search: 'ada', list: 'vip' };
    expect(issuesOf(() => over(filter, { checkpoint: value as never }))).toEqual(issues);
  });
});

test.each([{ offset: 20 }, { limit: 5 }, { concurrency: 4 }, { signal: undefined }])(
  'rejects %o in place of a filter, as it does any unknown name',
  filter => {
    const { contacts, lists } = new EmailMarketingClient({
      baseUrl: 'https://api.example.com',
      apiKey: 'key',
    });
    const message = `Unknown option "${Object.keys(filter)}". Known names: search.`;
    expect(() => contacts.all(filter as object)).toThrow(`contacts.all: ${message}`);
    expect(() => lists.all(filter as object)).toThrow(`lists.all: ${message}`);
  },
);

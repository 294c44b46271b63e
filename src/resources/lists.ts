import type { ApiPromise } from '../core/api-promise.ts';
import type { Caller, Operation } from '../core/operation.ts';
import type { CallOptions } from '../core/options.ts';
import { Paginator, type PaginatorOptions } from '../pagination/paginator.ts';
import { type Acknowledgement, acknowledgement } from '../schema/acknowledgement.ts';
import type { ListId } from '../schema/id.ts';
import { boundedText, fields, inputOf, optional, someText } from '../schema/input.ts';
import { inputId } from '../schema/input-id.ts';
import { type PageQuery, pageFields } from '../schema/page.ts';
import { manyRecords, oneRecord, RecordReader } from '../schema/record.ts';
import { integer, recordId, text } from '../schema/word.ts';

/** A list of contacts (specification, section 2). */
export interface List {
  /** `list_` and 22 letters or digits. */
  readonly id: ListId;
  /** The list's name. */
  readonly name: string;
  /** What the values mean is not documented. */
  readonly type: number;
  /** ISO 8601, UTC. */
  readonly created: string;
  /** ISO 8601, UTC. */
  readonly updated: string;
}

/** What a new list is made from. */
export interface CreateListParams {
  /** Text that is not empty. */
  readonly name: string;
}

/** Which lists are meant. */
export interface ListsFilter {
  /** Part of a list's name: 2 to 100 characters. */
  readonly search?: string | undefined;
}

/** Which page of which lists; `limit` is at most 500. */
export interface ListsQuery extends PageQuery, ListsFilter {}

const list = () =>
  new RecordReader<List>({
    words: { id: recordId, name: text, type: integer, created: text, updated: text },
    essential: ['id'],
  });

/** @internal */
export const listOperations = () => ({
  'lists.create': {
    api: 'rest',
    method: 'POST',
    path: '/list',
    repeat: 'never',
    input: inputOf(() => fields<CreateListParams>({ name: someText() })),
    output: oneRecord(list()),
  } satisfies Operation<CreateListParams, List>,
  'lists.list': {
    api: 'rest',
    method: 'GET',
    path: '/list',
    query: ['offset', 'limit', 'search'],
    repeat: 'always',
    input: inputOf(() => pageFields<ListsQuery>(500, { search: optional(boundedText(2, 100)) })),
    output: manyRecords(list()),
  } satisfies Operation<ListsQuery | undefined, readonly List[]>,
  'lists.delete': {
    api: 'rest',
    method: 'DELETE',
    path: '/list/{identifier}',
    repeat: 'always',
    goneIsDone: true,
    input: inputOf<ListId>(() => inputId('list')),
    output: acknowledgement(),
  } satisfies Operation<ListId, Acknowledgement>,
});

/** Lists of contacts. */
export class Lists {
  readonly #call: Caller<ReturnType<typeof listOperations>>;

  /** @internal */
  constructor(call: Caller<ReturnType<typeof listOperations>>) {
    this.#call = call;
  }

  /**
   * Creates a list.
   *
   * @example
   * ```ts
   * const list = await client.lists.create({ name: 'Newsletter' });
   * console.log(list.id.startsWith('list_')); // true
   * ```
   */
  create(params: CreateListParams, options?: CallOptions): ApiPromise<List> {
    return this.#call('lists.create', params, options);
  }

  /**
   * One page of lists. The service may give fewer than `limit` though there are more.
   *
   * @example
   * ```ts
   * const lists = await client.lists.list({ limit: 100, search: 'news' });
   * for (const list of lists) console.log(list.id, list.name);
   * ```
   */
  list(query?: ListsQuery, options?: CallOptions): ApiPromise<readonly List[]> {
    return this.#call('lists.list', query, options);
  }

  /**
   * Every list, or every one that the filter means: `for await (const list of client.lists.all())`. Each that is there
   * throughout comes exactly once, whatever is added or deleted meanwhile. Nothing is sent before the loop starts.
   *
   * @example
   * ```ts
   * const lists = await client.lists.all().toArray();
   * console.log(lists.map(list => list.name));
   * ```
   */
  all(filter?: ListsFilter, options?: PaginatorOptions & CallOptions): Paginator<List> {
    const source = {
      operation: 'lists.list',
      filter,
      pageSizes: [500, 100],
      load: (page: PageQuery, callOptions: CallOptions) => this.list({ ...filter, ...page }, callOptions),
    } as const;
    return new Paginator<List>(source, options);
  }

  /**
   * Deletes a list; its contacts stay. A system list cannot be deleted. The id is taken with or without its prefix.
   *
   * @example
   * ```ts
   * const list = await client.lists.create({ name: 'Old newsletter' });
   * const { status } = await client.lists.delete(list.id);
   * console.log(status); // success
   * ```
   */
  delete(id: ListId, options?: CallOptions): ApiPromise<Acknowledgement> {
    return this.#call('lists.delete', id, options);
  }
}

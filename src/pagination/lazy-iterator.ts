import { checkArgument } from '../http/options/check-options.ts';
import { aCount, aFunction } from '../http/options/rules.ts';

/** Methods of an async iterable, named and behaving like the helpers of JavaScript's iterators. All are lazy. */
export abstract class IteratorHelpers<T> implements AsyncIterable<T> {
  /** Starts the iteration. */
  abstract [Symbol.asyncIterator](): LazyIterator<T>;

  /** Yields the first `limit` values, then ends and cancels what is pending. */
  take(limit: number): LazyIterator<T> {
    checkArgument('take', 'limit', limit, aCount(0));
    const values = this[Symbol.asyncIterator]();
    return derive(values, async function* () {
      if (limit === 0) return void (await values.return());
      let left = limit;
      for await (const value of values) {
        yield value;
        if (--left === 0) return;
      }
    });
  }

  /** Yields the values after the first `limit` ones. */
  drop(limit: number): LazyIterator<T> {
    checkArgument('drop', 'limit', limit, aCount(0));
    return this.filter((_, index) => index >= limit);
  }

  /** Yields the values for which `predicate` returns, or resolves to, a true value. */
  filter<S extends T>(predicate: (value: T, index: number) => value is S): LazyIterator<S>;
  /** Yields the values for which `predicate` returns, or resolves to, a true value. */
  filter(predicate: (value: T, index: number) => unknown): LazyIterator<T>;
  filter(predicate: (value: T, index: number) => unknown): LazyIterator<T> {
    checkArgument('filter', 'predicate', predicate, aFunction);
    const values = this[Symbol.asyncIterator]();
    return derive(values, async function* () {
      let index = 0;
      for await (const value of values) if (await predicate(value, index++)) yield value;
    });
  }

  /** Yields what `mapper` returns, or resolves to, for each value. */
  map<U>(mapper: (value: T, index: number) => U | PromiseLike<U>): LazyIterator<U> {
    checkArgument('map', 'mapper', mapper, aFunction);
    const values = this[Symbol.asyncIterator]();
    return derive(values, async function* () {
      let index = 0;
      for await (const value of values) yield await mapper(value, index++);
    });
  }

  /** Calls `callback` for each value, and awaits its result before the next. An error that it throws ends the iteration. */
  async forEach(callback: (value: T, index: number) => unknown): Promise<void> {
    checkArgument('forEach', 'callback', callback, aFunction);
    let index = 0;
    for await (const value of this) await callback(value, index++);
  }
}

/** An async iterator with helper methods, such as `paginator.take(10)`. It can be iterated once. */
export class LazyIterator<T>
  extends IteratorHelpers<T>
  implements AsyncIterableIterator<T, undefined, undefined>
{
  readonly #generator: AsyncGenerator<T, void, undefined>;
  readonly #leave: () => void;

  /** @internal */
  constructor(generator: AsyncGenerator<T, void, undefined>, leave: () => void) {
    super();
    this.#generator = generator;
    this.#leave = leave;
  }

  /** Returns the iterator itself. */
  override [Symbol.asyncIterator](): this {
    return this;
  }

  /** Resolves to the next value. */
  next(): Promise<IteratorResult<T, undefined>> {
    return this.#generator.next() as Promise<IteratorResult<T, undefined>>;
  }

  /** Ends the iteration and cancels what is pending at once, also while `next()` waits for it. */
  return(): Promise<IteratorResult<T, undefined>> {
    this.#leave();
    return this.#generator.return() as Promise<IteratorResult<T, undefined>>;
  }

  /** Resolves to the values in one array. */
  async toArray(): Promise<T[]> {
    const values: T[] = [];
    for await (const value of this) values.push(value);
    return values;
  }
}

/** Makes an iterator of a generator over `values`; leaving it leaves them. */
function derive<T, U>(
  values: LazyIterator<T>,
  run: () => AsyncGenerator<U, void, undefined>,
): LazyIterator<U> {
  return new LazyIterator(run(), () => void values.return());
}

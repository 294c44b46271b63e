// What the compiler knows of `bulk`: its results, and mistakes.
import { Readable } from 'node:stream';
import { expectTypeOf } from 'vitest';
import { type BulkResult, type BulkResults, bulk } from '../../src/index.ts';

export async function mistakes() {
  // @ts-expect-error: a string would be the name of a file, which is not a source.
  bulk('people.csv', async () => {});
  // @ts-expect-error: braces without `return` would send calls that nothing awaits.
  bulk([1], item => {
    Promise.resolve(item);
  });
  // @ts-expect-error: a value that is not a promise cannot be the result of a call.
  bulk([1], item => item * 2);
  expectTypeOf(await bulk([1], async item => `${item}`).toArray()).toEqualTypeOf<
    BulkResult<number, string>[]
  >();
  for await (const result of bulk([1], async item => `${item}`))
    if (result.ok) expectTypeOf(result.data).toBeString();
    else expectTypeOf(result.error).toEqualTypeOf<Error>();
  for await (const { data, error } of bulk([1], async item => `${item}`)) {
    expectTypeOf(data).toEqualTypeOf<string | undefined>();
    expectTypeOf(error).toEqualTypeOf<Error | undefined>();
    if (!error) expectTypeOf(data).toBeString();
  }
  // @ts-expect-error: this would send nothing.
  await bulk([1], async item => item);
  // @ts-expect-error: this would, too.
  const returned = async () => bulk([1], async item => item);
  return returned;
}

/** What takes async iterables takes the results, and an object without `then` is a double of them. */
export function uses(double: Omit<BulkResults<number, string>, 'then'>): BulkResults<number, string> {
  const results = bulk([1], async item => `${item}`);
  expectTypeOf(Readable.from(results)).toEqualTypeOf<Readable>();
  expectTypeOf(Promise.resolve(1).then(() => results.toArray())).resolves.toBeArray();
  return double;
}

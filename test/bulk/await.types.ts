// Mistakes with `bulk` that the compiler reports, such as `await bulk(…)`, which would send nothing.
import { expectTypeOf } from 'vitest';
import { type BulkResult, bulk } from '../../src/index.ts';

export async function mistakes() {
  // @ts-expect-error: the results of a bulk operation cannot be awaited.
  await bulk([1], async item => `${item}`);
  // @ts-expect-error: nor can they be returned from an async function, whose caller would await them.
  const start = async () => bulk([1], async item => `${item}`);
  // @ts-expect-error: a string would be the name of a file, which is not a source.
  bulk('people.csv', async () => {});
  // @ts-expect-error: braces without `return` would send calls that nothing awaits.
  bulk([1], item => {
    Promise.resolve(item);
  });
  // @ts-expect-error: a value that is no promise would be no result of a call.
  bulk([1], item => item * 2);
  expectTypeOf(await bulk([1], async item => `${item}`).toArray()).toEqualTypeOf<
    BulkResult<number, string>[]
  >();
  for await (const result of bulk([1], async item => `${item}`))
    if (result.ok) expectTypeOf(result.data).toBeString();
    else expectTypeOf(result.error).toEqualTypeOf<Error>();
  return start;
}

// What the compiler knows of `bulk`: its results, and mistakes.
import { expectTypeOf } from 'vitest';
import { type BulkResult, bulk } from '../../src/index.ts';

export async function mistakes() {
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
  for await (const { data, error } of bulk([1], async item => `${item}`)) {
    expectTypeOf(data).toEqualTypeOf<string | undefined>();
    expectTypeOf(error).toEqualTypeOf<Error | undefined>();
    if (!error) expectTypeOf(data).toBeString();
  }
}

/**
 * Makes `return()` and `throw()` of an async generator call `leave` first, because they wait for a pending `next()`.
 */
export function leaveAtOnce<T>(
  generator: AsyncGenerator<T, void, undefined>,
  leave: () => void,
): AsyncGenerator<T, void, undefined> {
  const { return: end, throw: fail } = generator;
  return Object.assign(generator, {
    return(value: void | PromiseLike<void>) {
      leave();
      return end.call(generator, value);
    },
    throw(error: unknown) {
      leave();
      return fail.call(generator, error);
    },
  });
}

/**
 * Lets `return()` and `throw()` of an async generator call `leave` first. By themselves, they wait until a pending
 * `next()` settles, so `leave` has to end what that waits for.
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

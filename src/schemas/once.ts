/** Returns a function that makes a value at its first call. Making all schemas would delay the start of every program. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

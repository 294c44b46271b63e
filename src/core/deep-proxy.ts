/** Creates the error of an object that is used through a deep proxy: another object, without its private members. */
export const behindProxy = (name: string): TypeError =>
  new TypeError(
    `${name} is behind a deep proxy, which cannot reach its private members: keep it out by markRaw (Vue) or ref (valtio)`,
  );

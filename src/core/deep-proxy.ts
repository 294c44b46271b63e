/** Objects with private members, as they were created. A deep proxy around one is another object, without these. */
const originals = /* @__PURE__ */ new WeakSet<object>();

/** Remembers an object that has private members. Call it in its constructor. */
export const addOriginal = (object: object): unknown => originals.add(object);

/** Creates the error of an object that is used through a deep proxy. */
export const behindProxy = (name: string): TypeError =>
  new TypeError(
    `${name} is behind a deep proxy, which cannot reach its private members: keep it out by markRaw (Vue) or ref (valtio)`,
  );

/** Throws if an object is a deep proxy around the one that was created. */
export function checkOriginal(object: object, name: string): void {
  if (!originals.has(object)) throw behindProxy(name);
}
